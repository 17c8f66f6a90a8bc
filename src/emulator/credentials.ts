import { Mistake } from "../mistake.ts";
import { usernameProblem } from "../wsse/header.ts";

/** What the emulator accepts. Plain text, since it exists to be handed to a client (specification, section 5). */
export interface Credentials {
  readonly token: string;
  readonly username: string;
  readonly secret: string;
}

// An HTTP field value carries no control characters and loses the white space at its ends (RFC 9110, section 5.5).
function valueProblem(value: string, allowed: RegExp, others: string): string | null {
  if (value === "") return "is empty";
  if (value.trim() !== value) return "begins or ends with white space";
  return allowed.test(value) ? null : `contains ${others}`;
}

const problemOf: Readonly<Record<keyof Credentials, (value: string) => string | null>> = {
  token: (value) => valueProblem(value, /^[\x20-\x7e]*$/, "a control character or one outside ASCII"),
  username: usernameProblem,
  secret: (value) => valueProblem(value, /^\P{Cc}*$/u, "a control character"),
};

/**
 * The credentials of one run: those given, and fresh ones for the rest. Throws Mistake (usage) for a given one that
 * no client could send; the message names the flag, never the value.
 */
export function completeCredentials(
  given: Partial<Credentials>,
  randomBytes: (size: number) => Uint8Array,
): Credentials {
  for (const name of ["token", "username", "secret"] as const) {
    const value = given[name];
    const problem = value === undefined ? null : problemOf[name](value);
    if (problem !== null) {
      throw new Mistake(
        "usage",
        `The value of --${name} ${problem}`,
        `Write another value, or leave out --${name} to have one made up`,
      );
    }
  }
  const hex = (size: number): string => Buffer.from(randomBytes(size)).toString("hex");
  return {
    token: given.token ?? hex(20),
    username: given.username ?? `emulator-${hex(3)}@example.com`,
    // Unlike a token's shape, so that neither passes for the other.
    secret: given.secret ?? Buffer.from(randomBytes(18)).toString("base64url"),
  };
}
