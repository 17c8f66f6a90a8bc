import { distance } from "fastest-levenshtein";

// The time grows with the product of both lengths, and names of profiles may come from somebody else's rc file.
const compared = 100;

const folded = (text: string): string => text.slice(0, compared).toLowerCase();

/** The candidates, each with the number of edits that lead to it, the nearest first. */
const ranked = (word: string, candidates: readonly string[]) =>
  candidates
    .map((candidate) => [candidate, distance(folded(word), folded(candidate))] as const)
    .sort(([, a], [, b]) => a - b);

function meantOf([[candidate, edits] = ["", 0]]: ReturnType<typeof ranked>): string | null {
  // Two exchanged letters are two edits.
  const most = candidate.length < 4 ? 1 : Math.max(2, Math.floor(candidate.length / 3));
  return candidate !== "" && edits <= most ? candidate : null;
}

/** The candidates: first the one that was probably meant, then those that contain the word, then the rest, nearest first. */
export function nearestFirst(word: string, candidates: readonly string[]): readonly string[] {
  const all = ranked(word, candidates);
  const meant = meantOf(all);
  const rank = (candidate: string): number =>
    candidate === meant ? 0 : folded(candidate).includes(folded(word)) ? 1 : 2;
  return all.map(([candidate]) => candidate).toSorted((a, b) => rank(a) - rank(b));
}

/** The candidate that the word is most likely a misspelling of, or null if none is near. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  return meantOf(ranked(word, candidates));
}

/** What to write in the place of an unknown name: the one that is meant, or else the nearest, and the others. */
export function meantOrNearest(
  unknown: string,
  names: readonly string[],
  meant: string | null = nearest(unknown, names),
): string {
  const all = nearestFirst(unknown, names);
  const first = meant ?? all[0];
  const others = all.filter((name) => name !== first).join(", ");
  return `${meant === null ? `The nearest is ${first}.` : `Did you mean ${first}?`} The others are ${others}`;
}

/** `Did you mean x?`, or an empty text if no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === null ? "" : `Did you mean ${near}?`;
}
