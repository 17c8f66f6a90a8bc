import { distance } from "fastest-levenshtein";

// The time grows with the product of both lengths, and names of profiles may come from somebody else's rc file.
const compared = 100;

const folded = (text: string): string => text.slice(0, compared).toLowerCase();

interface Ranked {
  readonly candidate: string;
  readonly edits: number;
  readonly containsWord: boolean;
}

function ranked(word: string, candidates: readonly string[]): readonly Ranked[] {
  const wanted = folded(word);
  return candidates
    .map((candidate) => {
      const text = folded(candidate);
      return { candidate, edits: distance(wanted, text), containsWord: text.includes(wanted) };
    })
    .sort((a, b) => a.edits - b.edits);
}

function meantOf([best]: readonly Ranked[]): string | null {
  if (best === undefined) return null;
  // Two exchanged letters are two edits.
  const { length } = best.candidate;
  return best.edits <= (length < 4 ? 1 : Math.max(2, Math.floor(length / 3))) ? best.candidate : null;
}

/** The candidates: first the one that was probably meant, then those that contain the word, then the rest, nearest first. */
export function nearestFirst(word: string, candidates: readonly string[]): readonly string[] {
  const all = ranked(word, candidates);
  const meant = meantOf(all);
  const rank = ({ candidate, containsWord }: Ranked): number =>
    candidate === meant ? 0 : containsWord ? 1 : 2;
  return all.toSorted((a, b) => rank(a) - rank(b)).map(({ candidate }) => candidate);
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
