// The error of wrong input, and what the program needs to handle anything else that is thrown.

/**
 * The user's input cannot be used: the command line is wrong (`usage`), or a setting is missing or invalid (`settings`).
 * The message says what is wrong, the hint what to do next. Neither contains a value that could be a secret.
 */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly kind: "usage" | "settings";
  readonly hint: string;
  /** Commands that do what the hint says, to be copied. */
  readonly commands: readonly string[];
  /** Stable, unlike the message. It tells an InputError of this package from other errors, in any copy or realm. */
  readonly code: "ERR_REFERRAL_AUTH_USAGE" | "ERR_REFERRAL_AUTH_SETTINGS";

  constructor(kind: InputError["kind"], message: string, hint: string, commands: readonly string[] = []) {
    const code = kind === "usage" ? "ERR_REFERRAL_AUTH_USAGE" : "ERR_REFERRAL_AUTH_SETTINGS";
    // Of an error, `structuredClone` keeps the message and the cause alone.
    super(message, { cause: { code, kind, hint } });
    this.kind = kind;
    this.hint = hint;
    this.commands = commands;
    this.code = code;
  }
}

/** The error of a command line that is wrong. */
export const wrongUsage = (message: string, hint: string): InputError =>
  new InputError("usage", message, hint);

/** The error of a setting that is missing or invalid. */
export const wrongSettings = (message: string, hint: string): InputError =>
  new InputError("settings", message, hint);

/** Runs the action and returns its result, or the InputError that it throws. */
export function orInputError<Value>(action: () => Value): Value | InputError {
  try {
    return action();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

/** Handles the error of a promise: returns an InputError. Throws any other. */
export function inputErrorOf(error: unknown): InputError {
  if (error instanceof InputError) return error;
  throw error;
}

/** The result of the action; null if it throws, whatever it throws. */
export function orNull<Value>(action: () => Value): Value | null {
  try {
    return action();
  } catch {
    return null;
  }
}

/** The name that the operating system, OpenSSL or Node gives an error, such as `ENOENT`; null if it has none. */
export function errorCode(error: unknown): string | null {
  // No `instanceof`: in a context of node:vm, as Jest makes them, Node's own errors are of another realm.
  const isObject = typeof error === "object" && error !== null;
  return isObject && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Output could not be written to a stream or a file; the message says where. */
export class OutputError extends Error {
  override readonly name = "OutputError";
  readonly hint =
    "Check that the path can be written, that the disk has room, and that the program behind a pipe reads all of the output";
}

/** The program that reads an output has ended, as `head` does. Its user knows, so the run ends with code 1 and prints no message. */
export class ReaderGone extends OutputError {}

/** The signals after which a run still reports what is finished. */
export const endingSignals = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** A signal ended the run. It is the reason of `Context.interrupted`. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly signal: (typeof endingSignals)[number];

  constructor(signal: Interrupted["signal"]) {
    super(signal);
    this.signal = signal;
  }
}
