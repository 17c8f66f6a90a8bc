import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Outcome, UnexpectedReason } from "../../../src/check/outcome.ts";
import { type AnswerParts, failed, judged, replied } from "../../support/exchanges.ts";
import { outcomeOf } from "../../support/outcomes.ts";
import { accepted } from "./exchanges.ts";
import { explained, findingsIn, unredacted } from "./found.ts";
import { expectWords, type Words } from "./words.ts";

const checkBaseUrl = "Check the base URL (now set by the default): it may lead to";
const checkPath = "Check the path of the base URL (now set by the default)";
const refusal = "Check the credential (now set by the default): the code means a refusal";
const undocumented = "the API documents no response with this status (418)";
const json = "JSON with an undocumented status (418): it neither accepts nor refuses the credential";
const askOperator = "Read the message of the response; ask the API's operator what 418 means here";
const teapot = (parts: AnswerParts): AnswerParts => ({ status: 418, ...parts });
const typed = (type: string | readonly string[]): Pick<AnswerParts, "headers"> => ({
  headers: { "content-type": type },
});

/** Responses for each reason why one is not this API's. */
const unexpected = {
  malformed: [[{ status: 999 }, "the response is not valid HTTP (Status 999)", checkBaseUrl]],
  "too-large": [[{ truncated: true }, "the response is much larger than this API's", checkBaseUrl]],
  encoded: [[{ headers: { "content-encoding": "gzip" } }, "asked for no compression", "Ask the operator of"]],
  redirect: [
    [
      { status: 301 },
      "the credential was not sent to the new address",
      "Set the base URL (now set by the default) to the",
    ],
  ],
  "web-page": [
    [{ body: "<html>" }, "a web page answered, not the API (200)", checkBaseUrl],
    [{ status: 404, body: "<html>" }, "a web page answered, not the API (404)", checkPath],
  ],
  locked: [
    [
      { status: 423 },
      "the account may be locked (423): the API neither accepted nor refused the credential",
      "Wait, then try once",
    ],
    [{ status: 423, body: "{}" }, "neither accepted nor refused the credential", "Wait, then try once"],
  ],
  "foreign-challenge": [
    [
      { status: 401, headers: { "www-authenticate": "Basic" } },
      "something asks for other credentials (basic): a gateway, a proxy or the API itself; this proves nothing about the credential",
      "Check the base URL (now set by the default), and ask the API's operator who asks for basic",
    ],
  ],
  "no-evidence": [
    [
      { status: 403, body: "No", ...typed("text/plain") },
      "403 with plain text: nothing shows that the API itself answered, so this proves nothing about the credential",
      "Check the base URL (now set by the default), and ask the operator of the gateway",
    ],
  ],
  gateway: [
    [
      { status: 403, body: "{}", headers: { "x-kong-response-latency": "1" } },
      "Kong refused this request (403), not the API: this proves nothing about the credential",
      "Check the base URL (now set by the default), and ask the API's operator about the routes and plugins of Kong",
    ],
  ],
  "no-length": [
    [
      { status: 401, bodyEnd: "connection" },
      "the response has no length: it may have been cut off, so this proves nothing about the credential",
      "Ask the server's operator to send Content-Length: 0",
    ],
  ],
  cached: [
    [
      { status: 401, headers: { age: "2" } },
      "a cache answered (Age: 2), not the API: the response was made for another request",
      "Ask the operator of the cache to exclude /test-authentication",
    ],
  ],
  contradiction: [
    [{ body: '{"code":401}' }, "its status is 200, but its code is 401", refusal],
    [{ body: '{"code":403}' }, "its status is 200, but its code is 403", refusal],
    [{ body: '{"code":404}' }, "but its code is 404", "Ask the API's operator what this code means"],
  ],
  "not-found": [[{ status: 404 }, "there is nothing at this address (404)", checkPath]],
  "network-login": [
    [{ status: 511 }, "wants a login (511); the API was not reached", "Log in to this network"],
  ],
  status: [
    [teapot({ body: "No", ...typed("text/csv") }), undocumented, checkBaseUrl],
    [teapot({ body: "No", ...typed("text/jsonp") }), undocumented, checkBaseUrl],
    [teapot({ body: "No", ...typed([]) }), undocumented, checkBaseUrl],
    [teapot({ body: '{"code":418}', ...typed([]) }), json, askOperator],
    [teapot({ body: "No", ...typed("application/json") }), json, askOperator],
    [teapot({ body: "No", ...typed("application/problem+json") }), json, askOperator],
  ],
  empty: [[{}, "the response is empty (200)", checkBaseUrl]],
  "not-json": [
    [{ body: "No", ...typed("text/csv") }, "the response is not JSON (text/csv)", checkBaseUrl],
    [{ body: "No", ...typed([]) }, "the response is not JSON", checkBaseUrl],
  ],
  "wrong-shape": [
    [{ body: "[]" }, "the response is not this API's: it is JSON, but not an object", checkBaseUrl],
  ],
  // A diagnosis finds that the server accepts a request without credentials, not the judgement of one response.
} as const satisfies Record<
  Exclude<UnexpectedReason["kind"], "no-authentication">,
  ReadonlyArray<readonly [AnswerParts, ...Words]>
