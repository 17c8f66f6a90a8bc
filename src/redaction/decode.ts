// The encodings in which servers send a secret back; SECURITY.md lists them. Decoded bytes become latin1 characters, so that
// text that is not UTF-8 is kept; `utf8` decodes the rest in another step.

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "");

const fromHex = (digits: string): string => character(Number.parseInt(digits, 16));

/** Decodes UTF-8 that was read as latin1, as header fields are. */
function utf8(text: string): string {
  return text.replace(/[\xc2-\xf4][\x80-\xbf]{1,3}/g, (bytes) =>
    Buffer.from(bytes, "latin1").toString("utf8"),
  );
}

const percentEscape = /%([0-9a-f]{2})/gi;

/** URLs: RFC 3986, section 2.1. */
function percent(text: string): string {
  return text.replace(percentEscape, (_, byte) => fromHex(byte));
}

const names: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Character references of HTML and XML. */
export function references(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (_, hex, decimal, name) => {
      if (name !== undefined) return names[name.toLowerCase()] ?? "";
      return hex === undefined ? character(Number(decimal)) : fromHex(hex);
    },
  );
}

const controls: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

const backslashEscape = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gis;

/** The escapes of JSON and JavaScript. */
function backslashes(text: string): string {
  return text.replace(backslashEscape, (_, wide, byte, other) =>
    other === undefined ? fromHex(wide ?? byte) : (controls[other] ?? other),
  );
}

/** Decodes all runs of the encoding's characters that are long enough, starting at each possible offset within a unit. */
function runs(text: string, pattern: RegExp, encoding: "base64" | "hex", unit: number, shortest: number) {
  if (text.length < shortest) return [];
  const found = (text.match(pattern) ?? []).filter((run) => run.length >= shortest);
  if (found.length === 0) return [];
  return Array.from({ length: unit }, (_, start) =>
    found.map((run) => Buffer.from(run.slice(start), encoding).toString("latin1")).join("\n"),
  );
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
    // 1 MiB of backslashes has the same beginning behind each: to decode it once halves the time.
    let beginning = "";
    let isWanted = isFirst(beginning);
    for (const { index } of text.matchAll(pattern)) {
      const next = text.slice(index + 1, index + 1 + longestEscape);
      if (next !== beginning) {
        beginning = next;
        isWanted = isFirst((next.startsWith("\\") ? decode(next) : next).charAt(0));
      }
      if (isWanted) yield decode(text.slice(index + 1, index + 1 + longestEscape * length));
    }
  }
}

/**
 * Decodes a text once by each encoding: URLs, HTML, JSON and JavaScript, UTF-8 misread as latin1, and pieces in base64,
 * base64url and hex. It leaves out results shorter than `shortest` characters.
 */
export function decodings(text: string, shortest: number): readonly string[] {
  // Most texts of a server hold none of these signs.
  const escaped = !/[%&\\\xc2-\xf4]/.test(text)
    ? []
    : [
        ...[utf8, percent, references, backslashes].map((decode) => decode(text)),
        // The first sign may not belong to what follows.
        percent(text.slice(text.indexOf("%") + 1)),
        backslashes(text.slice(text.indexOf("\\") + 1)),
      ];
  const forms = [
    ...escaped,
    ...runs(text, /[\w+/-]+/g, "base64", 4, Math.floor((shortest * 4) / 3)),
    ...runs(text, /[0-9a-f]+/gi, "hex", 2, 2 * shortest),
  ];
  return forms.filter((form) => form !== text && form.length >= shortest);
}
