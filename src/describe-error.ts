// What to tell a user of anything that was thrown. The message of an unknown error may hold a secret, so a bug is told by its
// class and place.

import { errorCode, InputError, Interrupted, OutputError } from "./errors.ts";
import { version } from "./version.ts";

/** Where an error was thrown: the first stack line behind the message, which may hold such lines too; an empty text if unknown. */
function stackPlaceOf({ message, stack = "" }: Error): string {
  const header = /^[\w.$[\] ]*(?:: )?/.exec(stack)?.[0] ?? "";
  if (!stack.startsWith(message, header.length)) return "";
  return /^\n\s+at ([^\n]*)/.exec(stack.slice(header.length + message.length))?.[1] ?? "";
}

/** Whether an error ends the whole run and not only one check: wrong input, a lost output or an interruption. */
export function endsTheRun(error: unknown): boolean {
  return error instanceof InputError || error instanceof OutputError || error instanceof Interrupted;
}

/** What happened, and what to do next. For a bug it gives the class and the place, never the message, which can quote a secret. */
export function describeError(error: unknown): { readonly message: string; readonly hint: string } {
  if (error instanceof InputError || error instanceof OutputError)
    return { message: error.message, hint: error.hint };
  const code = errorCode(error) ?? "";
  if (/^ERR_(?:SSL|OSSL)_[A-Z0-9_]+$/.test(code))
    return {
      message: `OpenSSL does not work as it is configured on this machine (${code}); the credential was not sent`,
      hint: "Check NODE_OPTIONS (--tls-cipher-list, --openssl-config) and the file that OPENSSL_CONF names",
    };
  const name = error instanceof Error ? error.name : typeof error;
  const place = error instanceof Error ? stackPlaceOf(error) : "";
  return {
    message: `This is a bug in referral-auth ${version}: ${/^\w*$/.test(name) ? name : "Error"} at ${place || "an unknown place"}`,
    hint: "Please report it with the line above",
  };
}
