// The public table of exit codes. Codes are added and never renumbered.

import { meanings, type OutcomeKind, outcomes } from "./check/outcome.ts";
import { type InputError, Interrupted } from "./errors.ts";

/** The codes that are not the outcome of a check. */
const otherCodes = [
  { code: 2, name: "usage", meaning: "wrong usage of the command line" },
  { code: 129, name: "hung-up", meaning: "ended by SIGHUP: the terminal was closed" },
  { code: 130, name: "interrupted", meaning: "ended by SIGINT (Ctrl-C)" },
  { code: 143, name: "terminated", meaning: "ended by SIGTERM" },
] as const;

/** One of the public exit codes. */
export type ExitCode = (typeof outcomes)[OutcomeKind]["code"] | (typeof otherCodes)[number]["code"];

const kinds = Object.keys(outcomes) as readonly OutcomeKind[];

/** Every exit code, in ascending order. (`emulator -- COMMAND` passes on the command's.) Codes are added, never renumbered. */
export const exitCodes: ReadonlyArray<{
  readonly code: ExitCode;
  readonly name: OutcomeKind | (typeof otherCodes)[number]["name"];
  readonly meaning: string;
}> = [
  ...kinds.map((name) => ({ name, code: outcomes[name].code, meaning: meanings[name] })),
  ...otherCodes,
].sort((one, other) => one.code - other.code);

/** The exit code of each outcome. */
export const exitCodeOf = Object.fromEntries(
  exitCodes.filter(({ name }) => name in outcomes).map(({ name, code }) => [name, code]),
) as {
  readonly [Kind in OutcomeKind]: (typeof outcomes)[Kind]["code"];
};

const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const satisfies Record<
  Interrupted["signal"],
  ExitCode
>;

/** The kinds among these, each once, the one that decides first and accepted last. */
export function bySeverity(given: Iterable<OutcomeKind>): readonly OutcomeKind[] {
  const present = new Set(given);
  return kinds.filter((kind) => present.has(kind));
}

/** The exit code of a run with these outcomes: 0 if there is one and all are accepted; 1 if one is unknown, as that of a newer version. */
export function combinedExitCode(given: readonly OutcomeKind[]): ExitCode {
  if (!given.every((kind) => Object.hasOwn(outcomes, kind))) return exitCodeOf.failed;
  const [decisive = "not-checked"] = bySeverity(given);
  return exitCodeOf[decisive];
}

const errorCodes: Readonly<Record<InputError["code"], ExitCode>> = {
  ERR_REFERRAL_AUTH_USAGE: 2,
  ERR_REFERRAL_AUTH_SETTINGS: exitCodeOf["not-checked"],
};

const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** The exit code of a run that ended with this error: 2 or 3 for an InputError or a clone of one, the signal's for Interrupted, else 1. */
export function exitCodeOfRun(error: unknown): ExitCode {
  if (error instanceof Interrupted) return signalCodes[error.signal];
  const code = property(error, "code") ?? property(property(error, "cause"), "code");
  return typeof code === "string" && Object.hasOwn(errorCodes, code)
    ? errorCodes[code as InputError["code"]]
    : exitCodeOf.failed;
}

/** The exit code for an error that a library's user caught: 8 if `AbortSignal.timeout` ended the call, else that of `exitCodeOfRun`. */
export function exitCodeOfError(error: unknown): ExitCode {
  // No `instanceof`: a test environment such as jsdom has a DOMException of its own.
  const isDomException = Object.prototype.toString.call(error) === "[object DOMException]";
  return isDomException && property(error, "name") === "TimeoutError"
    ? exitCodeOf.timeout
    : exitCodeOfRun(error);
}
