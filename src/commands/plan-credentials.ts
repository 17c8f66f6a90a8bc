import type { Credential } from "../check/credential.ts";
import type { Method } from "../check/outcome.ts";
import { Mistake } from "../mistake.ts";
import { type SecretReader, usernameSetting } from "../settings/credentials.ts";
import { givenFor, type Layer } from "../settings/layers.ts";
import { describePart, type Source } from "../settings/source.ts";
import { choiceSetting } from "../settings/values.ts";
import { conventionNames, hashNames } from "../wsse/digest.ts";
import type { Selection } from "./options.ts";

/** A credential, and where each part of it was set. */
export interface PlannedCredential {
  readonly credential: Credential;
  readonly sources: readonly Source[];
  /** What it is and where it was set, in words and without the secret. */
  readonly description: string;
}

const missing = {
  baseUrl: "a base URL (--base-url, REFERRAL_BASE_URL or baseUrl in .referralrc)",
  token: "a token (--token-file, REFERRAL_TOKEN or token in .referralrc)",
  username: "a username (--username, REFERRAL_USERNAME or username in .referralrc)",
  secret: "a secret (--secret-file, REFERRAL_SECRET or secret in .referralrc)",
} as const;

/** The mistake of leaving out these parts, with every way to give them. */
export function missingMistake(parts: ReadonlyArray<keyof typeof missing>): Mistake {
  const names = { baseUrl: "base URL", token: "token", username: "username", secret: "secret" };
  const list = parts.map((part) => names[part]).join(" and no ");
  return new Mistake(
    "settings",
    `No ${list} is set`,
    `Give ${parts.map((part) => missing[part]).join(", and ")}`,
  );
}

/** The methods to check: the selected ones, or else every one of which something is set. */
function methodsOf(layers: readonly Layer[], { token, wsse }: Selection): readonly Method[] {
  const isSet = (...names: Parameters<typeof givenFor>[1]): boolean => givenFor(layers, names).length > 0;
  const some = token || wsse;
  return [
    ...((some ? token : isSet("token", "tokenFile")) ? (["token"] as const) : []),
    ...((some ? wsse : isSet("username", "secret", "secretFile")) ? (["wsse"] as const) : []),
  ];
}

/** The token to use. Throws Mistake where none is set. */
export async function tokenCredential(
  layers: readonly Layer[],
  reader: SecretReader,
): Promise<PlannedCredential> {
  const token = await reader.read("token", layers);
  if (token === null) throw missingMistake(["token"]);
  return {
    credential: { method: "token", token: token.value },
    sources: [token.source],
    description: `the ${describePart("token", token.source)}`,
  };
}

async function wsseCredential(layers: readonly Layer[], reader: SecretReader): Promise<PlannedCredential> {
  const username = usernameSetting(layers);
  const secret = await reader.read("secret", layers);
  if (username === null || secret === null) {
    throw missingMistake([
      ...(username === null ? (["username"] as const) : []),
      ...(secret === null ? (["secret"] as const) : []),
    ]);
  }
  const digest = choiceSetting(layers, "digest", conventionNames).value;
  const hash = choiceSetting(layers, "hash", hashNames).value;
  return {
    credential: { method: "wsse", username: username.value, secret: secret.value, digest, hash },
    sources: [username.source, secret.source],
    description: `${username.value}, the ${describePart("secret", secret.source)}, ${digest} with ${hash}`,
  };
}

/** The credentials to use, one per method. Throws Mistake where one is missing or cannot be sent. */
export async function planCredentials(
  layers: readonly Layer[],
  selection: Selection,
  reader: SecretReader,
): Promise<readonly PlannedCredential[]> {
  const planned: PlannedCredential[] = [];
  for (const method of methodsOf(layers, selection)) {
    planned.push(
      await (method === "token" ? tokenCredential(layers, reader) : wsseCredential(layers, reader)),
    );
  }
  return planned;
}
