import { Mistake } from "../mistake.ts";
import { redactorOf } from "../redact.ts";
import { escapeText } from "../report/escape.ts";
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

type Variables = Readonly<Record<string, string>>;

/** The four settings with which a client finds the emulator and is accepted by it, as environment variables. */
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

/** The environment of a child: the parent's with the variables set, and without those that would keep them from being used. */
export function childEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  variables: Variables,
): Record<string, string | undefined> {
  // A setting given twice at one level is an error, and a chosen profile counts before the environment.
  const {
    REFERRAL_TOKEN_FILE: _token,
    REFERRAL_SECRET_FILE: _secret,
    REFERRAL_PROFILE: _profile,
    ...kept
  } = parent;
  return { ...kept, ...variables };
}

const longestShown = 200;

/**
 * Foreign text for a log or a message: without the token and the secret, escaped and cut. A client that mixes up its
 * settings puts a credential into a path or a Username.
 */
export function shownText(text: string, { token, secret }: Credentials): string {
  return escapeText(redactorOf([token, secret])(text), longestShown);
}
