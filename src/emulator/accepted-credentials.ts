import { InputError } from "../errors.ts";
import { redactorOf } from "../redaction/redact.ts";
import { escapeText } from "../report/escape.ts";
import { usernameProblem } from "../wsse/header.ts";

/** What the emulator accepts, in plain text, since it prints them for clients (specification, section 5). */
export interface Credentials {
  readonly token: string;
  readonly username: string;
  readonly secret: string;
}

// An HTTP field value cannot hold control characters, nor white space at its ends (RFC 9110, section 5.5).
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
 * The credentials of one run: those given, and random ones for the rest. Throws InputError (usage) for a value that no
 * client could send. The message names the flag, never the value.
 */
export function completeCredentials(
  given: { readonly [Name in keyof Credentials]?: string | undefined },
  randomBytes: (size: number) => Uint8Array,
): Credentials {
  for (const name of ["token", "username", "secret"] as const) {
    const value = given[name];
    const problem = value === undefined ? null : problemOf[name](value);
    if (problem !== null) {
      throw new InputError(
        "usage",
        `The value of --${name} ${problem}`,
        `Write another value, or leave out --${name} to get a random one`,
      );
    }
  }
  const hex = (size: number): string => Buffer.from(randomBytes(size)).toString("hex");
  return {
    token: given.token ?? hex(20),
    username: given.username ?? `emulator-${hex(3)}@example.com`,
    // The secret has another shape than the token, so that nobody confuses the two.
    secret: given.secret ?? Buffer.from(randomBytes(18)).toString("base64url"),
  };
}

type Variables = Readonly<Record<string, string>>;

/** The environment variables that a client needs to reach the emulator and to be accepted. */
export function clientVariables(url: string, { token, username, secret }: Credentials): Variables {
  return {
    REFERRAL_BASE_URL: url,
    REFERRAL_TOKEN: token,
    REFERRAL_USERNAME: username,
    REFERRAL_SECRET: secret,
  };
}

/** One `export NAME='value'` line per variable, for any POSIX shell (POSIX.1-2024, Shell Command Language, 2.2.2). */
export function exportLines(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join("");
}

/** The environment of the command: the parent's with these variables, and without the ones that would take their place. */
export function childEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  variables: Variables,
): Record<string, string | undefined> {
  // The client refuses a credential that is set twice, by value and by file, and a profile counts before the environment.
  const {
    REFERRAL_TOKEN_FILE: _token,
    REFERRAL_SECRET_FILE: _secret,
    REFERRAL_PROFILE: _profile,
    ...kept
  } = parent;
  return { ...kept, ...variables };
}

const longestShown = 200;

/** Text of a request for the log: without the token and the secret, escaped and shortened. */
export function escapeForLog(text: string, { token, secret }: Credentials): string {
  // A client with mixed-up settings can send a credential as path or Username.
  return escapeText(redactorOf([token, secret])(text), longestShown);
}
