import type { Credential } from "../check/credential.ts";
import type { Method } from "../check/outcome.ts";
import { InputError } from "../errors.ts";
import type { Redactor } from "../redaction/redact.ts";
import { type Level, type SettingText, textsFor } from "../settings/levels.ts";
import type { Precedence } from "../settings/precedence.ts";
import { readers } from "../settings/readers.ts";
import type { SecretReader } from "../settings/secret-reader.ts";
import { describePart, describeSource } from "../settings/source.ts";
import { definitionOf, flagOf, type SettingName } from "../settings/table.ts";
import type { CredentialPart } from "../settings/trust.ts";
import type { Selection } from "./setting-options.ts";

/** A credential, and where each of its parts was set. */
export interface PlannedCredential {
  readonly credential: Credential;
  readonly parts: readonly CredentialPart[];
  /** Says in words what it is and where it was set, without the secrets that the redactor knows. */
  readonly describe: (redact: Redactor) => string;
}

/** What a check needs, in words, and the setting whose flag gives it best. */
const needs = {
  baseUrl: { noun: "base URL", best: "baseUrl" },
  token: { noun: "token", best: "tokenFile" },
  username: { noun: "username", best: "username" },
  secret: { noun: "secret", best: "secretFile" },
} as const satisfies Partial<Record<SettingName, { readonly noun: string; readonly best: SettingName }>>;
type Need = keyof typeof needs;

function waysToGive(need: Need, { accountChosen }: Precedence): string {
  const { noun, best } = needs[need];
  const { variables, key } = definitionOf(need);
  const variable = accountChosen && need !== "baseUrl" ? "" : `, ${variables[0]}`;
  return `a ${noun} (${flagOf(best)}${variable} or ${key} in .referralrc)`;
}

/** The mistake of leaving out these parts, with every way to give them, and what could be given instead. */
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
  return new InputError("settings", `No ${list} is set${reason}`, `Give ${ways}${instead}`);
}

const isInFile = ({ source: { kind } }: SettingText): boolean => kind !== "flag" && kind !== "environment";

// In a file a username alone says that WSSE is meant. As a flag or variable it may be there for another account.
function namedMethods(layers: readonly Level[]): readonly Method[] {
  const given = (name: SettingName) => textsFor(layers, name);
  const wsse = given("secret").length > 0 || given("username").some(isInFile);
  return [...(given("token").length > 0 ? (["token"] as const) : []), ...(wsse ? (["wsse"] as const) : [])];
}

/**
 * The methods to check: the selected ones. If none is selected and an account is chosen, those of the first level that
 * names a credential; without an account, those that any level names.
 */
export function methodsOf(
  { levels: layers, accountChosen }: Precedence,
  { token, wsse }: Selection,
): readonly Method[] {
  if (token || wsse) return [...(token ? (["token"] as const) : []), ...(wsse ? (["wsse"] as const) : [])];
  const groups = accountChosen ? layers.map((layer) => [layer]) : [layers];
  return groups.map(namedMethods).find((methods) => methods.length > 0) ?? [];
}

async function tokenCredential(levels: Precedence, reader: SecretReader): Promise<PlannedCredential> {
  const token = await reader.read("token", levels.levels);
  if (token === null) throw missingError(["token"], levels);
  return {
    credential: { method: "token", token: token.value },
    parts: [token.part],
    describe: () => `the ${describePart("token", token.part.source)}`,
  };
}

async function wsseCredential(levels: Precedence, reader: SecretReader): Promise<PlannedCredential> {
  const { levels: layers } = levels;
  const username = readers.username(layers);
  const secret = await reader.read("secret", layers);
  if (username === null || secret === null) {
    const missing = [
      ...(username === null ? (["username"] as const) : []),
      ...(secret === null ? (["secret"] as const) : []),
    ];
    throw missingError(missing, levels);
  }
  const digest = readers.digest(layers).value;
  const hash = readers.hash(layers).value;
  const authorization = readers.authorization(layers).value;
  return {
    credential: {
      method: "wsse",
      username: username.value,
      secret: secret.value,
      digest,
      hash,
      authorization,
    },
    parts: [{ setting: "username", source: username.source }, secret.part],
    describe: (redact) =>
      `${redact(username.value)}, the ${describePart("secret", secret.part.source)}, ${digest} with ${hash}`,
  };
}

const credentials = { token: tokenCredential, wsse: wsseCredential } as const satisfies Record<
  Method,
  unknown
>;

/** The credential of a method. Throws InputError where one of its parts is missing or cannot be sent. */
export function credentialOf(
  method: Method,
  levels: Precedence,
  reader: SecretReader,
): Promise<PlannedCredential> {
  return credentials[method](levels, reader);
}
