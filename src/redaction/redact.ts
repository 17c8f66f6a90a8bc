import { beginning, cut, readingsOfCut, startOfCutSecret } from "./cut.ts";
import { decodings } from "./decode.ts";

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

// Only so many characters of a secret are searched for, since a search can take the product of both lengths.
const longestSearched = 256;

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
function spansOf(searched: string, secrets: readonly string[], isCut: boolean): readonly Span[] | null {
  const found: Span[] = [];
  for (const secret of secrets) {
    const sought = secret.slice(0, longestSearched);
    // A secret such as `aaaa` can begin at every character, and each search takes time, so count the places.
    for (let at = searched.indexOf(sought); at >= 0; at = searched.indexOf(sought, at + 1)) {
      const { length } = searched.startsWith(secret, at) ? secret : sought;
      if (found.push([at, at + length]) > mostPlaces) return null;
    }
  }
  if (isCut) found.push([startOfCutSecret(searched, secrets, shortestBeginning), searched.length]);
  const joined: [number, number][] = [];
  for (const [from, to] of found.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last === undefined || from > last[1]) joined.push([from, to]);
    else last[1] = Math.max(last[1], to);
  }
  return joined;
}

/** The parts of the text around the secrets that it contains unencoded, in any letter case. Null if they cannot be cut out. */
function partsAround(text: string, secrets: readonly string[], isCut: boolean): readonly string[] | null {
  const searched = folded(text);
  const spans = spansOf(searched, secrets, isCut)?.filter(([from, to]) => from < to) ?? null;
  if (spans === null || spans.length === 0) return spans && [text];
  // Some letters become two when their case changes. Then positions in the folded text differ from those in the text.
  if (spans.some(([from, to]) => folded(text.slice(from, to)) !== searched.slice(from, to))) return null;
  const edges = [0, ...spans.flat(), text.length];
  return Array.from({ length: spans.length + 1 }, (_, index) =>
    text.slice(edges[2 * index], edges[2 * index + 1]),
  );
}

/** Secrets in the forms in which they are searched for. */
interface Wanted {
  readonly exact: readonly string[];
  readonly collapsed: readonly string[];
  /** The length of the shortest, in any form: folding makes some letters longer (ß, ligatures), and white space shorter. */
  readonly shortest: number;
}

function wantedOf(secrets: readonly string[]): Wanted {
  const wanted = [...new Set(secrets)].filter(({ length }) => length >= shortestSecret);
  const [exact, collapsed] = [wanted.map(folded), wanted.map(loose)];
  const shorter = (least: number, { length }: string): number => Math.min(least, length);
  return { exact, collapsed, shortest: [...wanted, ...collapsed].reduce(shorter, Number.POSITIVE_INFINITY) };
}

/**
 * Whether the text contains a secret after decoding, or the beginning of one at an end that was cut; true if decoding takes
 * too long.
 */
function holdsEncoded(text: string, { collapsed, shortest }: Wanted, isCut: boolean): boolean {
  const readingsOf = (form: string): readonly string[] => (isCut ? readingsOfCut(form) : [form]);
  let left = mostDecoded;
  let level = new Set(readingsOf(text));
  for (let depth = 0; level.size > 0; depth += 1) {
    const next = new Set<string>();
    for (const form of level) {
      const searched = loose(form);
      if (collapsed.some((secret) => searched.includes(secret.slice(0, longestSearched)))) return true;
      if (isCut && startOfCutSecret(searched, collapsed, shortestBeginning) < searched.length) return true;
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

function redactorFor(wanted: Wanted, longest: number): Redactor {
  const { exact, collapsed, shortest } = wanted;
  const redact = (text: string): string => {
    const isCut = text.length > longest;
    // Decoding never makes a text longer, and folding never makes ASCII text longer.
    if (exact.length === 0 || (!isCut && text.length < shortest && isAscii(text))) return cut(text, longest);
    const parts = partsAround(isCut ? beginning(text, longest - 1) : text, exact, isCut);
    if (parts === null) return masked;
    const last = parts.length - 1;
    if (parts.some((part, index) => holdsEncoded(part, wanted, isCut && index === last))) return masked;
    return cut(parts.join(masked) + (isCut ? "…" : ""), longest);
  };
  const and: Redactor["and"] = (more, limit) => {
    const others = wantedOf(more);
    const all = {
      exact: [...exact, ...others.exact],
      collapsed: [...collapsed, ...others.collapsed],
      shortest: Math.min(shortest, others.shortest),
    };
    return redactorFor(all, limit);
  };
  return Object.assign(redact, { and });
}

/**
 * Makes the redactor of these secrets. It is for every text that others wrote: a server may send a secret back, and a user
 * may write one in the wrong place. A mark replaces a secret in any letter case, also one that a cut divides. If a text
 * contains an encoded secret (`decodings`), or the beginning of one where it is cut, the mark replaces the whole text.
 */
export const redactorOf = (secrets: readonly string[]): Redactor =>
  redactorFor(wantedOf(secrets), Number.POSITIVE_INFINITY);

/** Shows what was read from a text, or masks it if the text holds a secret: in lower case, one in base64 would not be recognised. */
export function unlessSecret(shown: string, sent: string, redact: Redactor): string {
  return redact.and([], Number.POSITIVE_INFINITY)(sent) === sent ? redact(shown) : masked;
}
