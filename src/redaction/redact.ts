import { beginning, cut } from "./cut.ts";
import { behindSigns, decodings } from "./decode.ts";

/** The text that replaces a secret. */
export const masked = "[secret]";

/** Removes the secrets from a text. */
export interface Redactor {
  (text: string): string;
  /** Makes the redactor of more secrets. It searches a text before it cuts it to `longest` characters. */
  and(more: readonly string[], longest: number): Redactor;
}

// A shorter text cannot be told from ordinary words: replacing it would garble the report and hide nothing.
const shortestSecret = 4;

/** A text is searched so many characters beyond the part that is shown. */
export const searchedBeyond = 64 * 1024;
// An ASCII character takes at most six in an encoding, and three encodings are promised.
const longestEncoded = 6 ** 3;

// A server may encode what it sends back more than once. Three encodings are promised; the fourth step decodes UTF-8.
const mostEncodings = 4;

// A text is replaced as a whole if it decodes to more characters than this, so that no response keeps the program busy. The
// limit is four times the longest body, so that a body in one encoding can be shown.
const mostDecoded = 4 * 1024 * 1024;

// A text with more places is replaced as a whole.
const mostPlaces = 1_000;
// Searching for a long text that repeats itself takes time for each of its characters.
const searchedStart = 32;

/** The start and the end (exclusive) of a part of a text. */
type Span = readonly [number, number];

/** The places of a secret in a text. Null if there are too many. */
function placesOf(secret: string, text: string): readonly Span[] | null {
  const start = secret.slice(0, searchedStart);
  const found: Span[] = [];
  let left = mostPlaces;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    if (left === 0) return null;
    left -= 1;
    if (text.startsWith(secret, at)) found.push([at, at + secret.length]);
  }
  return found;
}

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

function partsAround(text: string, spans: readonly Span[]): readonly string[] {
  const edges = [0, ...joined(spans).flat(), text.length];
  return Array.from({ length: edges.length / 2 }, (_, index) =>
    text.slice(edges[2 * index], edges[2 * index + 1]),
  );
}

/** Gives those of some secrets that may stand in a text. Null if they are too many to look for each. */
type Candidates = (text: string) => readonly string[] | null;

// A check has two to six secrets, and up to 24 digests. An rc file or an emulator can have thousands.
const fewSecrets = 32;
const mostCandidates = 100;

/** Of many secrets, those whose beginning stands in the text are candidates. */
function candidatesOf(secrets: readonly string[]): Candidates {
  if (secrets.length <= fewSecrets) return () => secrets;
  const size = secrets.reduce((least, { length }) => Math.min(least, length), 8);
  const byStart = new Map<string, string[]>();
  const firsts = new Set(secrets.map((secret) => secret.charAt(0)));
  for (const secret of secrets) {
    const start = secret.slice(0, size);
    byStart.set(start, byStart.get(start) ?? []);
    byStart.get(start)?.push(secret);
  }
  return (text) => {
    const found = new Set<string>();
    for (let at = 0; at + size <= text.length; at += 1) {
      if (!firsts.has(text.charAt(at))) continue;
      for (const secret of byStart.get(text.slice(at, at + size)) ?? [])
        if (found.add(secret).size > mostCandidates) return null;
    }
    return [...found];
  };
}

/** The lengths of the shortest and the longest secret, and the characters that they begin with. */
interface Limits {
  readonly shortest: number;
  readonly longest: number;
  readonly firsts: ReadonlySet<string>;
}

/** Whether the text contains one of the candidates after decoding; true if decoding takes too long. `budget` is in characters. */
function holdsEncoded(
  text: string,
  candidates: Candidates,
  { shortest, longest, firsts }: Limits,
  budget: { left: number },
): boolean {
  const holds = (read: string): boolean =>
    candidates(read)?.some((secret) => placesOf(secret, read)?.length !== 0) ?? true;
  const isFirst = (character: string): boolean => firsts.has(folded(character));
  let level = new Set([text]);
  for (let depth = 0; level.size > 0; depth += 1) {
    const next = new Set<string>();
    for (const form of level) {
      if (holds(loose(form))) return true;
      if (depth === mostEncodings) continue;
      for (const behind of behindSigns(form, longest, isFirst)) {
        budget.left -= behind.length;
        if (budget.left < 0 || holds(loose(behind))) return true;
      }
      for (const decoded of decodings(form, shortest)) {
        next.add(decoded);
        budget.left -= decoded.length;
      }
      if (budget.left < 0) return true;
    }
    level = next;
  }
  return false;
}

