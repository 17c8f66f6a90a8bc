import { describe, expect, test } from "vitest";
import { failureOf } from "../../src/check/failure.ts";
import { judge } from "../../src/check/judge.ts";
import type { Outcome } from "../../src/check/outcome.ts";
import type { Exchange, Phase } from "../../src/http/exchange.ts";
import type { TransportFailure } from "../../src/http/failure.ts";
import { proxyFailure, replied } from "../support/exchanges.ts";
import { outcomeOf } from "../support/outcomes.ts";
import { unredacted } from "./found.ts";

const { trace } = replied({});

/** A failure of each kind, and the step that it belongs to. */
const failures = {
  lookup: [{ kind: "lookup", host: "x.invalid", code: "ENOTFOUND" }, "lookup"],
  connect: [{ kind: "connect", host: "x", port: 1, code: "ECONNREFUSED" }, "connect"],
  tls: [{ kind: "tls", code: "ECONNRESET", reason: "", certificate: null }, "tls"],
  proxy: [proxyFailure({ host: "p", status: null, code: "ECONNRESET" }), "proxy"],
  closed: [{ kind: "closed", code: "ECONNRESET", received: "nothing" }, "response"],
} as const satisfies Record<TransportFailure["kind"], readonly [TransportFailure, string]>;

const phases = {
  lookup: "lookup",
  connect: "connect",
  proxy: "proxy",
  tls: "tls",
  request: "request",
  headers: "response",
  body: "response",
} as const satisfies Record<Phase, string>;

const expired = (phase: Phase): Exchange => ({ kind: "expired", phase, trace });

const headline = "no connection";

describe("the failure of a check", () => {
  test.each(Object.values(failures))("$code is of the step %s", (failure, step) => {
    const outcome: Outcome = { kind: "unreachable", failure };
    expect(failureOf({ outcome, headline })).toEqual({ step, code: failure.code, message: headline });
  });

  test("a request that could not be written is of the step request", () => {
    const failure = { kind: "closed", code: "EPIPE", received: "nothing" } as const;
    expect(failureOf({ outcome: { kind: "unreachable", failure }, headline })?.step).toBe("request");
  });

  test.each(Object.entries(phases))("a deadline in %s is of the step %s", (phase, step) => {
    const outcome = judge(expired(phase as Phase), 10, unredacted);
    expect(failureOf({ outcome, headline })).toEqual({ step, code: "ETIMEDOUT", message: headline });
  });

  test("is null for every outcome with a response", () => {
    const { unreachable, timeout, ...others } = outcomeOf;
    for (const outcome of Object.values(others)) expect(failureOf({ outcome, headline })).toBeNull();
  });
});
