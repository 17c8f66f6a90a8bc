import type { Outcome } from "./check/outcome.ts";
import { type EndingSignal, InputError, Interrupted } from "./errors.ts";

interface Exit {
  readonly code: number;
  readonly meaning: string;
  /** If a run has several outcomes, the one with the lowest rank decides. */
  readonly rank: number;
}

/**
 * How each outcome ends the program. A new outcome needs a row here and a line in `exitCodes`. The ranks: a run with a bug
 * proves nothing, and a refused credential matters more than a slow server.
 */
const exits = {
  failed: { code: 1, meaning: "a bug, or the result could not be written; never a verdict", rank: 0 },
  accepted: { code: 0, meaning: "the API accepted every credential", rank: 7 },
  "not-checked": { code: 3, meaning: "a setting is missing or invalid; nothing was sent", rank: 6 },
  rejected: { code: 4, meaning: "the API refused this credential", rank: 1 },
  unavailable: { code: 5, meaning: "the API answered 429 or 5xx", rank: 3 },
  unexpected: { code: 6, meaning: "a response that is not this API's", rank: 2 },
  unreachable: { code: 7, meaning: "no response: name lookup, connection, TLS or proxy", rank: 5 },
  timeout: { code: 8, meaning: "the deadline passed", rank: 4 },
} as const satisfies Record<Outcome["kind"], Exit>;

type Exits = typeof exits;

const exitKinds = Object.keys(exits) as ReadonlyArray<keyof Exits>;

// These are functions so that the published types hold literal codes.
function codes<Table extends Record<string, Exit>>(table: Table) {
  const entries = Object.entries(table).map(([kind, { code }]) => [kind, code]);
  return Object.fromEntries(entries) as { readonly [Kind in keyof Table]: Table[Kind]["code"] };
}

function row<Kind extends keyof Exits>(name: Kind) {
  const { code, meaning }: Pick<Exits[Kind], "code" | "meaning"> = exits[name];
  return { code, name, meaning } as const;
}

/** The exit code of each outcome. Public contract: codes are added, never renumbered. */
export const exitCodeOf = codes(exits);

/** The exit code of each signal that ends a run: 128 plus the signal's number, as in shells. */
const signalExits = {
  SIGHUP: { code: 129, name: "hung-up", meaning: "ended by SIGHUP: the terminal was closed" },
  SIGINT: { code: 130, name: "interrupted", meaning: "ended by SIGINT (Ctrl-C)" },
  SIGTERM: { code: 143, name: "terminated", meaning: "ended by SIGTERM" },
} as const satisfies Record<EndingSignal, object>;

const usageExit = { code: 2, name: "usage", meaning: "wrong usage of the command line" } as const;

/**
 * Every exit code of the program, in ascending order. `emulator command` exits with the code of the command, which can be
 * any other.
 */
export const exitCodes = [
  row("accepted"),
  row("failed"),
  usageExit,
  row("not-checked"),
  row("rejected"),
  row("unavailable"),
  row("unexpected"),
  row("unreachable"),
  row("timeout"),
  signalExits.SIGHUP,
  signalExits.SIGINT,
  signalExits.SIGTERM,
] as const;

/** One of the public exit codes. */
export type ExitCode = (typeof exitCodes)[number]["code"];

const precedence = exitKinds.toSorted((one, other) => exits[one].rank - exits[other].rank);

/** The exit code of a run with these outcomes: 0 only if there is at least one and all are accepted. */
export function combinedExitCode(kinds: readonly Outcome["kind"][]): ExitCode {
  const decisive = precedence.find((kind) => kinds.includes(kind)) ?? "not-checked";
  return exitCodeOf[decisive];
}

/** The exit code of a run that ended with this error: 2 or 3 for an InputError, the signal's for Interrupted, else 1. */
export function exitCodeOfError(error: unknown): ExitCode {
  if (error instanceof Interrupted) return signalExits[error.signal].code;
  if (!(error instanceof InputError)) return exitCodeOf.failed;
  return error.kind === "usage" ? usageExit.code : exitCodeOf["not-checked"];
}