>;

describe.each(Object.entries(unexpected))("a response that is not this API's (%s)", (kind, rows) => {
  test.each<readonly [AnswerParts, ...Words]>(rows)("%j: %s", (parts, ...words) => {
    const exchange = replied(parts);
    expect(judged(exchange, 10, unredacted)).toMatchObject({ kind: "unexpected", reason: { kind } });
    expectWords({ exchange }, words);
  });
});

const failure = (status: number) => `the server failed (${status}) and did not check the credential`;
test.each<readonly [Outcome["kind"], AnswerParts, ...Words]>([
  [
    "rejected",
    { status: 401 },
    "the API refused this credential",
    "Compare the token (now set by the default) with the account's, and check that the account is active",
  ],
  [
    "rejected",
    { status: 403 },
    "the API refused this credential",
    "Compare the token (now set by the default) with the account's, and check that the account is active",
  ],
  ["unavailable", { status: 429 }, "too many requests (429): the API did not check the credential", "Wait a"],
  ["unavailable", { status: 500 }, failure(500), "Try again later"],
  ["unavailable", { status: 599 }, failure(599), "Try again later"],
])("a response that is %s, %j: %s", (kind, parts, ...words) => {
  const exchange = replied(parts);
  expect(judged(exchange, 10, unredacted).kind).toBe(kind);
  expectWords({ exchange }, words);
});

test.each<readonly [Outcome, ...Words]>([
  [outcomeOf["not-checked"], "No token is set", "Give a token"],
  [outcomeOf.failed, "This is a bug", "Please report it"],
  [
    { ...outcomeOf.unexpected, reason: { kind: "no-authentication" } },
    "the server accepts a request without credentials too: it does not check them",
    "Check the base URL (now set by the default): this endpoint may be a stand-in",
  ],
])("the outcome %j: %s", (outcome, ...words) => {
  expectWords({ exchange: failed({ step: "lookup" }), outcome }, words);
});

test("a success has a headline, and no finding", () => {
  expect(explained({ exchange: accepted() })).toEqual({
    headline: "the API accepted this credential",
    findings: [],
  });
});

test("every check that is not accepted has a finding, whatever is answered", () => {
  const answers = fc.record({
    status: fc.integer({ min: 100, max: 699 }),
    body: fc.constantFrom("", "{}", "<html><body>", "text", '{"code":200,"message":"Hi"}', '{"code":401}'),
    truncated: fc.boolean(),
  });
  fc.assert(
    fc.property(answers, (parts) => {
      const exchange = replied(parts);
      const found = findingsIn({ exchange });
      expect(found.length > 0).toBe(judged(exchange, 10, unredacted).kind !== "accepted");
    }),
  );
});
