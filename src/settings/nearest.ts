import { distance } from "fastest-levenshtein";

// The time grows with the product of both lengths, and names of profiles may come from somebody else's rc file.
const compared = 100;

const folded = (text: string): string => text.slice(0, compared).toLowerCase();

/** A candidate, and the number of edits that lead to it. */
type Ranked = readonly [candidate: string, edits: number];

function ranked(word: string, candidates: readonly string[]): readonly Ranked[] {
  const wanted = folded(word);
  return candidates
    .map((candidate): Ranked => [candidate, distance(wanted, folded(candidate))])
    .sort(([, a], [, b]) => a - b);
}

function meantOf([[candidate, edits] = ["", 0]]: readonly Ranked[]): string | null {
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

/** `Did you mean x?`, or an empty text if no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === null ? "" : `Did you mean ${near}?`;
}
