/** The start and the end (exclusive) of a part of a text. */
export type Span = readonly [number, number];

/** Finds the places of secrets in a text, in any order. Null if there are too many, or if finding them takes too much work. */
export type Search = (text: string) => readonly Span[] | null;

const mostPlaces = 1_000;
// How many characters of a text may be compared with secrets. Only a text that repeats the beginning of one needs more.
const mostCompared = (text: string): number => 64 * 1024 + 8 * text.length;

// A secret is looked for by its first 8 characters; a shorter one by 4, 2 or 1.
const sizes = [8, 4, 2, 1];

// The factor of a rolling hash (Karp and Rabin, 1987); any odd number will do.
const factor = 0x01000193;

/** Makes the search for secrets that have at least `size` characters. */
function searchByBeginning(secrets: readonly string[], size: number): Search {
  const all = new Set(secrets);
  const lengths = new Map<number, number[]>();
  for (const secret of all) {
    let hash = 0;
    for (let at = 0; at < size; at += 1) hash = (Math.imul(hash, factor) + secret.charCodeAt(at)) | 0;
    const own = lengths.get(hash);
    if (own === undefined) lengths.set(hash, [secret.length]);
    else if (!own.includes(secret.length)) own.push(secret.length);
  }
  let outgoing = 1;
  for (let count = 0; count < size; count += 1) outgoing = Math.imul(outgoing, factor);
  return (text) => {
    const found: Span[] = [];
    let left = mostCompared(text);
    let hash = 0;
    for (let end = 1; end <= text.length; end += 1) {
      hash = (Math.imul(hash, factor) + text.charCodeAt(end - 1)) | 0;
      const start = end - size;
      if (start > 0) hash = (hash - Math.imul(outgoing, text.charCodeAt(start - 1))) | 0;
      if (start < 0) continue;
      for (const length of lengths.get(hash) ?? []) {
        if (start + length > text.length) continue;
        left -= length;
        if (all.has(text.slice(start, start + length))) found.push([start, start + length]);
        if (left < 0 || found.length > mostPlaces) return null;
      }
    }
    return found;
  };
}

/** Makes the search for these secrets. Its cost depends on the length of the text, and hardly on the number of secrets. */
export function searchFor(secrets: readonly string[]): Search {
  const searches = sizes.flatMap((size, index) => {
    const below = sizes[index - 1] ?? Number.POSITIVE_INFINITY;
    const own = secrets.filter(({ length }) => length >= size && length < below);
    return own.length === 0 ? [] : searchByBeginning(own, size);
  });
  return (text) => {
    const found = searches.map((search) => search(text));
    return found.includes(null) ? null : found.flatMap((places) => places ?? []);
  };
}
