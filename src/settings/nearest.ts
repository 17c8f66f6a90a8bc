import { distance } from "fastest-levenshtein";

function ranked(
  word: string,
  candidates: readonly string[],
): ReadonlyArray<{ readonly candidate: string; readonly edits: number }> {
  const folded = word.toLowerCase();
  return candidates
    .map((candidate) => ({ candidate, edits: distance(folded, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
}

/** The candidates: first the one that was probably meant, then those that contain the word, then the rest, nearest first. */
export function nearestFirst(word: string, candidates: readonly string[]): readonly string[] {
  const meant = nearest(word, candidates);
  const rank = (candidate: string): number =>
    candidate === meant ? 0 : candidate.toLowerCase().includes(word.toLowerCase()) ? 1 : 2;
  return ranked(word, candidates)
    .map(({ candidate }) => candidate)
    .sort((a, b) => rank(a) - rank(b));
}

/** The candidate that the word is most likely a misspelling of, or null if none is near. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const [best] = ranked(word, candidates);
  if (best === undefined) return null;
  // Two exchanged letters are two edits.
  const { length } = best.candidate;
  return best.edits <= (length < 4 ? 1 : Math.max(2, Math.floor(length / 3))) ? best.candidate : null;
}

/** `Did you mean x?`, or an empty text if no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === null ? "" : `Did you mean ${near}?`;
}
