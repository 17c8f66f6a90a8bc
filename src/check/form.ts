// Measures how a credential is written: its length, its first character that does not belong, and what comes out of one decoding.
// Nothing here knows who writes so, and no character of a value is told.

import { backslashes, percent, references, utf8 } from "../redaction/decode.ts";
import { describeLength } from "../settings/secret.ts";

/** A text without the end of line that files have. */
const inLine = (text: string): string => text.replace(/\r?\n$/, "");

/** Control characters, and U+FFFD, which stands for bytes that are not UTF-8. */
const notPrintable = /[^ -~\xa0-\ufffc]/;

/** Decodes base64 or base64url, with or without padding. Returns any other text as it is. */
function base64(text: string): string {
  const digits = text.replace(/={1,2}$/, "");
  const bytes = Buffer.from(digits, "base64");
  // Node decodes any text to some bytes. It was base64 only if encoding them gives the same text.
  const isWritten = (["base64", "base64url"] as const).some(
    (form) => bytes.toString(form).replace(/={1,2}$/, "") === digits,
  );
  return isWritten ? inLine(bytes.toString()) : text;
}

const fromPercent = (text: string): string => inLine(utf8(percent(text)));

/** Each returns a text that is not written in its way as it is. A text behind `$$` or in quotation marks needs no decoder. */
const decoders: ReadonlyArray<readonly [name: string, (text: string) => string]> = [
  ["base64", base64],
  ["percent-encoding", fromPercent],
  ["HTML", references],
  ["JSON escapes", backslashes],
];

const quotationMarks = [`""`, "''", "``", "“”", "„“", "‘’", "«»"];

/** What stands between the same quotation marks at both ends; the text itself without them. */
const unquoted = (text: string): string =>
  text.length > 2 && quotationMarks.includes(`${text[0]}${text.at(-1)}`) ? text.slice(1, -1) : text;

const documentedLength = 40;
const documentedInside = /(?<![\da-f])[\da-f]{40}(?![\da-f])/i;

/** The token of the documented form that stands inside another text, as it is or after one decoding; null if there is none. */
function tokenIn(token: string) {
  // No decoding makes a text longer.
  if (token.length <= documentedLength) return null;
  for (const [name, read] of [[null, (text: string) => text] as const, ...decoders]) {
    const match = documentedInside.exec(read(token));
    if (match === null) continue;
    const [text] = match;
    const of = name === null ? "" : ` of its text decoded from ${name}`;
    const part = `places ${match.index + 1} to ${match.index + text.length}${of}`;
    return { found: `holds a token of the documented form at ${part}`, part, text };
  }
  return null;
}

// A shorter text in base64 gives printable text by chance, as a word may.
const shortestBase64 = 12;

/** Whether a text has only characters of a URL, and escapes for all others and no more. */
const isPercentEncoded = (text: string): boolean =>
  /^(?:[\w.~-]|%[\da-f]{2})+$/i.test(text) &&
  (text.match(/%../g) ?? []).every((sign) => !/[\w.~-]/.test(percent(sign)));

/** The secret without its quotation marks, or decoded as a whole where that gives printable text; null if it is written in no such way. */
function secretIn(secret: string): ReturnType<typeof tokenIn> {
  const inside = unquoted(secret);
  if (inside !== secret)
    return {
      found: "has the same quotation marks at both ends",
      part: "its text between the quotation marks",
      text: inside,
    };
  const ways = [
    ["base64", base64, secret.length >= shortestBase64],
    ["percent-encoding", fromPercent, isPercentEncoded(secret)],
  ] as const;
  for (const [name, read, mayBe] of ways) {
    const text = read(secret);
    if (mayBe && text !== secret && text !== "" && !notPrintable.test(text))
      return { found: `is ${name} of printable text`, part: `its text decoded from ${name}`, text };
  }
  return null;
}

/**
 * The text that was perhaps meant in place of a token or secret; null if it can be read in no other way. `found` follows the word "it";
 * `part` names the part of the value.
 */
export const readingOf = { token: tokenIn, secret: secretIn } as const;

/** How long a token is, and the place of its first character that is no hexadecimal digit, to follow "the token has". */
export function measuredForm(token: string): string {
  const odd = [...token].findIndex((one) => !/[\da-f]/i.test(one)) + 1;
  return `${describeLength(token)}, ${odd === 0 ? "all" : "the first that is no"} hexadecimal digit${odd === 0 ? "s" : ` at place ${odd}`}`;
}

/** What follows a name or a scheme: the first equals sign or colon, or a first word. For URLs see `partsOf` in credential.ts. */
function behindName(text: string): string {
  const named = text.includes("://") ? "" : text.slice(text.search(/[=:]/) + 1).trimStart();
  return named !== "" && named !== text ? named : (/^\S+\s+(["'].*|\S+)$/s.exec(text)?.[1] ?? text);
}

/** A text without quotation marks and backslashes before it, or these and closing signs behind it. */
const withoutSigns = (text: string): string =>
  text.replace(/^[\\"'`“„‘«]+|(?<![\\"'`”“’»,;}\]])[\\"'`”“’»,;}\]]+$/g, "");

// A text of thousands of equals signs must not keep the program busy.
const mostTexts = 40;

/** A text, and the texts inside it that may be the real secret: behind a name, without signs around it, decoded. */
export function textsIn(text: string): readonly string[] {
  const all = new Set([text]);
  const readers = decoders.map(([, decode]) => decode);
  for (const one of all) {
    if (all.size > mostTexts) break;
    // Nearly all secrets are plain, and to compile the patterns takes time of each start.
    const isPlain = /^[\w+-]+$/.test(one);
    for (const read of isPlain ? [base64] : [unquoted, withoutSigns, behindName, ...readers]) {
      const inside = read(one);
      if (!notPrintable.test(inside)) all.add(inside);
    }
  }
  return [...all];
}
