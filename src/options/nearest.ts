// The one rule of nearness, for names of our own: options, variables, keys, profiles, columns and choices. Never ask it for values.

import { distance } from "fastest-levenshtein";

// The time grows with the product of both lengths, and names of profiles may come from somebody else's rc file.
const compared = 100;

const lettersOf = (name: string): string => name.slice(0, compared).toLowerCase().replace(/[-_]/g, "");
/** What the rule compares: `--token`, `REFERRAL_TOKEN` and `token` are one name. */
const stemOf = (name: string): string => lettersOf(name.replace(/^REFERRAL_/i, ""));

// More than any number of edits.
const far = compared * 2;

/** How far a name is from one of ours, in edits; `far` and more if it is not near. */
function farness(given: string, wanted: string): number {
  const edits = distance(given, wanted);
  // `noProxy` is the opposite of `proxy`, and so not near.
  const isNegated = given.startsWith("no") && distance(given.slice(2), wanted) < edits;
  const beginsAlike = given.length >= 4 && wanted.startsWith(given.slice(0, 4));
  const isPart = given.length >= 3 && wanted.includes(given);
  const hasPart = wanted.length >= 4 && given.includes(wanted);
  if (isNegated || !(beginsAlike || isPart || hasPart || edits <= 2)) return far + edits;
  // Beginning alike is worth two edits: `retries` means `retry` (three edits), not `metrics` (two). A part of ours counts as one edit
  // and a bit: `url` means `baseUrl` (four edits), not `all` (two).
  return Math.min(beginsAlike ? edits - 2 : edits, isPart ? 1 + edits / far : far);
}

function measured(name: string, candidates: readonly string[]) {
  const given = stemOf(name);
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, at: farness(given, stemOf(candidate)) }))
    .sort((one, other) => one.at - other.at);
}

/** Whether a name, prefix included, differs from a candidate by two letters at most. Then it is a misspelt name and may be shown. */
export const isMisspelt = (name: string, candidates: readonly string[]): boolean =>
  candidates.some((one) => distance(lettersOf(name), lettersOf(one)) <= 2);

/** The candidates, the nearest first. */
export const nearestFirst = (name: string, candidates: readonly string[]): readonly string[] =>
  measured(name, candidates).map(({ candidate }) => candidate);

/** The candidate that is near; undefined if none is, or if two are as near. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const [first, second] = measured(name, candidates);
  return first !== undefined && first.at < far && first.at !== second?.at ? first.candidate : undefined;
}

/** `Did you mean x?`, or an empty text if no candidate is near. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const near = nearest(name, candidates);
  return near === undefined ? "" : `Did you mean ${near}?`;
}
