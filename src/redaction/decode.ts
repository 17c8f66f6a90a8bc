// The encodings in which servers send a secret back; SECURITY.md lists them. Decoded bytes become latin1 characters, so that
// text that is not UTF-8 is kept; `utf8` decodes the rest in another step.

import { type Alphabet, type Budget, base64, hex, runsIn, sign } from "./speed.ts";

/** The character of this code point; nothing for a number that is none. */
const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "");

const fromHex = (digits: string): string => character(Number.parseInt(digits, 16));

/** Decodes UTF-8 that was read as latin1, as header fields are. */
export function utf8(text: string): string {
  return text.replace(/[\xc2-\xf4][\x80-\xbf]{1,3}/g, (bytes) =>
    Buffer.from(bytes, "latin1").toString("utf8"),
  );
}

const percentEscape = /%([0-9a-f]{2})/gi;

/** URLs: RFC 3986, section 2.1. */
export function percent(text: string): string {
  return text.replace(percentEscape, (_, byte) => fromHex(byte));
}

const names: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  sol: "/",
};

/** Decodes the character references of HTML and XML. */
export function references(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot|apos|sol));/gi, (_, hex, decimal, name) => {
    if (name !== undefined) return names[name.toLowerCase()] ?? "";
    return hex === undefined ? character(Number(decimal)) : fromHex(hex);
  });
}

const controls: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

const backslashEscape = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gis;

/** The escapes of JSON and JavaScript. */
export function backslashes(text: string): string {
  return text.replace(backslashEscape, (_, wide, byte, other) =>
    other === undefined ? fromHex(wide ?? byte) : (controls[other] ?? other),
  );
}

/** What a secret or an encoded secret consists of. */
export interface SecretShape {
  readonly alphabet: Alphabet;
  /** In characters. */
  readonly shortest: number;
  readonly longestEncoded: number;
}

/** Decodes runs from each offset within a unit: four characters of base64, two of hex. Keeps only runs that can hold a secret. */
function* decodedRuns(
  runs: readonly string[],
  encoding: "base64" | "hex",
  unit: number,
  { alphabet, shortest }: SecretShape,
  budget: Budget,
): Generator<string> {
  if (runs.length === 0) return;
  for (let start = 0; start < unit; start += 1) {
    const kept: string[] = [];
    for (const run of runs) {
      const text = Buffer.from(run.slice(start), encoding).toString("latin1");
      budget.left -= text.length;
      if (budget.left < 0) return;
      for (const one of runsIn(text, alphabet, shortest)) kept.push(one);
    }
    yield kept.join("\n");
  }
}

const escapes = [
  ["%", percentEscape, percent],
  ["\\", backslashEscape, backslashes],
] as const;
// These encodings write one character with at most six.
const longestEscape = 6;

/**
 * Decodes what follows each `%` and each backslash, far enough for `length` characters. If one stands before an encoded text by chance,
 * it looks like the start of an escape and hides the first character. Skips a text whose first character `isFirst` rejects.
 */
export function* behindSigns(
  text: string,
  length: number,
  isFirst: (character: string) => boolean,
): Generator<string> {
  for (const [sign, pattern, decode] of escapes) {
    if (!text.includes(sign)) continue;
    // Do not decode the same beginning again: a long row of backslashes has it behind each of them.
    let beginning = "";
    let isWanted = isFirst(beginning);
    for (const { index } of text.matchAll(pattern)) {
      const next = text.slice(index + 1, index + 1 + longestEscape);
      if (next !== beginning) {
        beginning = next;
        isWanted = isFirst(decode(next).charAt(0));
      }
      if (isWanted) yield decode(text.slice(index + 1, index + 1 + longestEscape * length));
    }
  }
}

/**
 * Decodes a text once by each encoding: URLs, HTML, JSON and JavaScript, UTF-8 misread as latin1, and pieces in base64,
 * base64url and hex. Of each result it gives the runs that can hold a secret, in a line each, and none that the text has too. The text
 * behind the first sign is decoded on its own. It ends when the budget is used up.
 */
export function* decodings(text: string, shape: SecretShape, budget: Budget): Generator<string> {
  const { alphabet, shortest, longestEncoded } = shape;
  const unescaped = function* (): Generator<string> {
    // Most texts of a server hold none of these signs.
    if (!sign.test(text)) return;
    for (const decode of [utf8, percent, references, backslashes]) yield decode(text);
    // The first sign may not belong to what follows.
    for (const [first, , decode] of escapes) {
      const from = text.indexOf(first) + 1;
      if (from > 0) yield decode(text.slice(from, from + longestEncoded));
    }
  };
  for (const form of unescaped()) {
    if (form === text) continue;
    budget.left -= form.length;
    if (budget.left < 0) return;
    yield runsIn(form, alphabet, shortest).join("\n");
  }
  yield* decodedRuns(runsIn(text, base64, Math.floor((shortest * 4) / 3)), "base64", 4, shape, budget);
  yield* decodedRuns(runsIn(text, hex, 2 * shortest), "hex", 2, shape, budget);
}
