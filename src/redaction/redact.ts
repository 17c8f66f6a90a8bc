// The law: finds secrets in texts that others wrote, plain and in the encodings of decode.ts, and masks them. A text that holds one in
// an encoded form, or takes too long to search, is replaced whole. What only saves time is in speed.ts.

import { beginning, cut, partsAround, type Span } from "./cut.ts";
import { behindSigns, decodings, type SecretShape } from "./decode.ts";
import {
  type Budget,
  type Candidates,
  candidatesOf,
  charactersOf,
  hex,
  ofEncodings,
  payForSigns,
  runsIn,
} from "./speed.ts";

/** The text that replaces a secret. */
export const masked = "[secret]";

/** Removes the secrets from a text. */
export interface Redactor {
  (text: string): string;
  /** Makes the redactor of more secrets. It searches a text before it cuts it to `longest` characters. */
  and(more: readonly string[], longest: number): Redactor;
  /** The whole text without the secrets: to take it apart, and to show only what the redactor makes of a part. */
  known(text: string): string;
  /**
   * Makes the same redactor for the texts of one response. They share a budget of decoding, however many they are. Whatever has the
   * form of a token is written `[40 hexadecimal characters, …001b]`: it may be another account's.
   */
  forResponse(): Redactor;
}

// A shorter text cannot be told from ordinary words: replacing it would garble the report and hide nothing.
const shortestSecret = 4;

/** A text is searched so many characters beyond the part that is shown. */
const searchedBeyond = 64 * 1024;
// An ASCII character takes at most six in an encoding, and three encodings are promised.
const mostLonger = 6 ** 3;

// A server may encode what it sends back more than once. Three encodings are promised; the fourth step decodes UTF-8.
const mostEncodings = 4;

// The most characters that may be decoded for a text, or for all texts of a response. A text that needs more is replaced as a whole.
// The longest body (64 KiB) needs this much if all of it is base64: it is decoded from four offsets, to three quarters of its length
// each. That takes about as long as to search the body itself.
const mostDecoded = 200 * 1024;

// A text with more places is replaced as a whole.
const mostPlaces = 1_000;
// Look for this beginning first: to search for a long text that repeats itself takes time for each of its characters.
const searchedStart = 32;

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

/** A text with each run of white space as one space, as in the title of a page. */
const collapse = (text: string): string => text.replace(/\s+/g, " ");

/**
 * Whether the text contains one of the candidates after decoding; true if the budget does not suffice to know. `limits` are those of
 * all secrets: also the length of the longest, and the characters that they begin with.
 */
function holdsEncoded(
  text: string,
  candidates: Candidates,
  limits: SecretShape & { readonly longest: number; readonly firsts: ReadonlySet<string> },
  budget: Budget,
): boolean {
  const { alphabet, shortest, longest, firsts } = limits;
  const holds = (read: string): boolean => {
    const compared = collapse(folded(read));
    return candidates(compared)?.some((secret) => placesOf(secret, compared)?.length !== 0) ?? true;
  };
  const isFirst = (character: string): boolean => firsts.has(folded(character));
  if (holds(text)) return true;
  // Most text is in no run that can hold an encoded secret.
  const runs = runsIn(text, alphabet, shortest);
  if (runs.length === 0) return false;
  // What one step decodes, the next step decodes again.
  let level = new Set([runs.join("\n")]);
  for (let depth = 0; depth < mostEncodings; depth += 1) {
    const next = new Set<string>();
    for (const form of level) {
      payForSigns(form, budget);
      if (budget.left < 0) return true;
      for (const behind of behindSigns(form, longest, isFirst)) {
        budget.left -= behind.length;
        if (budget.left < 0 || holds(behind)) return true;
      }
      for (const decoded of decodings(form, limits, budget)) {
        if (decoded === "" || decoded === form || next.has(decoded)) continue;
        if (holds(decoded)) return true;
        next.add(decoded);
      }
      if (budget.left < 0) return true;
    }
    level = next;
  }
  return false;
}

