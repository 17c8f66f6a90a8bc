import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/check/outcome.ts";
import type { TransportFailure } from "../../src/http/failure.ts";
import { failureOf } from "../../src/report/json.ts";
import { proxyFailure } from "../support/exchanges.ts";
import { outcomeOf } from "../support/outcomes.ts";

const closed = { step: "response", code: "ECONNRESET", received: "nothing" } as const;
const headline = "no connection";

describe("the failure of a check", () => {
  test.each<readonly [TransportFailure, string]>([
    [{ step: "lookup", host: "x.invalid", code: "ENOTFOUND" }, "lookup"],
    [{ step: "connect", host: "x", port: 1, code: "ECONNREFUSED" }, "connect"],
    [{ step: "tls", code: "ECONNRESET", reason: "", certificate: null }, "tls"],
    [proxyFailure({ code: "ECONNRESET" }), "proxy"],
    [closed, "response"],
  ])("%j is of the step %s", (failure, step) => {
    const outcome: Outcome = { kind: "unreachable", failure };
    expect(failureOf({ outcome, headline })).toEqual({ step, code: failure.code, message: headline });
  });

  test("a deadline is of the step that it ended", () => {
    const outcome: Outcome = { kind: "timeout", step: "tls", seconds: 10 };
    expect(failureOf({ outcome, headline })).toEqual({ step: "tls", code: "ETIMEDOUT", message: headline });
  });

  test("is null for every outcome with a response", () => {
    const { unreachable, timeout, ...others } = outcomeOf;
    for (const outcome of Object.values(others)) expect(failureOf({ outcome, headline })).toBeNull();
  });
});
