import { distance } from "fastest-levenshtein";

// The time grows with the product of both lengths, and names of profiles may come from somebody else's rc file.
const compared = 100;
// A shorter name is part of too many others.
const shortestPart = 3;

const folded = (text: string): string => text.slice(0, compared).toLowerCase().replace(/[-_]/g, "");

function compare(word: string, candidate: string) {
  const [given, wanted] = [folded(word), folded(candidate)];
  const isLong = Math.min(given.length, wanted.length) >= shortestPart;
  const edits = distance(given, wanted);
  // Two exchanged letters are two edits.
  const most = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  const isNear = edits <= most || (isLong && (given.includes(wanted) || wanted.includes(given)));
  return { candidate, edits, isNear };
}

const ranked = (word: string, candidates: readonly string[]) =>
  candidates
    .map((candidate) => compare(word, candidate))
    .sort((a, b) => Number(b.isNear) - Number(a.isNear) || a.edits - b.edits);

/** The candidates, the nearest first. */
export const nearestFirst = (word: string, candidates: readonly string[]): readonly string[] =>
  ranked(word, candidates).map(({ candidate }) => candidate);

/** `Did you mean x?`, or an empty text if no candidate is near. Ask for names of our own, never for values. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const [first] = ranked(word, candidates);
  return first?.isNear ? `Did you mean ${first.candidate}?` : "";
}

/** What to write for an unknown name: the one that is near or begins alike, or else the nearest; and the others. */
export function nearestAndOthers(unknown: string, names: readonly string[]): string {
  const all = ranked(unknown, names);
  const beginning = folded(unknown).slice(0, 4);
  const meant = all.find(({ candidate, isNear }) => isNear || folded(candidate).startsWith(beginning));
  const first = (meant ?? all[0])?.candidate;
  const others = all.flatMap(({ candidate }) => (candidate === first ? [] : [candidate])).join(", ");
  return `${meant === undefined ? `The nearest is ${first}.` : `Did you mean ${first}?`} The others are ${others}`;
}
