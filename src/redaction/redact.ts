import { beginning, cut, readingsOfCut, startOfCutSecret } from "./cut.ts";
import { decodings } from "./decode.ts";
import { type Span, searchFor } from "./search.ts";

/** The text that replaces a secret. */
export const masked = "[secret]";

/** Removes the secrets from a text. */
export interface Redactor {
  (text: string): string;
  /** Makes the redactor of more secrets. It cuts a text to `longest` characters before it searches it. */
  and(more: readonly string[], longest: number): Redactor;
}

// A shorter text cannot be told from ordinary words: replacing it would garble the report and hide nothing.
const shortestSecret = 4;
// Of a secret that a cut divides, so much is one: an encoding can show a part of the next character too.
const shortestBeginning = 3;

// A server may encode what it sends back more than once. Three encodings are promised; the fourth step decodes UTF-8.
const mostEncodings = 4;

// A text is replaced as a whole if it decodes to more characters than this, so that no response keeps the program busy. The
// limit is four times the longest body, so that a body in one encoding can be shown.
const mostDecoded = 4 * 1024 * 1024;

/** The text in a form for comparison: without letter case, and with `+` as a space, as in web forms. */
function folded(text: string): string {
  return text.toLowerCase().toUpperCase().replaceAll("+", " ");
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
function partsAround(text: string, search: Search, isCut: boolean): readonly string[] | null {
  const searched = folded(text);
  const places = search(searched, isCut);
  if (places === null) return null;
  const spans = joined(places);
  if (spans.length === 0) return [text];
  // Some letters become two when their case changes. Then positions in the folded text differ from those in the text.
  if (spans.some(([from, to]) => folded(text.slice(from, to)) !== searched.slice(from, to))) return null;
  const edges = [0, ...spans.flat(), text.length];
  return Array.from({ length: spans.length + 1 }, (_, index) =>
    text.slice(edges[2 * index], edges[2 * index + 1]),
  );
}

/** Finds secrets in a text, and the beginning of one at an end that was cut. Null if they cannot be told. */
type Search = (text: string, isCut: boolean) => readonly Span[] | null;

function searchOf(secrets: readonly string[]): Search {
  const search = searchFor(secrets);
  return (text, isCut) => {
    const end = isCut ? startOfCutSecret(text, secrets, shortestBeginning) : text.length;
    const places = search(text);
    return places !== null && end < text.length ? [...places, [end, text.length]] : places;
  };
}

/**
 * Whether the text contains a secret after decoding, or the beginning of one at an end that was cut; true if decoding takes
 * too long.
 */
function holdsEncoded(text: string, search: Search, shortest: number, isCut: boolean): boolean {
  const readingsOf = (form: string): readonly string[] => (isCut ? readingsOfCut(form) : [form]);
  let left = mostDecoded;
  let level = new Set(readingsOf(text));
  for (let depth = 0; level.size > 0; depth += 1) {
    const next = new Set<string>();
    for (const form of level) {
      const searched = loose(form);
      if (search(searched, isCut)?.length !== 0) return true;
      if (depth === mostEncodings) continue;
      for (const decoded of decodings(form, isCut ? shortestBeginning : shortest)) {
        for (const reading of readingsOf(decoded)) next.add(reading);
        left -= decoded.length;
      }
      if (left < 0) return true;
    }
    level = next;
  }
  return false;
}

function redactorFor(secrets: readonly string[], longest: number): Redactor {
  const wanted = [...new Set(secrets)].filter(({ length }) => length >= shortestSecret);
  const exact = wanted.map(folded);
  const collapsed = wanted.map(loose);
  // Folding makes some letters longer (ß, ligatures), and runs of white space shorter.
  const shorter = (least: number, { length }: string): number => Math.min(least, length);
  const shortest = [...wanted, ...collapsed].reduce(shorter, Number.POSITIVE_INFINITY);
  // Many redactors see no text that is long enough.
  let searches: readonly [exact: Search, collapsed: Search] | null = null;
  const redact = (text: string): string => {
    const isCut = text.length > longest;
    // Decoding never makes a text longer, and folding never makes ASCII text longer.
    if (wanted.length === 0 || (!isCut && text.length < shortest && /^[\0-\x7f]*$/.test(text)))
      return cut(text, longest);
    searches ??= [searchOf(exact), searchOf(collapsed)];
    const [plain, encoded] = searches;
    const parts = partsAround(isCut ? beginning(text, longest - 1) : text, plain, isCut);
    if (parts === null) return masked;
    // Behind it stands nothing, or the beginning of a secret: then this part may be cut within an encoded one.
    const last = parts.findLastIndex((part) => part !== "");
    if (parts.some((part, index) => holdsEncoded(part, encoded, shortest, isCut && index === last)))
      return masked;
    return cut(parts.join(masked) + (isCut ? "…" : ""), longest);
  };
  const and: Redactor["and"] = (more, limit) => redactorFor([...wanted, ...more], limit);
  return Object.assign(redact, { and });
}

/**
 * Makes the redactor of these secrets. It is for every text that others wrote: a server may send a secret back, and a user
 * may write one in the wrong place. A mark replaces a secret in any letter case, also one that a cut divides. If a text
 * contains an encoded secret (`decodings`), or the beginning of one where it is cut, the mark replaces the whole text.
 */
export const redactorOf = (secrets: readonly string[]): Redactor =>
  redactorFor(secrets, Number.POSITIVE_INFINITY);

/** Shows what was read from a text, or masks it if the text holds a secret: in lower case, one in base64 would not be recognised. */
export function unlessSecret(shown: string, sent: string, redact: Redactor): string {
  return redact.and([], Number.POSITIVE_INFINITY)(sent) === sent ? redact(shown) : masked;
}
