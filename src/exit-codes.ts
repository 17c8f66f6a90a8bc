import type { Outcome } from "./check/outcome.ts";

/** The exit code of each outcome. Public contract: codes are added, never renumbered. */
export const exitCodeOf = {
  accepted: 0,
  rejected: 4,
  unavailable: 5,
  unexpected: 6,
  unreachable: 7,
  timeout: 8,
  "not-checked": 3,
} as const satisfies Record<Outcome["kind"], number>;

/** Every code the tool can exit with, in the order of its help; the meaning is what a script's author needs to know. */
export const exitCodes = [
  { code: 0, name: "accepted", meaning: "the API accepted every credential" },
  { code: 1, name: "failure", meaning: "a bug, or the result could not be written; never a verdict" },
  { code: 2, name: "usage", meaning: "wrong usage of the command line" },
  { code: 3, name: "not-checked", meaning: "a setting is missing or invalid; nothing was sent" },
  { code: 4, name: "rejected", meaning: "the API refused this credential" },
  { code: 5, name: "unavailable", meaning: "the API answered 429 or 5xx" },
  { code: 6, name: "unexpected", meaning: "an answer that is not this API's" },
  { code: 7, name: "unreachable", meaning: "no answer: name lookup, connection, TLS or proxy" },
  { code: 8, name: "timeout", meaning: "the deadline passed" },
  { code: 130, name: "interrupted", meaning: "ended by SIGINT (Ctrl-C)" },
  { code: 143, name: "terminated", meaning: "ended by SIGTERM" },
] as const;

/** One of the public exit codes. */
export type ExitCode = (typeof exitCodes)[number]["code"];

/** The order in which the outcomes of several checks decide: one refused credential matters more than a slow server. */
const precedence = [
  "rejected",
  "unexpected",
  "unavailable",
  "timeout",
  "unreachable",
  "not-checked",
  "accepted",
] as const satisfies readonly Outcome["kind"][];

/** The exit code of a run over several checks: 0 only where there was at least one and all are accepted. */
export function combinedExitCode(kinds: readonly Outcome["kind"][]): ExitCode {
  const decisive = precedence.find((kind) => kinds.includes(kind)) ?? "not-checked";
  return exitCodeOf[decisive];
}
