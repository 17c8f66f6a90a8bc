import fc from "fast-check";
import { expect, test } from "vitest";
import { judge } from "../../src/check/judge.ts";
import type { BodyEnd } from "../../src/http/exchange.ts";
import { unredacted } from "../check/found.ts";
import { replied } from "../support/exchanges.ts";
import { numRuns } from "./runs.ts";

/** A part of a response, and whom it shows in the contract ("Exit codes", the paragraph on 401 and 403). */
type Part = readonly [text: string, shows: "the API" | "another" | "nobody"];
const showing = (shows: Part[1], ...texts: readonly string[]): fc.Arbitrary<Part> =>
  fc.constantFrom(...texts).map((text) => [text, shows]);

const body = fc.oneof(
  showing("the API", "", "{}", '{"code":401,"message":"No"}', ' {"error":[1]}\n'),
  showing(
    "nobody",
    ...["null", "[]", '[{"code":401}]', '"No"', "401", "true", '{"code":401', '{"a":1}{"b":2}', "\uFEFF{}"],
    ...["Unauthorized", "error code: 1020", " ", "<error/>", "<h1>No</h1>", "<title>x</title>"],
    ...["<html><title>Sign in</title></html>", '<?xml version="1.0"?><html xmlns="x"/>', "<!-- x --><p>"],
  ),
);

const ownSchemes = ["wsse", "usernametoken", "token", "x-auth-token"];
const inAnyCase = fc.mixedCase(fc.constantFrom(...ownSchemes));
const schemes = fc.oneof(
  inAnyCase,
  fc.constantFrom("Basic", "DPoP", "Mutual", "OAuth", "PrivateToken", "AWS4-HMAC-SHA256", "WSSE2", "x"),
  fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/),
);
const suffixes = ["", " ", " abc==", ' realm="a, Basic b"', " a=b,c=d", " , a=b", ' realm = "\\"", a=UTF-8'];
const challenges = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(schemes, fc.constantFrom(...suffixes))
      .map(
        ([scheme, suffix]): Part => [
          scheme + suffix,
          ownSchemes.includes(scheme.toLowerCase()) ? "the API" : "another",
        ],
      ),
  },
  {
    weight: 1,
    arbitrary: showing("another", 'WSSE realm="x', "WSSE a=b c=d", "WSSE, a=b", "=", 'Token "x"', "WSSE {}"),
  },
  { weight: 1, arbitrary: showing("nobody", "", ",", " , ,") },
);
const codings = fc.oneof(
  { weight: 6, arbitrary: showing("nobody", "identity", "chunked", "Chunked", "IDENTITY", "") },
  {
    weight: 1,
    arbitrary: showing("another", "gzip", "br", "deflate", "identityx", "chunked;q=1", '"identity"'),
  },
);

/** The fields of one name, sometimes: each is a list, which may have empty elements. */
const listsOf = (part: fc.Arbitrary<Part>): fc.Arbitrary<readonly Part[]> => {
  const comma = fc.constantFrom(",", ", ", " ,\t", ",,", ", ,");
  const list = fc.tuple(fc.array(part, { minLength: 1, maxLength: 3 }), comma).map(([parts, comma]): Part => {
    const shown = parts.map(([, shows]) => shows);
    const shows = (["another", "the API", "nobody"] as const).find((one) => shown.includes(one)) ?? "nobody";
    return [parts.map(([text]) => text).join(comma), shows];
  });
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(list, { maxLength: 2 }) },
  );
};

const response = fc.record({
  bodyEnd: fc.constantFrom<BodyEnd>("length", "chunked", "connection"),
  status: fc.constantFrom(401, 403),
  body,
  type: fc.constantFrom("application/json", "text/html; charset=iso-8859-1", "text/plain"),
  fields: fc.record({
    "www-authenticate": listsOf(challenges),
    "proxy-authenticate": listsOf(showing("another", "Basic", "")),
    "content-encoding": listsOf(codings),
    "transfer-encoding": listsOf(codings),
  }),
});

test("401 and 403 are a refusal only with the evidence that the contract names", () => {
  const seen = { rejected: 0, unexpected: 0 };
  const property = fc.property(response, ({ status, body: [text, shows], bodyEnd, type, fields }) => {
    const lists = Object.entries(fields).map(([name, parts]) => [name, parts.map(([text]) => text)] as const);
    const headers = { "content-type": type, ...Object.fromEntries(lists) };
    const shown = Object.values(fields).flatMap((parts) => parts.map(([, shows]) => shows));
    // An empty body is evidence only where the message says that it is empty.
    const isProved =
      (shows === "the API" && (text !== "" || bodyEnd !== "connection")) || shown.includes("the API");
    const expected = isProved && !shown.includes("another") ? "rejected" : "unexpected";
    seen[expected] += 1;
    expect(judge(replied({ status, bodyEnd, body: text, headers }), 10, unredacted).kind).toBe(expected);
  });
  fc.assert(property, { numRuns });
  // Both outcomes occurred, so that neither passes without a case.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(numRuns / 10);
});
