import { describe, expect, test } from "vitest";
import { failureOf } from "../../src/check/failure.ts";
import type { Outcome } from "../../src/check/outcome.ts";
import type { Phase } from "../../src/http/exchange.ts";
import type { TransportFailure } from "../../src/http/failure.ts";
import { proxyFailure } from "../support/exchanges.ts";
import { outcomeOf } from "../support/outcomes.ts";

const closed = { kind: "closed", code: "ECONNRESET", received: "nothing" } as const;
const headline = "no connection";

describe("the failure of a check", () => {
  test.each<readonly [TransportFailure, string]>([
    [{ kind: "lookup", host: "x.invalid", code: "ENOTFOUND" }, "lookup"],
    [{ kind: "connect", host: "x", port: 1, code: "ECONNREFUSED" }, "connect"],
    [{ kind: "tls", code: "ECONNRESET", reason: "", certificate: null }, "tls"],
    [proxyFailure({ code: "ECONNRESET" }), "proxy"],
    [closed, "response"],
    [{ ...closed, code: "EPIPE" }, "request"],
  ])("%j is of the step %s", (failure, step) => {
    const outcome: Outcome = { kind: "unreachable", failure };
    expect(failureOf({ outcome, headline })).toEqual({ step, code: failure.code, message: headline });
  });

  test.each<Phase>(["lookup", "connect", "proxy", "tls", "request", "headers", "body"])(
    "a deadline in %s is of that step, where the response has one for its headers and its body",
    (phase) => {
      const step = phase === "headers" || phase === "body" ? "response" : phase;
      const outcome: Outcome = { kind: "timeout", phase, seconds: 10 };
      expect(failureOf({ outcome, headline })).toEqual({ step, code: "ETIMEDOUT", message: headline });
    },
  );

  test("is null for every outcome with a response", () => {
    const { unreachable, timeout, ...others } = outcomeOf;
    for (const outcome of Object.values(others)) expect(failureOf({ outcome, headline })).toBeNull();
  });
});