/** Makes the function that removes these secrets from a text and cuts it to `longest` characters. */
function searchFor(wanted: readonly string[]): (text: string, longest: number) => string {
  const exact = wanted.map(folded);
  const collapsed = wanted.map(loose);
  const lengths = [...wanted, ...collapsed].map(({ length }) => length);
  // Folding makes some letters longer (ß, ligatures), and runs of white space shorter.
  const shortest = lengths.reduce((least, length) => Math.min(least, length), Number.POSITIVE_INFINITY);
  const most = lengths.reduce((most, length) => Math.max(most, length), 0);
  const limits: Limits = {
    shortest,
    longest: most,
    firsts: new Set(exact.map((secret) => secret.charAt(0))),
  };
  const beyond = Math.max(searchedBeyond, longestEncoded * most);
  // Many redactors see no text that is long enough.
  let searches: readonly [plain: Candidates, encoded: Candidates] | null = null;
  return (text, longest) => {
    // Decoding never makes a text longer, and folding never makes ASCII text longer.
    if (wanted.length === 0 || (text.length < shortest && /^[\0-\x7f]*$/.test(text)))
      return cut(text, longest);
    searches ??= [candidatesOf(exact), candidatesOf(collapsed)];
    const [plain, encoded] = searches;
    const read = beginning(text, longest + beyond);
    const searched = folded(read);
    // All parts of a text share it, so that cutting a text into many gains nothing.
    const budget = { left: mostDecoded };
    let spans: readonly Span[] = [];
    const held = new Set<string>();
    for (const secret of plain(searched) ?? [""]) {
      const places = secret === "" ? null : placesOf(secret, searched);
      // Some letters become two when their case changes. Then positions in the folded text differ from those in the text.
      if (places?.some(([from, to]) => folded(read.slice(from, to)) !== searched.slice(from, to)) ?? true)
        return masked;
      if (places === null || places.length === 0) continue;
      const alone = secret.replace(/\s+/g, " ");
      if (partsAround(read, places).some((part) => holdsEncoded(part, () => [alone], limits, budget)))
        return masked;
      held.add(alone);
      spans = [...spans, ...places];
    }
    // These are sought in the whole text, since a shorter secret can stand inside one that is encoded.
    const others: Candidates = (form) => encoded(form)?.filter((secret) => !held.has(secret)) ?? null;
    if (held.size < exact.length && holdsEncoded(read, others, limits, budget)) return masked;
    return cut(spans.length === 0 ? read : partsAround(read, spans).join(masked), longest);
  };
}

/** Makes a redactor. Those that differ only in `longest` share the search. */
function redactorFor(wanted: readonly string[], longest: number, search = searchFor(wanted)): Redactor {
  const and: Redactor["and"] = (more, limit) =>
    more.length === 0
      ? redactorFor(wanted, limit, search)
      : redactorFor(distinct([...wanted, ...more]), limit);
  return Object.assign((text: string) => search(text, longest), { and });
}

const distinct = (secrets: readonly string[]): readonly string[] =>
  [...new Set(secrets)].filter(({ length }) => length >= shortestSecret);

/**
 * Makes the redactor of these secrets. It is for every text that others wrote: a server may send a secret back, and a user
 * may write one in the wrong place. A mark replaces a secret in any letter case. If a text contains an encoded secret
 * (`decodings`), the mark replaces the whole text.
 */
export const redactorOf = (secrets: readonly string[]): Redactor =>
  redactorFor(distinct(secrets), Number.POSITIVE_INFINITY);

/** Shows what was read from a text, or masks it if the text holds a secret: in lower case, one in base64 would not be recognised. */
export function unlessSecret(shown: string, sent: string, redact: Redactor): string {
  return redact.and([], Number.POSITIVE_INFINITY)(sent) === sent ? redact(shown) : masked;
}
