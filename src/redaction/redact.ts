import { decodings } from "./decode.ts";

/** The text that replaces a secret. */
export const masked = "[secret]";

/** Removes the secrets from a text. */
export type Redactor = (text: string) => string;

// A shorter text cannot be told from ordinary words: replacing it would garble the report and hide nothing.
const shortestSecret = 4;

// A server may encode what it sends back more than once. Three encodings are promised; the fourth step decodes UTF-8.
const mostEncodings = 4;

// A text is replaced as a whole if it decodes to more characters than this or contains secrets in more places, so that no
// response keeps the program busy. The limit is four times the longest body, so that a body in one encoding can be shown.
const mostDecoded = 4 * 1024 * 1024;
const mostPlaces = 1_000;

/** The text in a form for comparison: without letter case, and with `+` as a space, as in web forms. */
function folded(text: string): string {
  return text.toLowerCase().toUpperCase().replaceAll("+", " ");
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** The same with each run of white space as one space, as in the title of a page. */
function loose(text: string): string {
  return folded(text).replace(/\s+/g, " ");
}

/** The start and the end (exclusive) of a part of a text. */
type Span = readonly [number, number];

/** The places of the secrets in a text, in order and without overlaps. Null if there are too many. */
function spansOf(searched: string, secrets: readonly string[]): readonly Span[] | null {
  const found: Span[] = [];
  for (const secret of secrets) {
    // A secret such as `aaaa` can begin at every character, and each search takes time, so count the places.
    for (let at = searched.indexOf(secret); at >= 0; at = searched.indexOf(secret, at + 1)) {
      if (found.push([at, at + secret.length]) > mostPlaces) return null;
    }
  }
  const joined: [number, number][] = [];
  for (const [from, to] of found.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last === undefined || from > last[1]) joined.push([from, to]);
    else last[1] = Math.max(last[1], to);
  }
  return joined;
}

/** The parts of the text around the secrets that it contains unencoded, in any letter case. Null if they cannot be cut out. */
function partsAround(text: string, secrets: readonly string[]): readonly string[] | null {
  const searched = folded(text);
  const spans = spansOf(searched, secrets);
  if (spans === null || spans.length === 0) return spans && [text];
  // Some letters become two when their case changes. Then positions in the folded text differ from those in the text.
  if (spans.some(([from, to]) => folded(text.slice(from, to)) !== searched.slice(from, to))) return null;
  const edges = [0, ...spans.flat(), text.length];
  return Array.from({ length: spans.length + 1 }, (_, index) =>
    text.slice(edges[2 * index], edges[2 * index + 1]),
  );
}

/**
 * Whether the text contains one of the folded secrets after decoding; true if decoding takes too long. No secret is shorter
 * than `shortest` characters.
 */
function holdsEncoded(text: string, secrets: readonly string[], shortest: number): boolean {
  let left = mostDecoded;
  let level = new Set([text]);
  for (let depth = 0; level.size > 0; depth += 1) {
    const next = new Set<string>();
    for (const form of level) {
      const searched = loose(form);
      if (secrets.some((secret) => searched.includes(secret))) return true;
      if (depth === mostEncodings) continue;
      for (const decoded of decodings(form, shortest)) {
        next.add(decoded);
        left -= decoded.length;
      }
      if (left < 0) return true;
    }
    level = next;
  }
  return false;
}

/**
 * Makes the redactor of these secrets. It is for every text that others wrote: a server may send a secret back, and a user
 * may write one in the wrong place. A mark replaces a secret in any letter case. If a text contains an encoded secret
 * (`decodings`), the mark replaces the whole text.
 */
export function redactorOf(secrets: readonly string[]): Redactor {
  const wanted = [...new Set(secrets)].filter(({ length }) => length >= shortestSecret);
  if (wanted.length === 0) return (text) => text;
  const exact = wanted.map(folded);
  const collapsed = wanted.map(loose);
  // Folding makes some letters longer (ß, ligatures), and runs of white space shorter.
  const shortest = [...wanted, ...collapsed].reduce((least, { length }) => Math.min(least, length), Infinity);
  return (text) => {
    // Decoding never makes a text longer, and folding never makes ASCII text longer.
    if (text.length < shortest && isAscii(text)) return text;
    const parts = partsAround(text, exact);
    return parts?.some((part) => holdsEncoded(part, collapsed, shortest)) === false
      ? parts.join(masked)
      : masked;
  };
}

/** Shows what was read from a text, or masks it if the text holds a secret: in lower case, one in base64 would not be recognised. */
export function unlessSecret(shown: string, sent: string, redact: Redactor): string {
  return redact(sent) === sent ? shown : masked;
}
