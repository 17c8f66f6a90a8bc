import fc from "fast-check";
import { expect, test } from "vitest";
import { judge } from "../../src/check/judge.ts";
import type { BodyEnd } from "../../src/http/exchange.ts";
import { unredacted } from "../check/found.ts";
import { replied } from "../support/exchanges.ts";
import { numRuns } from "./runs.ts";

/** A part of a response, and its meaning in the contract ("Exit codes", the paragraph on 401 and 403). */
interface Part {
  readonly text: string;
  /** Evidence that the API itself answered. */
  readonly evidence?: true;
  /** Evidence that somebody else answered. */
  readonly foreign?: true;
}

const plain = (...texts: readonly string[]): readonly Part[] => texts.map((text) => ({ text }));
const evidence = (...texts: readonly string[]): readonly Part[] =>
  texts.map((text) => ({ text, evidence: true }));
const foreign = (...texts: readonly string[]): readonly Part[] =>
  texts.map((text) => ({ text, foreign: true }));

const bodies: readonly Part[] = [
  ...evidence("", "{}", '{"code":401,"message":"No"}', ' {"error":[1]}\n'),
  ...plain(
    "null",
    "[]",
    '[{"code":401}]',
    '"No"',
    "401",
    "true",
    '{"code":401',
    '{"a":1}{"b":2}',
    "\uFEFF{}",
  ),
  ...plain("Unauthorized", "error code: 1020", " ", "<error/>", "<h1>No</h1>", "<title>x</title>"),
  ...plain("<html><title>Sign in</title></html>", '<?xml version="1.0"?><html xmlns="x"/>', "<!-- x --><p>"),
  ...plain("<html><title>Zugriff verweigert für alle</title>"),
];

const schemes = fc.oneof(
  fc.constantFrom(...["WSSE", "UsernameToken", "Token", "X-Auth-Token"]).chain(anyCase),
  fc.constantFrom("Basic", "DPoP", "Mutual", "OAuth", "PrivateToken", "AWS4-HMAC-SHA256", "WSSE2", "x"),
  fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/),
);

function anyCase(text: string): fc.Arbitrary<string> {
  return fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((flags) =>
      [...text].map((one, index) => (flags[index] ? one.toUpperCase() : one.toLowerCase())).join(""),
    );
}

const isOwn = (scheme: string): boolean =>
  ["wsse", "usernametoken", "token", "x-auth-token"].includes(scheme.toLowerCase());

const suffixes = [
  "",
  " ",
  " abc==",
  ' realm="a, Basic b"',
  " a=b,c=d",
  " , a=b",
  ' realm = "\\"", charset=UTF-8',
];
const challenge = fc
  .record({ scheme: schemes, suffix: fc.constantFrom(...suffixes) })
  .map(
    ({ scheme, suffix }): Part =>
      isOwn(scheme) ? { text: scheme + suffix, evidence: true } : { text: scheme + suffix, foreign: true },
  );
const broken = fc.constantFrom(
  ...foreign('WSSE realm="x', "WSSE a=b c=d", "WSSE, a=b", "=", 'Token "x"', "WSSE; a=b", "WSSE {}"),
);
const challenges = fc.oneof(
  { weight: 5, arbitrary: challenge },
  { weight: 1, arbitrary: broken },
  { weight: 1, arbitrary: fc.constantFrom(...plain("", ",", " , ,")) },
);

/** One field, whose list has empty elements here and there. */
function fieldOf(parts: readonly Part[], empty: string): Part {
  return {
    text: parts.map(({ text }) => text).join(empty),
    ...(parts.some((part) => part.evidence) && { evidence: true }),
    ...(parts.some((part) => part.foreign) && { foreign: true }),
  };
}

const lists = (part: fc.Arbitrary<Part>): fc.Arbitrary<readonly Part[]> =>
  fc.array(
    fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom(",", ", ", " ,\t", ",,", ", ,"))
      .map(([parts, comma]) => fieldOf(parts, comma)),
    { maxLength: 2 },
  );
const codings = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...plain("identity", "chunked", "Chunked", "IDENTITY", "")) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...foreign("gzip", "br", "x", "deflate", "identityx", "chunked;q=1", '"identity"'),
    ),
  },
);

const sometimes = <Value>(arbitrary: fc.Arbitrary<readonly Value[]>): fc.Arbitrary<readonly Value[]> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary });

const answers = fc.record({
  bodyEnd: fc.constantFrom<BodyEnd>("length", "chunked", "connection"),
  status: fc.constantFrom(401, 403),
  body: fc.oneof(fc.constantFrom(...bodies.filter((body) => body.evidence)), fc.constantFrom(...bodies)),
  type: fc.constantFrom("application/json", "text/html; charset=iso-8859-1", "text/plain"),
  authenticate: sometimes(lists(challenges)),
  proxy: sometimes(fc.constant(foreign("Basic", ""))),
  contentEncoding: sometimes(lists(codings)),
  transferEncoding: sometimes(lists(codings)),
});

const seen = new Map<string, number>();

test("401 and 403 are a refusal only with the evidence that the contract names", () => {
  fc.assert(
    fc.property(
      answers,
      ({ status, body, bodyEnd, type, authenticate, proxy, contentEncoding, transferEncoding }) => {
        const texts = (parts: readonly Part[]): readonly string[] => parts.map(({ text }) => text);
        const exchange = replied({
          status,
          bodyEnd,
          body: body.text.includes("für") ? Buffer.from(body.text, "latin1") : body.text,
          headers: {
            "content-type": type,
            "www-authenticate": texts(authenticate),
            "proxy-authenticate": texts(proxy),
            "content-encoding": texts(contentEncoding),
            "transfer-encoding": texts(transferEncoding),
          },
        });

        const fields = [...authenticate, ...proxy, ...contentEncoding, ...transferEncoding];
        // An empty body is evidence only where the message says that it is empty.
        const isShown = body.text !== "" || bodyEnd !== "connection";
        const proved = (isShown && body.evidence) || authenticate.some((part) => part.evidence);
        const refuted = fields.some((part) => part.foreign);
        const expected = proved && !refuted ? "rejected" : "unexpected";
        seen.set(expected, (seen.get(expected) ?? 0) + 1);
        expect(judge(exchange, 10, unredacted).kind).toBe(expected);
      },
    ),
    { numRuns },
  );
  // Both outcomes occurred, so that neither passes without a case.
  for (const kind of ["rejected", "unexpected"]) expect(seen.get(kind) ?? 0).toBeGreaterThan(numRuns / 10);
});
