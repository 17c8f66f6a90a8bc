import { describe, expect, test } from "vitest";
import { judge } from "../../src/check/judge.ts";
import type { Outcome } from "../../src/check/outcome.ts";
import { type AnswerParts, replied } from "../support/exchanges.ts";
import { unredacted } from "./found.ts";

const success = '{"code":200,"message":"Hello"}';
const page = "<!DOCTYPE html><html><title>Sign in</title></html>";
const html = { "content-type": "text/html; charset=utf-8" };

/** The outcome's kind, and for an unexpected one its surprise. */
function verdict(outcome: Outcome): string {
  return outcome.kind === "unexpected" ? `unexpected: ${outcome.reason.kind}` : outcome.kind;
}

type Row = readonly [string, AnswerParts, string];

const successes: readonly Row[] = [
  ["the specified object", { body: success }, "accepted"],
  ["more keys than specified", { body: '{"code":200,"message":"Hi","extra":[1]}' }, "accepted"],
  [
    "a charset parameter",
    { body: success, headers: { "content-type": "application/json; charset=utf-8" } },
    "accepted",
  ],
  ["the object labelled as a web page", { body: success, headers: html }, "accepted"],
  ["no content type", { body: success, headers: { "content-type": [] } }, "accepted"],
  ["identity as the encoding", { body: success, headers: { "content-encoding": "identity" } }, "accepted"],
  ["white space around the object", { body: ` \n${success}\n` }, "accepted"],
  ["code as a string", { body: '{"code":"200","message":"Hi"}' }, "unexpected: wrong-shape"],
  ["code 401", { body: '{"code":401,"message":"No"}' }, "unexpected: contradiction"],
  ["no code", { body: '{"message":"Hi"}' }, "unexpected: wrong-shape"],
  ["a fractional code", { body: '{"code":200.5,"message":"Hi"}' }, "unexpected: wrong-shape"],
  ["an empty message", { body: '{"code":200,"message":""}' }, "unexpected: wrong-shape"],
  ["a message that is no text", { body: '{"code":200,"message":["Hi"]}' }, "unexpected: wrong-shape"],
  ["an array", { body: `[${success}]` }, "unexpected: wrong-shape"],
  ["invalid JSON", { body: `${success}x` }, "unexpected: not-json"],
  ["invalid UTF-8", { body: Buffer.from('{"code":200,"message":"\xff"}', "latin1") }, "unexpected: not-json"],
  ["a byte order mark", { body: `\uFEFF${success}` }, "unexpected: not-json"],
  ["an empty body", {}, "unexpected: empty"],
  ["a web page", { body: page, headers: html }, "unexpected: web-page"],
  ["a web page labelled as JSON", { body: page }, "unexpected: web-page"],
  ["a web page behind a comment", { body: `<!-- x --> ${page}` }, "unexpected: web-page"],
  [
    "bytes that are no text, labelled as a web page",
    { body: Buffer.from([0xff, 0x3c]), headers: html },
    "unexpected: web-page",
  ],
  ["gzip", { body: success, headers: { "content-encoding": "gzip" } }, "unexpected: encoded"],
  [
    "gzip as a second field",
    { body: success, headers: { "content-encoding": ["identity", "gzip"] } },
    "unexpected: encoded",
  ],
  [
    "gzip before chunked",
    { body: success, headers: { "transfer-encoding": "gzip, chunked" } },
    "unexpected: encoded",
  ],
  ["chunked", { body: success, headers: { "transfer-encoding": ", Chunked," } }, "accepted"],
  ["more than is read", { body: success, truncated: true }, "unexpected: too-large"],
];

