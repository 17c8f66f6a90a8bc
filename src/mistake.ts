import type { ExitCode } from "./exit-codes.ts";

/**
 * A user's mistake: the command line is wrong (`usage`, exit 2) or a setting is missing or invalid (`settings`, exit 3).
 * The message says what happened, the hint what to do next. Neither ever holds a value that could be a secret.
 */
export class Mistake extends Error {
  override readonly name = "Mistake";
  readonly kind: "usage" | "settings";
  readonly hint: string;

  constructor(kind: Mistake["kind"], message: string, hint: string) {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }

  get exitCode(): ExitCode {
    return this.kind === "usage" ? 2 : 3;
  }
}

/** What the action gives, or the Mistake that it throws. */
export function orMistake<Value>(action: () => Value): Value | Mistake {
  try {
    return action();
  } catch (error) {
    if (error instanceof Mistake) return error;
    throw error;
  }
}

/** Where a result could not be written, which the message says: exit 1, since a result that nobody got is no result. */
export class OutputFailure extends Error {
  override readonly name = "OutputFailure";
}

// 128 and the signal's number, as shells count.
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** The signals that end a run in an orderly way. */
export const endingSignals = Object.keys(signalCodes) as ReadonlyArray<keyof typeof signalCodes>;

/** The run was ended from outside; carried as the reason of the context's abort signal. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly signal: keyof typeof signalCodes;

  constructor(signal: Interrupted["signal"]) {
    super(signal);
    this.signal = signal;
  }

  get exitCode(): ExitCode {
    return signalCodes[this.signal];
  }
}
