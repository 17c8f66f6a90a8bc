import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/check/outcome.ts";
import type { Failure } from "../../src/http/failure.ts";
import { failureOf as shown } from "../../src/report/json.ts";
import { failureOf, proxyFailure } from "../support/exchanges.ts";
import { outcomeOf } from "../support/outcomes.ts";

const headline = "no connection";

describe("the failure of a check", () => {
  test.each<readonly [Failure, string]>([
    [failureOf({ step: "lookup", code: "ENOTFOUND" }), "lookup"],
    [failureOf({ step: "tls", code: "ECONNRESET" }), "tls"],
    [proxyFailure({ step: "lookup" }), "proxy"],
    [failureOf({ step: "response", code: "ECONNRESET" }), "response"],
  ])("%j is of the step %s", (failure, step) => {
    const outcome: Outcome = { kind: "unreachable", failure };
    expect(shown({ outcome, headline })).toEqual({ step, code: failure.code, message: headline });
  });

  test("a deadline is of the step that it ended", () => {
    const outcome: Outcome = {
      kind: "timeout",
      failure: failureOf({ step: "tls", code: null }),
      seconds: 10,
    };
    expect(shown({ outcome, headline })).toEqual({ step: "tls", code: "ETIMEDOUT", message: headline });
  });

  test("is null for every outcome with a response", () => {
    const { unreachable, timeout, ...others } = outcomeOf;
    for (const outcome of Object.values(others)) expect(shown({ outcome, headline })).toBeNull();
  });
});
