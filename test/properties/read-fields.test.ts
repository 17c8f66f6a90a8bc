import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordOf } from "../../src/check/observer.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { explained } from "../check/causes/found.ts";
import { type AnswerParts, judged, replied } from "../support/exchanges.ts";
import { writings, writtenWith } from "./echoes.ts";
import { numRuns } from "./runs.ts";

const html = (body: string, status = 200): AnswerParts => ({
  status,
  headers: { "content-type": "text/html" },
  body,
});
/** Text in a header field, which carries bytes. */
const field = (text: string): string => Buffer.from(text).toString("latin1");
const refusedBy = (name: string, value: string, status = 401): AnswerParts => ({
  status,
  headers: { [name]: field(value) },
  body: '{"code":401}',
});
const moved = (location: string): AnswerParts => refusedBy("location", location, 302);

/** Each place in which a rule may show a text of a response; the last says that a harmless word is shown. */
const places: Readonly<Record<string, readonly [(text: string) => AnswerParts, isShown: boolean]>> = {
  "the path of a redirect": [(text) => moved(`/login/${text}`), true],
  "the path of a redirect to another port": [(text) => moved(`https://api.example.com:1/${text}`), true],
  "the host of a redirect": [(text) => moved(`https://${text}`), true],
  "user info of a redirect": [(text) => moved(`https://${text}@other.example/`), false],
  "the query of a redirect": [(text) => moved(`/login?${text}`), false],
  "a title": [(text) => html(`<html><title>${text}</title>`), true],
  "a title that ends in the text": [(text) => html(`<title>Sign in ${text}`), true],
  "the text of a page": [(text) => html(`<p>${text}</p>`, 404), true],
  "other text": [(text) => ({ status: 403, body: `No ${text}` }), true],
  "a message": [(text) => ({ status: 401, body: JSON.stringify({ message: text }) }), true],
  "a message that is not escaped": [(text) => ({ status: 401, body: `{"message":"${text}"}` }), true],
  "a nested message": [
    (text) => ({ status: 400, body: JSON.stringify({ errors: [{ detail: text }] }) }),
    true,
  ],
  "a challenge": [(text) => refusedBy("www-authenticate", text), false],
  "a challenge's parameter": [(text) => refusedBy("www-authenticate", `Basic realm="${text}"`), false],
  "a mark of a cache": [(text) => refusedBy("x-cache", `HIT ${text}`), true],
  "a request's id": [(text) => refusedBy("x-request-id", text), true],
  "a media type": [(text) => refusedBy("content-type", `text/${text}`, 404), false],
  "a coding": [(text) => refusedBy("content-encoding", text), false],
  "any other field": [(text) => refusedBy("x-other", text), true],
};

/** All that is said of a response, in text and JSON, with its record. */
function saidOf(parts: AnswerParts, secrets: readonly string[]): string {
  const exchange = replied(parts);
  const redact = redactorOf([]).and(secrets, 500);
  const url = new URL("https://api.example.com/test-authentication");
  return JSON.stringify([
    explained({ exchange, redact, url: url.href }),
    judged(exchange, 10, redact),
    recordOf({ sent: [], exchange }, url, redact),
  ]);
}

const half = fc.string({ unit: fc.constantFrom(..."QXZJKVWqxzjkvw2345789"), minLength: 8, maxLength: 12 });
const between = fc.constantFrom(
  "\\",
  "?",
  "#",
  "/./",
  "/../",
  "<",
  ",",
  ";",
  '"',
  " ",
  "@",
  "%",
  "&",
  "://",
  '","a":"',
);
const { "behind 490 other characters": _, ...usual } = writings;

test("no part of a secret is shown, whatever it holds, wherever it stands and however it is encoded", () => {
  fc.assert(
    fc.property(
      fc.tuple(half, between, half),
      fc.constantFrom(...Object.keys(places)),
      fc.uniqueArray(fc.constantFrom(...Object.keys(usual)), { maxLength: 3 }),
      fc.constantFrom("", "", "%", "\\"),
      fc.boolean(),
      ([first, sign, second], place, writing, before, hasShort) => {
        const secret = first + sign + second;
        const text = writtenWith(writing, secret);
        const parts = places[place]?.[0](before + text) ?? {};
        const said = saidOf(parts, hasShort ? [first, secret] : [secret]).toLowerCase();
        for (const part of [text, JSON.stringify(text).slice(1, -1), first, second])
          expect(said).not.toContain(part.toLowerCase());
      },
    ),
    { numRuns: 5 * numRuns },
  );
});

describe("a harmless text is shown", () => {
  test.each(Object.entries(places))("in %s", (_, [parts, isShown]) => {
    const said = saidOf(parts("harmless"), ["Zq8XvK2m/../Geheim"]);
    expect(said).toContain(isShown ? "harmless" : '"headline"');
  });
});
