import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failureOf } from "../../src/check/failure.ts";
import { judge } from "../../src/check/judge.ts";
import type { Outcome, UnexpectedReason } from "../../src/check/outcome.ts";
import type { Exchange, Phase } from "../../src/http/exchange.ts";
import type { TransportFailure } from "../../src/http/failure.ts";
import { type AnswerParts, failed, proxyFailure, replied } from "../support/exchanges.ts";
import { outcomeOf } from "../support/outcomes.ts";
import { findingsIn, hex40, token, unredacted, wsse } from "./found.ts";

const { trace } = replied({});
const page = "<html><body>";

/** An answer for each reason why it is not this API's. */
const unexpected = {
  malformed: { status: 999 },
  "too-large": { truncated: true },
  encoded: { headers: { "content-encoding": "gzip" } },
  redirect: { status: 302 },
  "web-page": { body: page },
  "foreign-challenge": { status: 401, headers: { "www-authenticate": "Basic" } },
  "no-evidence": { status: 403, body: "No" },
  "no-length": { status: 401, bodyEnd: "connection" },
  cached: { status: 401, headers: { age: "2" } },
  contradiction: { body: '{"code":401}' },
  "not-found": { status: 404 },
  "network-login": { status: 511, body: page },
  status: { status: 400, body: '{"code":400,"message":"Bad"}' },
  empty: {},
  "not-json": { body: "Hello" },
  "wrong-shape": { body: "[]" },
  // A diagnosis finds that the server accepts a request without credentials, not the judgement of one response.
} as const satisfies Record<Exclude<UnexpectedReason["kind"], "no-authentication">, AnswerParts>;

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

const cases: ReadonlyArray<readonly [string, Outcome["kind"], Exchange]> = [
  ...Object.entries(unexpected).map(([reason, parts]) => [reason, "unexpected", replied(parts)] as const),
  ["a broken answer", "unexpected", { kind: "malformed", problem: "Invalid constant", trace }],
  ...Object.entries(failures).map(([kind, [failure]]) => [kind, "unreachable", failed(failure)] as const),
  ...Object.keys(phases).map((phase) => [`the step ${phase}`, "timeout", expired(phase as Phase)] as const),
  ...[401, 403].map((status) => [String(status), "rejected", replied({ status })] as const),
  ...[429, 500, 502, 599].map((status) => [String(status), "unavailable", replied({ status })] as const),
];

describe("every failed check has a finding, which says what to do", () => {
  test.each(cases)("%s: %s", (reason, kind, exchange) => {
    const outcome = judge(exchange, 10, unredacted);
    expect(outcome.kind).toBe(kind);
    if (outcome.kind === "unexpected" && reason in unexpected) expect(outcome.reason.kind).toBe(reason);
    for (const credential of [token(hex40), wsse()]) {
      expect(findingsIn({ exchange, credential }).length).toBeGreaterThan(0);
      const remark = findingsIn({ exchange, credential, hints: { suffixGiven: true } });
      expect(remark.filter(({ id }) => id !== "base-url-suffix").length).toBeGreaterThan(0);
    }
  });

  test("and the judgement gives every outcome of a request", () => {
    const { accepted, "not-checked": notChecked, failed: bug, ...failures } = outcomeOf;
    expect([...new Set(cases.map(([, kind]) => kind))].toSorted()).toEqual(Object.keys(failures).toSorted());
  });

  test("whatever is answered; and a success has none", () => {
    const answers = fc.record({
      status: fc.integer({ min: 100, max: 699 }),
      body: fc.constantFrom("", "{}", page, "text", '{"code":200,"message":"Hi"}', '{"code":401}'),
      truncated: fc.boolean(),
    });
    fc.assert(
      fc.property(answers, (parts) => {
        const exchange = replied(parts);
        const found = findingsIn({ exchange }).filter(({ id }) => id !== "unusual-headers");
        expect(found.length > 0).toBe(judge(exchange, 10, unredacted).kind !== "accepted");
      }),
    );
  });

  test("a refusal that nothing explains names the credential itself", () => {
    const refusal = findingsIn({ exchange: replied({ status: 401 }), credential: token(hex40) });
    expect(refusal).toEqual([
      {
        id: "rejected",
        certainty: "measured",
        message: "the API refused this credential",
        fix: expect.stringMatching(/^Compare the credential with /),
      },
    ]);
  });
});

describe("the failure of a check", () => {
  const headline = "no connection";

  test.each(Object.values(failures))("$code is of the step %s", (failure, step) => {
    const outcome: Outcome = { kind: "unreachable", failure };
    expect(failureOf({ outcome, headline })).toEqual({ step, code: failure.code, message: headline });
  });

  test("an alert of TLS without a cause of its own asks for what the server may want, and not for its certificate", () => {
    const code = "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE";
    const failure = { kind: "tls", code, reason: "", certificate: null } as const;
    const fixes = findingsIn({ exchange: failed(failure) }).map(({ fix }) => fix);
    expect(fixes).toEqual([expect.stringContaining("wants a client certificate")]);
    expect(fixes[0]).not.toContain("--ca-cert");
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
    for (const [, kind, exchange] of cases) {
      const failure = failureOf({ outcome: judge(exchange, 10, unredacted), headline });
      expect(failure === null).toBe(kind !== "unreachable" && kind !== "timeout");
    }
  });
});
