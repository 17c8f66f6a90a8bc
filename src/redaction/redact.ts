import { decodings } from "./decode.ts";
import { type Search, type Span, searchFor } from "./search.ts";

/** The text that replaces a secret. */
export const masked = "[secret]";

/** Removes the secrets from a text. */
export type Redactor = (text: string) => string;

// A shorter text cannot be told from ordinary words: replacing it would garble the report and hide nothing.
const shortestSecret = 4;

// A server may encode what it sends back more than once. Three encodings are promised; the fourth step decodes UTF-8.
const mostEncodings = 4;

// A text is replaced as a whole if it decodes to more characters than this or contains secrets in too many places, so that no
// response keeps the program busy. The limit is four times the longest body, so that a body in one encoding can be shown.
const mostDecoded = 4 * 1024 * 1024;

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

/** The same places in order and without overlaps. */
function joined(spans: readonly Span[]): readonly Span[] {
  const all: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last === undefined || from > last[1]) all.push([from, to]);
    else last[1] = Math.max(last[1], to);
  }
  return all;
}

/** The parts of the text around the secrets that it contains unencoded, in any letter case. Null if they cannot be cut out. */
function partsAround(text: string, search: Search): readonly string[] | null {
  const searched = folded(text);
  const places = search(searched);
  if (places === null || places.length === 0) return places && [text];
  const spans = joined(places);
  // Some letters become two when their case changes. Then positions in the folded text differ from those in the text.
  if (spans.some(([from, to]) => folded(text.slice(from, to)) !== searched.slice(from, to))) return null;
  const edges = [0, ...spans.flat(), text.length];
  return Array.from({ length: spans.length + 1 }, (_, index) =>
    text.slice(edges[2 * index], edges[2 * index + 1]),
  );
}

/**
 * Whether the text contains one of the folded secrets after decoding; true if that takes too long. No secret is shorter
 * than `shortest` characters.
 */
function holdsEncoded(text: string, search: Search, shortest: number): boolean {
  let left = mostDecoded;
  let level = new Set([text]);
  for (let depth = 0; level.size > 0; depth += 1) {
    const next = new Set<string>();
    for (const form of level) {
      if (search(loose(form))?.length !== 0) return true;
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
  const forms = wanted.map(folded);
  const looseForms = wanted.map(loose);
  // Folding makes some letters longer (ß, ligatures), and runs of white space shorter.
  const shortest = [...wanted, ...looseForms].reduce(
    (least, { length }) => Math.min(least, length),
    Infinity,
  );
  const exact = searchFor(forms);
  const collapsed = looseForms.every((form, at) => form === forms[at]) ? exact : searchFor(looseForms);
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
