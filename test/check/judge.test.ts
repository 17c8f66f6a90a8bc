import { describe, expect, test } from "vitest";
import { apiEvidence } from "../../src/check/judge.ts";
import { isJudgement, isRefusal } from "../../src/check/outcome.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { type AnswerParts, failed, failureOf, judged, replied } from "../support/exchanges.ts";
import { findingsIn, unredacted } from "./causes/found.ts";

/** How a response is judged: the outcome's kind, or the reason why it is unexpected. */
function verdict(parts: AnswerParts): string {
  const outcome = judged(replied(parts), 10, redactorOf(["abcdef"]));
  return outcome.kind === "unexpected" ? Object.values(outcome.reason).join(": ") : outcome.kind;
}

const page = "<!DOCTYPE html><html><title>Sign in</title></html>";
const typed = (type: string | readonly string[], body: AnswerParts["body"] = success): AnswerParts => ({
  body,
  headers: { "content-type": type },
});
const html = (body: AnswerParts["body"]) => typed("text/html; charset=utf-8", body);
const coded = (coding: string): AnswerParts => ({ body: success, headers: { "content-encoding": coding } });
const asking = (...challenges: readonly string[]): AnswerParts => ({
  headers: { "www-authenticate": challenges },
});
const success = '{"code":200,"message":"Hello"}';
const noCode = "wrong-shape: its JSON has no whole number `code`";
const noMessage = "wrong-shape: its message is missing, empty or not text";
const fromCache = { "x-cache": "HIT" };
const notAnObject = "wrong-shape: it is JSON, but not an object";

type Row = readonly [parts: AnswerParts, expected: string];

// test/check/read/response.test.ts has the codings, test/check/read/body.test.ts what a page is.
const successes: readonly Row[] = [
  [{ body: ` \n${success}\n` }, "accepted"],
  [{ body: `\uFEFF${success}` }, "accepted"],
  [html(success), "accepted"],
  [typed([]), "accepted"],
  [coded("identity, GZIP"), "encoded: gzip"],
  [coded("ABCdef"), "encoded: [secret]"],
  [{ body: '{"message":"Hi"}' }, noCode],
  [{ body: '{"code":"200","message":"Hi"}' }, noCode],
  [{ body: '{"code":200.5,"message":"Hi"}' }, noCode],
  [{ body: '{"code":200,"message":""}' }, noMessage],
  [{ body: '{"code":200,"message":["Hi"]}' }, noMessage],
  [{ body: "null" }, notAnObject],
  [{ body: `[${success}]` }, notAnObject],
  [{ body: '{"code":401,"message":"No"}' }, "contradiction: 401"],
  // The reason must not show a code that has lost digits.
  [{ body: '{"code":9007199254740993,"message":"Hi"}' }, "wrong-shape: its code is not 200"],
  [{ body: `${success}x` }, "not-json"],
  [{ body: Buffer.from('{"code":200,"message":"\xff"}', "latin1") }, "not-json"],
  [{}, "empty"],
  [{ body: page }, "web-page"],
  [html(Buffer.from([0xff, 0x3c])), "web-page"],
  [{ body: success, truncated: true }, "too-large"],
  [{ body: success, headers: fromCache }, "cached: x-cache: HIT"],
  [{ headers: fromCache }, "empty"],
];

const fromGateway = { "x-amzn-requestid": "1", "x-amzn-errortype": "ForbiddenException" };
const cutOff = { bodyEnd: "connection" } as const;
const noEvidence = (shown: string) => `no-evidence: ${shown}`;

// test/properties/refusal.test.ts says which of these are refusals, for every combination of their parts. Here is why others are none.
const refusals: readonly Row[] = [
  [{ body: '{"code":401,"message":"No"}' }, "rejected"],
  [cutOff, noEvidence("no body and no length")],
  [{ body: "{}  ", truncated: true }, "too-large"],
  [{ ...asking("Token"), body: "{", truncated: true }, "rejected"],
  [{ ...asking("Custom"), body: "{}" }, "foreign-challenge: custom"],
  [asking("Basic", 'WSSE realm="abcdef"'), "foreign-challenge: [secret]"],
  [asking('WSSE realm="x'), noEvidence("a WWW-Authenticate field that breaks the rules of HTTP")],
  [{ headers: { "proxy-authenticate": "" } }, "foreign-challenge: proxy"],
  [{ headers: { "transfer-encoding": "gzip, chunked", "www-authenticate": "WSSE" } }, "encoded: gzip"],
  [{ ...html(page), truncated: true }, noEvidence("a web page")],
  [{ body: '[{"code":401}]' }, noEvidence("JSON that is not an object")],
  [typed([], "words"), noEvidence("a body that is not JSON")],
  [{ body: "{}", headers: fromCache }, "cached: x-cache: HIT"],
  [
    { body: "{}", headers: fromGateway },
    "gateway: AWS API Gateway: X-Amzn-ErrorType: ForbiddenException: api",
  ],
  [{ body: "{}", headers: { ...fromGateway, "www-authenticate": "WSSE" } }, "rejected"],
];

const others: readonly Row[] = [
  ...[99, 199, 600].map((status): Row => [{ status }, `malformed: Status ${status}`]),
  ...[204, 304, 400, 404, 407, 409, 423].map((status): Row => [{ status, body: "{}" }, "status"]),
  ...[300, 302, 399].map((status): Row => [{ ...html(page), status }, "redirect: false"]),
  ...[408, 429, 500, 502, 599].map((status): Row => [{ ...html(page), status }, "unavailable"]),
  [{ status: 303, headers: { location: "/login" } }, "redirect: false"],
  [{ ...html(page), status: 404 }, "web-page"],
  [{ status: 407, headers: { "proxy-authenticate": "Basic" } }, "status"],
  [{ ...html(page), status: 423 }, "status"],
  [{ ...coded("gzip"), status: 503 }, "unavailable"],
  [{ ...coded("gzip"), status: 302 }, "redirect: false"],
  [{ ...html(page), status: 511 }, "status"],
];

