import { distance } from "fastest-levenshtein";

/** The candidate that the word is most likely a misspelling of, or null where none is near. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const folded = word.toLowerCase();
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(folded, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  if (best === undefined) return null;
  // Two exchanged letters are two edits.
  const { length } = best.candidate;
  return best.edits <= (length < 4 ? 1 : Math.max(2, Math.floor(length / 3))) ? best.candidate : null;
}

/** `Did you mean x?`, or an empty text where no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === null ? "" : `Did you mean ${near}?`;
}
