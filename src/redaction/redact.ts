import { decodings } from "./decode.ts";

/** What stands where a secret stood. */
export const masked = "[secret]";

/** Gives what may be shown of a text: all of it but the secrets. */
export type Redactor = (text: string) => string;

// A shorter text cannot be told from ordinary words: replacing it would garble the report and hide nothing.
const shortestSecret = 4;

// A server may encode what it sends back more than once. Three encodings are promised; the fourth step reads UTF-8 again.
const mostEncodings = 4;

// A text that unfolds into more characters than this, or holds secrets in more places, is replaced whole, so that no
// answer keeps the program busy. It is four times the longest body, so that one in a single encoding can be shown.
const mostDecoded = 4 * 1024 * 1024;
const mostPlaces = 1_000;

/** The text without its letter case, and with one spelling of what forms and Unicode write in two ways. */
function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().toUpperCase().replaceAll("+", " ");
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** The same for a text that lost white space, as the title of a page does. */
function loose(text: string): string {
  return folded(text).replace(/\s+/g, " ");
}

/** The indices from the first up to the second. */
type Span = readonly [number, number];

/** Where the secrets stand in a text, in order and without overlaps. Null where they stand in too many places to say. */
function spansOf(searched: string, secrets: readonly string[]): readonly Span[] | null {
  const found: Span[] = [];
  for (const secret of secrets) {
    // A secret that repeats itself can begin within itself, and each place takes its length to find.
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

/** The parts of the text around the secrets that stand in it as they are, in any letter case. Null where they cannot be cut out. */
function partsAround(text: string, secrets: readonly string[]): readonly string[] | null {
  const searched = folded(text);
  const spans = spansOf(searched, secrets);
  if (spans === null) return null;
  // Some letters become two when their case changes; then places in one text are not those in the other.
  if (spans.some(([from, to]) => folded(text.slice(from, to)) !== searched.slice(from, to))) return null;
  const edges = [0, ...spans.flat(), text.length];
  return Array.from({ length: spans.length + 1 }, (_, index) =>
    text.slice(edges[2 * index], edges[2 * index + 1]),
  );
}

/**
 * Whether the text holds one of the secrets, which are folded, after some decoding; true where that takes too long. No
 * secret is written in fewer than `shortest` characters.
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
 * The redactor of these secrets, for every text that others wrote: a server may send back what it was sent, and a user
 * may write a secret in the wrong place. A mark replaces a secret that stands in the text as it is, in any letter case,
 * and the whole of a text that holds one encoded (`decodings`).
 */
export function redactorOf(secrets: readonly string[]): Redactor {
  const wanted = [...new Set(secrets)].filter(({ length }) => length >= shortestSecret);
  if (wanted.length === 0) return (text) => text;
  const exact = wanted.map(folded);
  const collapsed = wanted.map(loose);
  // Folding makes some letters longer (ß, ligatures) and some shorter (what is composed of two).
  const shortest = Math.min(...[...wanted, ...collapsed].map(({ length }) => length));
  return (text) => {
    // No decoding makes a text longer, and folding no text of ASCII.
    if (text.length < shortest && isAscii(text)) return text;
    const parts = partsAround(text, exact);
    return parts?.some((part) => holdsEncoded(part, collapsed, shortest)) === false
      ? parts.join(masked)
      : masked;
  };
}
