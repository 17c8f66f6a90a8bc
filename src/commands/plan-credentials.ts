import type { Credential } from "../check/credential.ts";
import type { Method } from "../check/outcome.ts";
import { Mistake } from "../mistake.ts";
import type { Redactor } from "../redact.ts";
import type { SecretReader } from "../settings/credentials.ts";
import { givenFor, type Layer } from "../settings/layers.ts";
import { readers } from "../settings/readers.ts";
import { describePart, type Source } from "../settings/source.ts";
import { definitionOf, flagOf, type SettingName } from "../settings/table.ts";
import type { Selection } from "./options.ts";

/** A credential, and where each part of it was set. */
export interface PlannedCredential {
  readonly credential: Credential;
  readonly sources: readonly Source[];
  /** Says in words what it is and where it was set, without the secrets that the redactor knows. */
  readonly describe: (redact: Redactor) => string;
}

/** What a check needs, in words, and the setting whose flag gives it best. */
const parts = {
  baseUrl: { noun: "base URL", best: "baseUrl" },
  token: { noun: "token", best: "tokenFile" },
  username: { noun: "username", best: "username" },
  secret: { noun: "secret", best: "secretFile" },
} as const satisfies Partial<Record<SettingName, { readonly noun: string; readonly best: SettingName }>>;
type Part = keyof typeof parts;

function waysToGive(part: Part): string {
  const { noun, best } = parts[part];
  const { variables, key } = definitionOf(part);
  return `a ${noun} (${flagOf(best)}, ${variables[0]} or ${key} in .referralrc)`;
}

/** The mistake of leaving out these parts, with every way to give them, and what could be given instead. */
export function missingMistake(missing: readonly Part[], instead = ""): Mistake {
  const list = missing.map((part) => parts[part].noun).join(" and no ");
  const ways = missing.map(waysToGive).join(", and ");
  return new Mistake("settings", `No ${list} is set`, `Give ${ways}${instead}`);
}

/** The methods to check: the selected ones, or else every one of which something is set. */
export function methodsOf(layers: readonly Layer[], { token, wsse }: Selection): readonly Method[] {
  const isSet = (...names: readonly SettingName[]): boolean =>
    names.some((name) => givenFor(layers, name).length > 0);
  const some = token || wsse;
  return [
    ...((some ? token : isSet("token")) ? (["token"] as const) : []),
    ...((some ? wsse : isSet("username", "secret")) ? (["wsse"] as const) : []),
  ];
}

async function tokenCredential(layers: readonly Layer[], reader: SecretReader): Promise<PlannedCredential> {
  const token = await reader.read("token", layers);
  if (token === null) throw missingMistake(["token"]);
  return {
    credential: { method: "token", token: token.value },
    sources: [token.source],
    describe: () => `the ${describePart("token", token.source)}`,
  };
}

async function wsseCredential(layers: readonly Layer[], reader: SecretReader): Promise<PlannedCredential> {
  const username = readers.username(layers);
  const secret = await reader.read("secret", layers);
  if (username === null || secret === null) {
    throw missingMistake([
      ...(username === null ? (["username"] as const) : []),
      ...(secret === null ? (["secret"] as const) : []),
    ]);
  }
  const digest = readers.digest(layers).value;
  const hash = readers.hash(layers).value;
  return {
    credential: { method: "wsse", username: username.value, secret: secret.value, digest, hash },
    sources: [username.source, secret.source],
    describe: (redact) =>
      `${redact(username.value)}, the ${describePart("secret", secret.source)}, ${digest} with ${hash}`,
  };
}

const credentials = { token: tokenCredential, wsse: wsseCredential } as const satisfies Record<
  Method,
  unknown
>;

/** The credential of a method. Throws Mistake where one of its parts is missing or cannot be sent. */
export function credentialOf(
  method: Method,
  layers: readonly Layer[],
  reader: SecretReader,
): Promise<PlannedCredential> {
  return credentials[method](layers, reader);
}
