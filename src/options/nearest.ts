// Finds the name that was meant by a misspelt one. Ask for names of our own, never for values.

import { distance } from "fastest-levenshtein";

// The time grows with the product of both lengths, and names of profiles may come from somebody else's rc file.
const compared = 100;

const comparable = (text: string): string => text.slice(0, compared).toLowerCase().replace(/[-_]/g, "");
const edits = (word: string, candidate: string): number => distance(comparable(word), comparable(candidate));

/** Whether the word is one of the candidates but for one or two letters, so that it can be shown as a misspelt name. */
export const isMisspelt = (word: string, candidates: readonly string[]): boolean =>
  candidates.some((one) => edits(word, one) <= (one.length < 5 ? 1 : 2));

/** Whether the word holds the candidate, or begins like it: `auth-token` and `retries` for `token` and `retry`. */
function isLike(word: string, candidate: string): boolean {
  const [given, wanted] = [comparable(word), comparable(candidate)];
  const isLong = given.length > 4 && wanted.length > 4;
  return isLong && (given.includes(wanted) || given.startsWith(wanted.slice(0, 4)));
}

/** The candidates, the nearest first. */
export const nearestFirst = (word: string, candidates: readonly string[]): readonly string[] =>
  candidates
    .map((candidate) => ({ candidate, far: edits(word, candidate) }))
    .sort((one, other) => one.far - other.far)
    .map(({ candidate }) => candidate);

/** The candidate that is near; undefined if none is. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const byDistance = nearestFirst(word, candidates);
  return byDistance.find((one) => isLike(word, one)) ?? byDistance.find((one) => isMisspelt(word, [one]));
}

/** `Did you mean x?`, or an empty text if no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === undefined ? "" : `Did you mean ${near}?`;
}
