// The encodings in which servers send a secret back; SECURITY.md lists them. Decoded bytes become latin1 characters, so that
// text that is not UTF-8 is kept; `utf8` decodes the rest in another step.

/** How many characters may still be decoded. */
export interface Budget {
  left: number;
}

// To look at the sign of an escape in every way takes about as long as to decode so many characters in base64.
const signCost = 64;

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

/** Character references of HTML and XML. */
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

const lastCode = 128;

/** Which characters a run consists of: 1 for the code of each that does. The last entry is for all that are not ASCII. */
export type Alphabet = Uint8Array;

/** An alphabet, and the characters of a text. One that is not ASCII stands for all others. */
export function withCharacters(alphabet: Alphabet, text: string): Alphabet {
  let all = alphabet;
  for (let at = 0; at < text.length; at += 1) {
    const code = Math.min(text.charCodeAt(at), lastCode);
    if (all[code] === 1) continue;
    // Most secrets have no others, and need no copy.
    if (all === alphabet) all = alphabet.slice();
    all[code] = 1;
  }
  return all;
}

/** The alphabet of letters, digits, `_` and these characters. To try a pattern on each of 128 characters takes 0.4 ms of a start. */
export const wordsAnd = (characters: string): Alphabet =>
  withCharacters(
    new Uint8Array(lastCode + 1),
    `0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz${characters}`,
  );

/** The runs in an alphabet that have at least this length. Most characters are stepped over: a pattern would look at each. */
export function runsIn(text: string, alphabet: Alphabet, shortest: number): readonly string[] {
  const isIn = (at: number): boolean => alphabet[Math.min(text.charCodeAt(at), lastCode)] === 1;
  const runs: string[] = [];
  for (let from = 0; from + shortest <= text.length; ) {
    // A run that begins here holds all of these. Look at the last one first: if it is none of them, the next can only begin behind it.
    let at = from + shortest - 1;
    while (at >= from && isIn(at)) at -= 1;
    if (at >= from) {
      from = at + 1;
      continue;
    }
    let to = from + shortest;
    while (to < text.length && isIn(to)) to += 1;
    runs.push(text.slice(from, to));
    from = to + 1;
  }
  return runs;
}

/** What a secret or an encoded secret consists of. */
export interface SecretShape {
  readonly alphabet: Alphabet;
  /** In characters. */
  readonly shortest: number;
  readonly longestEncoded: number;
}

const base64 = wordsAnd("+/-");
export const hex = withCharacters(new Uint8Array(lastCode + 1), "0123456789ABCDEFabcdef");

/** Decodes runs from each possible offset within a unit. Of the bytes, only runs that can hold a secret are kept. */
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

// A sign that stands before an encoded text by chance seems to escape its beginning.
const escapes = [
  ["%", percentEscape, percent],
  ["\\", backslashEscape, backslashes],
] as const;
// A character takes at most six in these encodings.
const longestEscape = 6;

/** What may begin with such a character behind the sign of an escape, in so many characters, decoded by the same kind of escapes. */
export function* behindSigns(
  text: string,
  length: number,
  isFirst: (character: string) => boolean,
): Generator<string> {
  for (const [sign, pattern, decode] of escapes) {
    if (!text.includes(sign)) continue;
    // Many backslashes have the same beginning behind each.
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

const sign = /[%&\\\xc2-\xf4]/;
const isSign = (code: number): boolean =>
  code === 0x25 || code === 0x26 || code === 0x5c || (code >= 0xc2 && code <= 0xf4);

/** Takes from the budget what it costs to look at all signs of escapes in a text. */
export function payForSigns(text: string, budget: Budget): void {
  if (!sign.test(text)) return;
  for (let at = 0; at < text.length; at += 1) if (isSign(text.charCodeAt(at))) budget.left -= signCost;
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
