// Finds the name that was meant by a misspelt one. Ask for names of our own, never for values.

import { distance } from "fastest-levenshtein";

// The time grows with the product of both lengths, and names of profiles may come from somebody else's rc file.
const compared = 100;
// A shorter name is part of too many others.
const shortestPart = 3;

// What other programs call ours.
const synonyms: ReadonlyArray<readonly [ours: string, theirs: RegExp]> = [
  ["secret", /^(?:password|passwd|passphrase|pass|pwd)$/],
  ["username", /^(?:user|e?mail|login|account)$/],
  ["token", /^(?:(?:api|access)?key|bearer)$/],
  ["profile", /^(?:name|label)$/],
  ["baseurl", /^(?:host|hostname|server|endpoint|uri|api)$/],
  ["cacert", /^(?:ca|cabundle|cafile|cacerts|rootca|truststore)$/],
  ["retry", /^(?:retries|attempts|maxretries)$/],
  ["concurrency", /^(?:parallel|parallelism|jobs|workers|threads)$/],
  ["verbose", /^(?:debug|trace)$/],
  ["junit", /^(?:report|reporter|xml)$/],
  ["host", /^(?:listen|bind|bindaddress|address|interface)$/],
  ["control", /^(?:delay|latency|admin)$/],
  ["json", /^(?:format|outputformat)$/],
  // Commands.
  ["test", /^(?:check|verify|validate|login|auth|authenticate|whoami|ping|status|run)$/],
  ["emulator", /^(?:emulate|server|serve|mock|stub|start)$/],
  ["config", /^(?:configure|configuration|init|settings|show|env)$/],
  ["header", /^(?:headers|sign)$/],
];

const comparable = (text: string): string => text.slice(0, compared).toLowerCase().replace(/[-_]/g, "");

function compare(word: string, candidate: string) {
  const [given, wanted] = [comparable(word), comparable(candidate)];
  const isLong = Math.min(given.length, wanted.length) >= shortestPart;
  const isSynonym = synonyms.some(([ours, theirs]) => ours === wanted && theirs.test(given));
  if (isSynonym) return { candidate, edits: 0, isNear: true };
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

/** Whether the word is one of the candidates but for one or two letters, so that it can be shown as a misspelt name. */
export const isMisspelt = (word: string, candidates: readonly string[]): boolean =>
  candidates.some(
    (candidate) => distance(comparable(word), comparable(candidate)) <= (candidate.length < 5 ? 1 : 2),
  );

/** The candidates, the nearest first. */
export const nearestFirst = (word: string, candidates: readonly string[]): readonly string[] =>
  ranked(word, candidates).map(({ candidate }) => candidate);

/** The candidate that is near; undefined if none is. Ask for names of our own, never for values. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [first] = ranked(word, candidates);
  return first?.isNear ? first.candidate : undefined;
}

/** `Did you mean x?`, or an empty text if no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === undefined ? "" : `Did you mean ${near}?`;
}

/** What to write for an unknown name: the one that is near or begins alike, or else the nearest; and the others. */
export function nearestAndOthers(unknown: string, names: readonly string[]): string {
  const all = ranked(unknown, names);
  const beginning = comparable(unknown).slice(0, 4);
  const meant = all.find(({ candidate, isNear }) => isNear || comparable(candidate).startsWith(beginning));
  const first = (meant ?? all[0])?.candidate;
  const others = all.flatMap(({ candidate }) => (candidate === first ? [] : [candidate])).join(", ");
  return `${meant === undefined ? `The nearest is ${first}.` : `Did you mean ${first}?`} The others are ${others}`;
}