/** Makes the function that removes these secrets from a text and cuts it to `longest` characters. */
function searchFor(wanted: readonly string[]): (text: string, longest: number, budget: Budget) => string {
  const exact = wanted.map(folded);
  const collapsed = exact.map(collapse);
  const lengths = [...wanted, ...collapsed].map(({ length }) => length);
  // Folding makes some letters longer (ß, ligatures), and runs of white space shorter.
  const shortest = lengths.reduce((least, length) => Math.min(least, length), Number.POSITIVE_INFINITY);
  const most = lengths.reduce((most, length) => Math.max(most, length), 0);
  const limits = {
    shortest,
    longest: most,
    longestEncoded: mostLonger * most,
    firsts: new Set(exact.map((secret) => secret.charAt(0))),
    alphabet: charactersOf(wanted),
  };
  const beyond = Math.max(searchedBeyond, limits.longestEncoded);
  // Made when it is needed: many redactors see no text that is long enough.
  let searches: readonly [plain: Candidates, encoded: Candidates] | null = null;
  return (text, longest, budget) => {
    // Decoding never makes a text longer, and folding never makes ASCII text longer.
    if (wanted.length === 0 || (text.length < shortest && /^[\0-\x7f]*$/.test(text)))
      return cut(text, longest);
    searches ??= [candidatesOf(exact), candidatesOf(collapsed)];
    const [plain, encoded] = searches;
    const read = beginning(text, longest + beyond);
    const searched = folded(read);
    let spans: readonly Span[] = [];
    const held = new Set<string>();
    // If too many secrets may stand in it, the search for encoded ones says so.
    for (const secret of plain(searched) ?? []) {
      const places = placesOf(secret, searched);
      // Some letters become two when their case changes. Then positions in the folded text differ from those in the text.
      if (
        places === null ||
        places.some(([from, to]) => folded(read.slice(from, to)) !== searched.slice(from, to))
      )
        return masked;
      if (places.length === 0) continue;
      // The text is searched once more for each secret that it holds.
      budget.left -= read.length;
      const alone = collapse(secret);
      if (partsAround(read, places).some((part) => holdsEncoded(part, () => [alone], limits, budget)))
        return masked;
      held.add(alone);
      spans = [...spans, ...places];
    }
    // Look for the other secrets in the whole text: one that was found above can stand inside another that is encoded.
    const others: Candidates = (form) => encoded(form)?.filter((secret) => !held.has(secret)) ?? null;
    if (held.size < exact.length && holdsEncoded(read, others, limits, budget)) return masked;
    if (spans.length === 0) return cut(read, longest);
    if (read === text) return cut(partsAround(read, spans).join(masked), longest);
    // The end of what was read may be a part of a secret. Masks may be shorter than secrets, and must not move it into view.
    const end = spans.reduce((most, [from, to]) => (from < longest ? Math.max(most, to) : most), longest);
    const shown = spans.filter(([, to]) => to <= end);
    return cut(`${partsAround(read.slice(0, end), shown).join(masked)}…`, longest);
  };
}

// The form of tokens that the specification shows (section 5). In front of it may stand a character that is escaped.
const tokenForm = /(?:(?<![\da-f])|(?<=%[\da-f]{2}|\\x[\da-f]{2}|\\u[\da-f]{4}))[\da-f]{40}(?![\da-f])/gi;
const tokenShape = { alphabet: hex, shortest: 40, longestEncoded: 6 * 40 };
const tokenMark = (token: string): string => `[40 hexadecimal characters, …${token.slice(-4)}]`;

/** A text of others without what has the form of a token. One that holds a token in an encoded form is replaced whole. */
function withoutTokens(text: string, budget: Budget): string {
  // Most text has no run that is long enough for one, plain or encoded.
  if (runsIn(text, ofEncodings, tokenShape.shortest).length === 0) return text;
  const shown = text.replace(tokenForm, tokenMark);
  for (const decoded of decodings(shown, tokenShape, budget)) {
    const [token] = decoded.match(tokenForm) ?? [];
    if (token !== undefined) return tokenMark(token);
  }
  return budget.left < 0 ? masked : shown;
}

/**
 * Makes a redactor. Those that differ only in `longest` share the search. `response` is what may be decoded of the texts of one response,
 * in search of the secrets, and of other tokens in what is shown; without it, each text has a budget of its own.
 */
function redactorFor(
  wanted: readonly string[],
  longest: number,
  search = searchFor(wanted),
  response: Readonly<Record<"secrets" | "tokens", Budget>> | null = null,
): Redactor {
  const known = (text: string, most: number): string =>
    search(text, most, response?.secrets ?? { left: mostDecoded });
  const redact = (text: string): string => {
    if (response === null) return known(text, longest);
    return cut(withoutTokens(known(text, longest + tokenShape.longestEncoded), response.tokens), longest);
  };
  return Object.assign(redact, {
    known: (text: string) => known(text, Number.POSITIVE_INFINITY),
    and: (more: readonly string[], limit: number) =>
      more.length === 0
        ? redactorFor(wanted, limit, search, response)
        : redactorFor(distinct([...wanted, ...more]), limit),
    forResponse: () =>
      redactorFor(wanted, longest, search, { secrets: { left: mostDecoded }, tokens: { left: mostDecoded } }),
  });
}

const distinct = (secrets: readonly string[]): readonly string[] =>
  [...new Set(secrets)].filter(({ length }) => length >= shortestSecret);

/**
 * Makes the redactor of these secrets, for every text that others wrote. A mark replaces a secret in any letter case, and the whole of a
 * text that contains an encoded one (`decodings`).
 */
export const redactorOf = (secrets: readonly string[]): Redactor =>
  redactorFor(distinct(secrets), Number.POSITIVE_INFINITY);

/** Shows a part of what was `sent`; masks it if that holds a secret. The part may be in lower case, which hides a secret in base64. */
export function unlessSecret(shown: string, sent: string, redact: Redactor): string {
  return redact.known(sent) === sent ? redact(shown) : masked;
}