test.each(successes)("status 200, %j: %s", (parts, expected) => {
  expect(verdict(parts)).toBe(expected);
});

describe.each([401, 403])("status %i", (status) => {
  test.each(refusals)("%j: %s", (parts, expected) => {
    expect(verdict({ status, ...parts })).toBe(expected);
  });
});

test.each(others)("%j: %s", (parts, expected) => {
  expect(verdict(parts)).toBe(expected);
});

test("a code that holds a secret is not shown", () => {
  const outcome = judged(replied({ body: '{"code":71234,"message":"Hi"}' }), 10, redactorOf(["1234"]));
  expect(outcome).toMatchObject({ kind: "unexpected", response: { code: null, message: "Hi" } });
});

const fields = { location: "/login", "www-authenticate": "WSSE", server: "nginx", via: "1.1 proxy" };
const beside = ["location", "challenges", "reason"];
const programs = [...beside, "server", "via"];
test.each<[AnswerParts, quoted: readonly string[]]>([
  [{ body: success }, []],
  [{ status: 401, body: '{"error":"No"}' }, beside],
  [{ status: 401 }, programs],
  [{ status: 400, body: '{"code":400,"message":"No"}' }, beside],
  [{ status: 503, body: '{"code":503,"message":"No"}' }, beside],
  [{ status: 400, body: '{"code":400,"message":"No"}', headers: fromGateway }, programs],
  [{ status: 400, body: '{"code":400,"detail":"No"}' }, programs],
  [{ status: 400, body: '{"message":"No"}' }, programs],
])("beside its message, a response of %j is quoted in %j", (parts, quoted) => {
  const answer = { reason: "So it is", ...parts, headers: { ...fields, ...parts.headers } };
  const { response } = { response: null, ...judged(replied(answer), 10, unredacted) };
  const shown = programs.filter((name) => (Reflect.get(response ?? {}, name) ?? []).length > 0);
  expect(shown).toEqual(quoted);
});

test("only 200 is accepted, and only 401 and 403 blame the credential, whatever the type, challenge and body", () => {
  const statuses = { accepted: new Set<number>(), rejected: new Set<number>() };
  const all = [...successes, ...refusals];
  for (let status = 200; status < 600; status += 1) {
    for (const [parts] of [200, 201, 400, 401, 403, 407, 500].includes(status) ? all : refusals.slice(0, 5)) {
      const kind = verdict({ ...parts, status });
      if (kind === "accepted" || kind === "rejected") statuses[kind].add(status);
    }
  }
  expect(statuses).toEqual({ accepted: new Set([200]), rejected: new Set([401, 403]) });
});

test.each([{ body: "No" }, { body: "[]" }, { body: "<html>" }])(
  "a refusal without evidence, %j, names all that would be, and has none of it",
  (parts) => {
    const [finding] = findingsIn({ exchange: replied({ ...parts, status: 403 }) });
    const [has, wanted] = finding?.message.split("; evidence would be ") ?? [];
    const evidence = apiEvidence.map(({ words }) => words);
    expect(wanted?.split(", or ")).toEqual(evidence);
    expect(evidence).not.toContain(has?.replace("the response has ", ""));
  },
);

test("transport failures, malformed answers and deadlines blame nobody", () => {
  const { trace } = replied({});
  const failure = failureOf({ step: "response", code: "EOF", received: "part" });
  expect(judged(failed(failure), 10, unredacted)).toEqual({ kind: "unreachable", failure });
  const reason = { kind: "malformed", problem: "a problem" } as const;
  expect(
    judged({ kind: "malformed", broken: { ...reason, bytes: Buffer.alloc(0) }, trace }, 10, unredacted),
  ).toEqual({
    kind: "unexpected",
    response: null,
    reason,
  });
  const late = { ...failure, code: null };
  expect(judged(failed(late), 2.5, unredacted)).toEqual({ kind: "timeout", failure: late, seconds: 2.5 });
});

// People compare a credential that may have been judged, so its length and end are shown; a diagnosis tries what was refused.
const json = "{}";
test.each<[AnswerParts, isJudged: boolean, isRefused: boolean]>([
  [{ status: 401 }, true, true],
  [{ status: 403, body: "No", headers: { "content-type": "text/plain" } }, true, true],
  [{ status: 403, body: json, headers: { "x-kong-response-latency": "1" } }, true, true],
  [{ status: 401, bodyEnd: "connection" }, true, true],
  [{ status: 400, body: json }, true, false],
  [{ status: 422, body: json }, true, false],
  [{ status: 423, body: json }, true, false],
  [{ status: 409, body: json }, false, false],
  [{ status: 404 }, false, false],
  [{ status: 401, headers: fromCache }, false, false],
  [{ status: 302, headers: { location: "/login" } }, true, false],
  [{ status: 302, headers: { location: "/v2/test-authentication" } }, false, false],
  [{ status: 503 }, false, false],
  [{ body: success }, false, false],
])("%j may judge the credential: %s, and refuse it: %s", (parts, isJudged, isRefused) => {
  const outcome = judged(replied(parts), 10, unredacted);
  expect([isJudgement(outcome), isRefusal(outcome)]).toEqual([isJudged, isRefused]);
});
