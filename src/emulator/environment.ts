import type { Credentials } from "./credentials.ts";

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

/** The environment of a child: the parent's with the variables set, and without the second spelling of a credential. */
export function childEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  variables: Variables,
): Record<string, string | undefined> {
  // A setting given twice at one level is an error, so these would turn against the two just set.
  const { REFERRAL_TOKEN_FILE: _token, REFERRAL_SECRET_FILE: _secret, ...kept } = parent;
  return { ...kept, ...variables };
}
