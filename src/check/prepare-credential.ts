import { InputError } from "../errors.ts";
import type { Redactor } from "../redaction/redact.ts";
import type { Inputs } from "../settings/inputs.ts";
import { textsFor } from "../settings/levels.ts";
import { namedMethods } from "../settings/methods.ts";
import type { Precedence } from "../settings/precedence.ts";
import { readers } from "../settings/readers.ts";
import { type ReadSecret, readSecret } from "../settings/secret-reader.ts";
import { describePart, describeSource } from "../settings/source.ts";
import { definitionOf, flagOf, type SettingName } from "../settings/table.ts";
import type { CredentialPart } from "../settings/trust.ts";
import type { Credential } from "./credential.ts";
import type { Method } from "./outcome.ts";

/** The selected methods. If none is selected, every method that has credentials is checked. */
export interface Selection {
  readonly token: boolean;
  readonly wsse: boolean;
}

/** A credential, and where each of its parts was set. */
export interface PreparedCredential {
  readonly credential: Credential;
  readonly parts: readonly CredentialPart[];
  /** Describes the credential and where it was set. The redactor removes secrets. */
  readonly describe: (redact: Redactor) => string;
}

/** What a check needs: its name in messages, and the setting whose flag a hint recommends. */
const needs = {
  baseUrl: { noun: "base URL", best: "baseUrl" },
  token: { noun: "token", best: "tokenFile" },
  username: { noun: "username", best: "username" },
  secret: { noun: "secret", best: "secretFile" },
} as const satisfies Partial<Record<SettingName, { readonly noun: string; readonly best: SettingName }>>;
type Need = keyof typeof needs;

function waysToGive(need: Need, { accountChosen }: Precedence): string {
  const { noun, best } = needs[need];
  const variable = accountChosen && need !== "baseUrl" ? "" : `, ${definitionOf(need).variables[0]}`;
  return `a ${noun} (${flagOf(best)}${variable} or ${need} in .referralrc)`;
}

/** The error for these missing parts. The hint names every way to give them; `instead` ends it with an alternative. */
export function missingError(missing: readonly Need[], levels: Precedence, instead = ""): InputError {
  const list = missing.map((need) => needs[need].noun).join(" and no ");
  const ways = missing.map((need) => waysToGive(need, levels)).join(", and ");
  const wanted: readonly Need[] = instead === "" ? missing : ["token", "username", "secret"];
  const unused = wanted
    .flatMap((need) => textsFor([levels.unused], need))
    .map(({ source }) => describeSource(source));
  const reason =
    unused.length === 0
      ? ""
      : `; ${unused.join(" and ")} ${unused.length === 1 ? "is" : "are"} set and not used, because a profile is chosen`;
  const choose =
    levels.hasProfiles && !levels.accountChosen
      ? "Choose a profile of the rc file with --profile, or all of them with --all; or give"
      : "Give";
  return new InputError("settings", `No ${list} is set${reason}`, `${choose} ${ways}${instead}`);
}

/** The methods to check: the selected ones, or those that the settings name if none is selected. */
export function methodsOf(precedence: Precedence, { token, wsse }: Selection): readonly Method[] {
  if (token || wsse) return [...(token ? (["token"] as const) : []), ...(wsse ? (["wsse"] as const) : [])];
  return namedMethods(precedence);
}

function tokenCredential(levels: Precedence, token: ReadSecret | null): PreparedCredential {
  if (token === null) throw missingError(["token"], levels);
  return {
    credential: { method: "token", token: token.value },
    parts: [token],
    describe: () => `the ${describePart("token", token.source)}`,
  };
}

/** The WSSE credential with this secret. Throws InputError if a part is missing or cannot be sent. */
export function wsseCredential(levels: Precedence, secret: ReadSecret | null) {
  const username = readers.username(levels.levels);
  if (username === null || secret === null) {
    const missing = [
      ...(username === null ? (["username"] as const) : []),
      ...(secret === null ? (["secret"] as const) : []),
    ];
    throw missingError(missing, levels);
  }
  const digest = readers.digest(levels.levels).value;
  const hash = readers.hash(levels.levels).value;
  const authorization = readers.authorization(levels.levels).value;
  const credential = {
    method: "wsse",
    username: username.text,
    secret: secret.value,
    digest,
    hash,
    authorization,
  } as const;
  return {
    credential,
    parts: [username, secret],
    describe: (redact: Redactor) =>
      `${redact(username.text)}, the ${describePart("secret", secret.source)}, digest ${digest} with ${hash}` +
      (authorization === "wsse" ? ", and the Authorization field" : ""),
  };
}

/** The credential of a method. Rejects with InputError if a part is missing or cannot be sent. */
export async function credentialOf(
  method: Method,
  levels: Precedence,
  inputs: Inputs,
): Promise<PreparedCredential> {
  return method === "token"
    ? tokenCredential(levels, await readSecret("token", levels.levels, inputs))
    : wsseCredential(levels, await readSecret("secret", levels.levels, inputs));
}
