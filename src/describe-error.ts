import { InputError, Interrupted, OutputError } from "./errors.ts";
import { version } from "./version.ts";

/** What to tell the user of an error: what happened, and what to do next. */
interface ErrorDescription {
  readonly message: string;
  readonly hint: string;
}

/**
 * Where an error was thrown: the first line of its stack behind the message, or an empty text. The message can have lines
 * of its own that look like a stack's.
 */
function placeOf({ message, stack = "" }: Error): string {
  const header = /^[\w.$[\] ]*(?:: )?/.exec(stack)?.[0] ?? "";
  if (!stack.startsWith(message, header.length)) return "";
  return /^\n\s+at ([^\n]*)/.exec(stack.slice(header.length + message.length))?.[1] ?? "";
}

/** Whether an error is about the run as a whole: the user's command line, a lost output, an interruption. */
export function endsTheRun(error: unknown): boolean {
  return error instanceof InputError || error instanceof OutputError || error instanceof Interrupted;
}

/**
 * What to tell of an error, whichever it is. Of a bug it has the class and the place, and never the message, which may
 * quote a secret.
 */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof InputError) return { message: error.message, hint: error.hint };
  if (error instanceof OutputError) {
    return {
      message: error.message,
      hint: "Check that the folder exists, that the disk has room, and that what reads the output does so to its end",
    };
  }
  const name = error instanceof Error ? error.name : typeof error;
  const place = error instanceof Error ? placeOf(error) : "";
  return {
    message: `This is a bug in referral-auth ${version}: ${/^\w*$/.test(name) ? name : "Error"} at ${place || "an unknown place"}`,
    hint: "Please report it with the line above",
  };
}