const refusals: readonly Row[] = [
  ["JSON", { body: '{"code":401,"message":"No"}' }, "rejected"],
  ["an empty body with a length", {}, "rejected"],
  ["an empty body in chunks", { bodyEnd: "chunked" }, "rejected"],
  ["an empty body that ends with the connection", { bodyEnd: "connection" }, "unexpected: no-length"],
  ["JSON that ends with the connection", { body: "{}", bodyEnd: "connection" }, "rejected"],
  [
    "a challenge of the API's own, and a body that ends with the connection",
    { bodyEnd: "connection", headers: { "www-authenticate": "WSSE" } },
    "rejected",
  ],
  ["a body without an end", { body: "{", truncated: true }, "unexpected: too-large"],
  [
    "a challenge of the API's own, and a body without an end",
    { body: "{", truncated: true, headers: { "www-authenticate": "Token" } },
    "rejected",
  ],
  [
    "plain text",
    { body: "Unauthorized", headers: { "content-type": "text/plain" } },
    "unexpected: no-evidence",
  ],
  ["XML", { body: "<error/>", headers: { "content-type": "text/xml" } }, "unexpected: no-evidence"],
  ["a JSON array", { body: '[{"code":401}]' }, "unexpected: no-evidence"],
  ["a web page and a WSSE challenge", { body: page, headers: { "www-authenticate": "WSSE" } }, "rejected"],
  [
    "a WSSE challenge",
    { headers: { "www-authenticate": 'WSSE realm="a, b", profile="UsernameToken"' } },
    "rejected",
  ],
  [
    "a challenge of no known scheme",
    { headers: { "www-authenticate": "Custom" } },
    "unexpected: foreign-challenge",
  ],
  [
    "WSSE beside Basic",
    { headers: { "www-authenticate": ['Basic realm="x"', "WSSE"] } },
    "unexpected: foreign-challenge",
  ],
  [
    "WSSE beside Basic in one field",
    { headers: { "www-authenticate": 'Basic realm="x, y", WSSE realm="z"' } },
    "unexpected: foreign-challenge",
  ],
  [
    "a realm that names a scheme",
    { headers: { "www-authenticate": 'WSSE realm="use, Basic auth"' } },
    "rejected",
  ],
  [
    "a challenge that cannot be parsed",
    { headers: { "www-authenticate": 'WSSE realm="x' } },
    "unexpected: no-evidence",
  ],
  ["a web page", { body: page, headers: html }, "unexpected: no-evidence"],
  [
    "a Basic challenge",
    { headers: { "www-authenticate": 'Basic realm="gateway"' } },
    "unexpected: foreign-challenge",
  ],
  [
    "a Negotiate challenge",
    { headers: { "www-authenticate": "Negotiate" } },
    "unexpected: foreign-challenge",
  ],
  [
    "NTLM as a second field",
    { headers: { "www-authenticate": ["Custom", "NTLM"] } },
    "unexpected: foreign-challenge",
  ],
  ["a proxy's challenge", { headers: { "proxy-authenticate": "Basic" } }, "unexpected: foreign-challenge"],
  [
    "a proxy's challenge beside the API's",
    { headers: { "www-authenticate": "WSSE", "proxy-authenticate": "Basic" } },
    "unexpected: foreign-challenge",
  ],
  ["gzip", { headers: { "content-encoding": "gzip" } }, "unexpected: encoded"],
  [
    "gzip, and a challenge of the API's own",
    { headers: { "transfer-encoding": "gzip, chunked", "www-authenticate": "WSSE" } },
    "unexpected: encoded",
  ],
];

const others: readonly Row[] = [
  ["204", { status: 204 }, "unexpected: status"],
  ["206 with the object", { status: 206, body: success }, "unexpected: status"],
  ["301", { status: 301, headers: { location: "/x" } }, "unexpected: redirect"],
  ["302 with a web page", { status: 302, body: page, headers: html }, "unexpected: redirect"],
  ["400 with JSON", { status: 400, body: '{"code":400,"message":"Bad"}' }, "unexpected: status"],
  ["404", { status: 404 }, "unexpected: not-found"],
  ["404 as a web page", { status: 404, body: page, headers: html }, "unexpected: web-page"],
  ["407", { status: 407, headers: { "proxy-authenticate": "Basic" } }, "unexpected: status"],
  // A timeout of the server that waited for the request; the contract has 429 and 5xx alone as unavailable.
  ["408", { status: 408 }, "unexpected: status"],
  ["429", { status: 429 }, "unavailable"],
  ["502 as a web page", { status: 502, body: page, headers: html }, "unavailable"],
  [
    "511, a network that wants a login",
    { status: 511, body: page, headers: html },
    "unexpected: network-login",
  ],
  ["599", { status: 599 }, "unavailable"],
  ["999", { status: 999 }, "unexpected: malformed"],
];

describe("status 200", () => {
  test.each(successes)("with %s is judged rightly", (_, parts, expected) => {
    expect(verdict(judge(replied(parts), 10, unredacted))).toBe(expected);
  });
});

describe.each([401, 403])("status %i", (status) => {
  test.each(refusals)("with %s is judged rightly", (_, parts, expected) => {
    expect(verdict(judge(replied({ status, ...parts }), 10, unredacted))).toBe(expected);
  });
});

describe("status", () => {
  test.each(others)("%s is judged rightly", (_, parts, expected) => {
    expect(verdict(judge(replied(parts), 10, unredacted))).toBe(expected);
  });
});

test("only 401 and 403 can blame the credential, whatever the type, challenge and body", () => {
  const blamed = new Set<number>();
  for (let status = 200; status < 600; status += 1) {
    for (const [, parts] of [...successes, ...refusals]) {
      const { kind } = judge(replied({ ...parts, status }), 10, unredacted);
      if (kind === "rejected") blamed.add(status);
      expect(kind === "accepted" && status !== 200).toBe(false);
    }
  }
  expect([...blamed]).toEqual([401, 403]);
});
