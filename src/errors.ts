/**
 * The user's input cannot be used: the command line is wrong (`usage`), or a setting is missing or invalid (`settings`).
 * The message says what happened, the hint what to do next. Neither holds a value that could be a secret.
 */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly kind: "usage" | "settings";
  readonly hint: string;

  constructor(kind: InputError["kind"], message: string, hint: string) {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }
}

/** What the action gives, or the InputError that it throws. */
export function orInputError<Value>(action: () => Value): Value | InputError {
  try {
    return action();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

/** A result could not be written; the message says where. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/** The signals that end a run in an orderly way. */
export const endingSignals = ["SIGHUP", "SIGINT", "SIGTERM"] as const;
/** The name of a signal that ends a run in an orderly way. */
export type EndingSignal = (typeof endingSignals)[number];

/** A signal ended the run. The abort signal of the context has this as its reason. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly signal: EndingSignal;

  constructor(signal: EndingSignal) {
    super(signal);
    this.signal = signal;
  }
}
