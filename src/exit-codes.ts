import type { Outcome } from "./check/outcome.ts";
import { type EndingSignal, type InputError, Interrupted } from "./errors.ts";

/**
 * Every exit code of the program, in ascending order. Public contract: codes are added, never renumbered. `emulator command`
 * exits with the code of the command, which can be any other.
 */
export const exitCodes = [
  { code: 0, name: "accepted", meaning: "the API accepted every credential" },
  { code: 1, name: "failed", meaning: "a bug, or the result could not be written; never a verdict" },
  { code: 2, name: "usage", meaning: "wrong usage of the command line" },
  {
    code: 3,
    name: "not-checked",
    meaning: "a setting is missing or invalid; for that account nothing was sent",
  },
  { code: 4, name: "rejected", meaning: "the API refused this credential" },
  { code: 5, name: "unavailable", meaning: "the API answered 429 or 5xx" },
  { code: 6, name: "unexpected", meaning: "a response that is not this API's" },
  { code: 7, name: "unreachable", meaning: "no response: name lookup, connection, TLS or proxy" },
  { code: 8, name: "timeout", meaning: "the deadline passed" },
  { code: 129, name: "hung-up", meaning: "ended by SIGHUP: the terminal was closed" },
  { code: 130, name: "interrupted", meaning: "ended by SIGINT (Ctrl-C)" },
  { code: 143, name: "terminated", meaning: "ended by SIGTERM" },
] as const;

type Exit = (typeof exitCodes)[number];
type CodeOf<Name extends Exit["name"]> = Extract<Exit, { readonly name: Name }>["code"];

/** One of the public exit codes. */
export type ExitCode = Exit["code"];

/**
 * If a run has several outcomes, the one with the lowest rank decides: a run with a bug proves nothing, and a refused
 * credential matters more than a slow server.
 */
const ranks: Readonly<Record<Outcome["kind"], number>> = {
  failed: 0,
  rejected: 1,
  unexpected: 2,
  unavailable: 3,
  timeout: 4,
  unreachable: 5,
  "not-checked": 6,
  accepted: 7,
};

/** The exit code of each outcome. */
export const exitCodeOf = Object.fromEntries(
  exitCodes.filter(({ name }) => name in ranks).map(({ name, code }) => [name, code]),
) as { readonly [Kind in Outcome["kind"]]: CodeOf<Kind> };

const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const satisfies Record<
  EndingSignal,
  ExitCode
>;

/** The kinds of outcomes, the one that decides first, and accepted last. */
export function bySeverity(kinds: Iterable<Outcome["kind"]>): readonly Outcome["kind"][] {
  return [...kinds].sort((one, other) => ranks[one] - ranks[other]);
}

/**
 * The exit code of a run with these outcomes: 0 only if there is at least one and all are accepted, and 1 if one is unknown,
 * such as that of a newer version.
 */
export function combinedExitCode(kinds: readonly Outcome["kind"][]): ExitCode {
  if (!kinds.every((kind) => Object.hasOwn(ranks, kind))) return exitCodeOf.failed;
  const [decisive = "not-checked"] = bySeverity(kinds);
  return exitCodeOf[decisive];
}

const errorCodes: Readonly<Record<InputError["code"], ExitCode>> = {
  ERR_REFERRAL_AUTH_USAGE: 2,
  ERR_REFERRAL_AUTH_SETTINGS: exitCodeOf["not-checked"],
};

/** A property of a value that can be anything. */
const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/**
 * The exit code of a run that ended with this error: 2 or 3 for an InputError or a clone of one, the signal's for Interrupted,
 * 8 for the TimeoutError of `AbortSignal.timeout`, else 1.
 */
export function exitCodeOfError(error: unknown): ExitCode {
  if (error instanceof Interrupted) return signalCodes[error.signal];
  if (property(error, "name") === "TimeoutError") return exitCodeOf.timeout;
  const code = property(error, "code") ?? property(property(error, "cause"), "code");
  return typeof code === "string" && Object.hasOwn(errorCodes, code)
    ? errorCodes[code as InputError["code"]]
    : exitCodeOf.failed;
}
