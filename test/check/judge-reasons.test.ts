import { describe, expect, test } from "vitest";
import { judge } from "../../src/check/judge.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { type AnswerParts, failed, replied } from "../support/exchanges.ts";
import { unredacted } from "./found.ts";

/** The reason why a response with these parts is unexpected, if these are the secrets. */
function reason(parts: AnswerParts, ...secrets: readonly string[]) {
  const outcome = judge(replied(parts), 10, redactorOf(secrets));
  return outcome.kind === "unexpected" ? outcome.reason : null;
}

test.each([99, 199, 600])("status %i is malformed, and the reason names it", (status) => {
  expect(reason({ status })).toEqual({ kind: "malformed", problem: `Status ${status}` });
});

test.each([
  [299, "status"],
  [300, "redirect"],
  [399, "redirect"],
  [400, "status"],
])("status %i is judged as %s", (status, kind) => {
  expect(reason({ status, body: "{}" })).toEqual({ kind });
});

test.each([
  ["null", "it is JSON, but not an object"],
  ["[]", "it is JSON, but not an object"],
  ["7", "it is JSON, but not an object"],
  ['{"message":"Hi"}', "its code is missing or not an integer"],
  ['{"code":"200","message":"Hi"}', "its code is missing or not an integer"],
  ['{"code":200}', "its message is missing, empty or not text"],
  ['{"code":200,"message":""}', "its message is missing, empty or not text"],
  // The reason must not show such a code: it can hold a secret or has lost digits.
  ['{"code":71234,"message":"Hi"}', "its code is not 200"],
  ['{"code":9007199254740993,"message":"Hi"}', "its code is not 200"],
])("the success %s has a wrong shape: %s", (body, problem) => {
  expect(reason({ body }, "1234")).toEqual({ kind: "wrong-shape", problem });
});

test("a code other than 200 in a success is named", () => {
  expect(reason({ body: '{"code":401,"message":"No"}' })).toEqual({ kind: "contradiction", code: 401 });
});

describe("a coding that was not asked for", () => {
  test.each([
    ["identity, GZIP", "gzip"],
    ["br, gzip", "br"],
    ["ABCdef", "[secret]"],
    ["gzip, abcdef", "[secret]"],
  ])("%s is shown as %s", (field, encoding) => {
    expect(reason({ headers: { "content-encoding": field } }, "abcdef")).toEqual({
      kind: "encoded",
      encoding,
    });
  });
});

describe("a challenge of another", () => {
  test.each([
    ["Basic", "basic"],
    [["Basic", 'NTLM realm="x"'], "basic"],
    ["Abcdef", "[secret]"],
    ['Basic realm="abcdef"', "[secret]"],
    [["Basic", 'WSSE realm="abcdef"'], "[secret]"],
  ])("%j is shown as %s", (fields, scheme) => {
    const parts = { status: 401, headers: { "www-authenticate": fields } };
    expect(reason(parts, "abcdef")).toEqual({ kind: "foreign-challenge", scheme });
  });

  test("for a proxy is shown as such", () => {
    const parts = { status: 401, headers: { "proxy-authenticate": "WSSE" } };
    expect(reason(parts)).toEqual({ kind: "foreign-challenge", scheme: "proxy" });
  });
});

test("a refusal whose challenge cannot be read says so", () => {
  const parts = { status: 401, headers: { "www-authenticate": "WSSE realm=" + '"' } };
  const shown = "a WWW-Authenticate field that breaks the rules of HTTP";
  expect(reason(parts)).toEqual({ kind: "no-evidence", shown });
});

test.each([
  [{}, null],
  [{ "retry-after": "30" }, 30],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "71234" }, null],
])("an unavailable API with %j asks for a pause of %j s", (headers, retryAfterSeconds) => {
  const outcome = judge(replied({ status: 503, headers }), 10, redactorOf(["1234"]));
  expect(outcome).toMatchObject({ kind: "unavailable", retryAfterSeconds });
});

test("transport failures, malformed answers and deadlines blame nobody", () => {
  expect(judge(failed({ kind: "closed", code: "ECONNRESET", received: "part" }), 10, unredacted).kind).toBe(
    "unreachable",
  );
  const { trace } = replied({});
  const problem = "HPE_INVALID_CONSTANT";
  expect(judge({ kind: "malformed", problem, trace }, 10, unredacted)).toMatchObject({
    kind: "unexpected",
    reason: { kind: "malformed", problem },
  });
  expect(judge({ kind: "expired", phase: "headers", trace }, 2.5, unredacted)).toEqual({
    kind: "timeout",
    phase: "headers",
    seconds: 2.5,
  });
});
