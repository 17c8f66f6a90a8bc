// Reads the credential of an account from its settings. An error for a missing part names every way to give it.

import { InputError, wrongSettings } from "../../errors.ts";
import type { Redactor } from "../../redaction/redact.ts";
import { type Method, methodParts } from "../../settings/definition.ts";
import { type Inputs, readSecret } from "../../settings/inputs.ts";
import { type SettingText, unexpandedSetting } from "../../settings/levels.ts";
import type { Settings } from "../../settings/resolve.ts";
import {
  areSet,
  describeEmpty,
  describePart,
  describeSource,
  describeStrange,
  strangeVariables,
} from "../../settings/source.ts";
import {
  alternativesOf,
  credentialNames,
  definitionOf,
  extraVariables,
  flagOf,
  knownVariables,
  type SettingName,
  settingNames,
} from "../../settings/table.ts";
import { isPlaceholder } from "../../wsse/placeholders.ts";
import type { SentCredential } from "../credential.ts";

/** A credential, and where each of its parts was set. */
export interface PreparedCredential {
  readonly credential: SentCredential;
  readonly parts: readonly SettingText[];
  /** Describes the credential, and last where its secret was set. The redactor removes secrets. */
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

function waysToGive(need: Need, { scope }: Settings): string {
  const { noun, best } = needs[need];
  // A line's own base URL counts for the line's own credential alone, so the other ways are told.
  if (scope.chosenBy === "line" && need !== "baseUrl") return `a ${noun} of its own`;
  const variable =
    scope.chosenBy === "none" || need === "baseUrl" ? `, ${definitionOf(need).variables[0]}` : "";
  return `a ${noun} (${flagOf(best)}${variable} or ${need} in .referralrc)`;
}

function howToGive(missing: readonly Need[], settings: Settings, instead: string): string {
  const { chosenBy, rc } = settings.scope;
  const ways = missing.map((need) => waysToGive(need, settings)).join(", and ");
  if (chosenBy === "line")
    return `Give ${ways}${instead}. To check accounts with what the rc file sets, make them profiles and use --all`;
  const hasProfiles = rc !== null && rc.profiles.size > 0;
  return chosenBy === "none" && hasProfiles
    ? `Choose a profile of the rc file with --profile, or all of them with --all; or give ${ways}${instead}`
    : `Give ${ways}${instead}`;
}

// Many set a variable in a shell and do not export it. A variable that is set and empty was exported, so then this is not said.
const exported = ". A shell passes on exported variables alone";

/** The error for these missing parts. The hint names every way to give them; `instead` ends it with an alternative. */
export function missingError(
  missing: readonly Need[],
  settings: Settings,
  instead = "",
  ways = howToGive(missing, settings, instead),
): InputError {
  const nouns = missing.map((need) => needs[need].noun).join(" and no ");
  const wanted: readonly Need[] = instead === "" ? missing : [...missing, ...methodParts.wsse.required];
  const names = wanted.flatMap(alternativesOf);
  const { unused, unusedBecause, variables, chosenBy, rc } = settings.scope;
  const ignored = names.flatMap((name) => unused.get(name) ?? []).map(({ source }) => describeSource(source));
  const reason = ignored.length === 0 ? null : `${areSet(ignored)} and not used, ${unusedBecause}`;
  // An empty variable may have been meant to choose an rc file, or a profile of it.
  const { profile, config } = extraVariables;
  const choosing = [...(chosenBy === "none" ? [profile] : []), ...(rc === null ? [config] : [])];
  const ofNames = names.flatMap((name) => definitionOf(name).variables);
  const empty = describeEmpty([...ofNames, ...choosing], variables);
  // With a profile or line, no variable gives a part of the credential.
  const isOfEnvironment = (name: string | null): boolean =>
    chosenBy === "none" || ![...credentialNames].some((one) => name === definitionOf(one).variables[0]);
  const strange = describeStrange(
    strangeVariables(knownVariables, variables).map(({ name, meant }) => ({
      name,
      meant: isOfEnvironment(meant) ? meant : null,
    })),
  );
  return wrongSettings(
    [`No ${nouns} is set`, reason, empty, strange].filter((part) => part !== null).join("; "),
    ways + (chosenBy === "none" && empty === null ? exported : ""),
  );
}

/** Commands to copy for a user who has set nothing: with a token, with WSSE, and without an account. */
const firstCommands = [
  "referral-auth test --base-url https://api.example.com/v1 --token-file token.txt",
  "referral-auth test --base-url https://api.example.com/v1 --username me@example.com --secret-file secret.txt",
  "referral-auth emulator referral-auth test",
];

/** The end of a hint where either method would do. */
export const orWsse = "; or, for WSSE, a username and a secret";

/** The error where nothing is set at all. It says what else is wrong, such as the name of a variable. */
export function nothingSet(settings: Settings): InputError {
  const ways =
    "Give a base URL (--base-url, REFERRAL_BASE_URL) and a token, or a username and a secret for WSSE; or use the emulator, without an account";
  const { kind, message, hint } = missingError(["baseUrl", "token"], settings, orWsse, ways);
  return new InputError(kind, message, hint, firstCommands);
}

async function tokenCredential(settings: Settings, inputs: Inputs): Promise<PreparedCredential> {
  const token = await readSecret("token", settings, inputs);
  if (token === null) throw missingError(["token"], settings);
  return {
    credential: { method: "token", token: token.value },
    parts: [token.given],
    describe: () => describePart("token", token.given.source),
  };
}

async function wsseCredential(settings: Settings, inputs: Inputs): Promise<PreparedCredential> {
  const secret = await readSecret("secret", settings, inputs);
  const username = settings.value("username");
  const { given } = settings.get("username");
  if (username === null || given === null || secret === null) {
    const values = { username, secret };
    const missing = methodParts.wsse.required.filter((part) => values[part] === null);
    throw missingError(missing, settings);
  }
  const credential = {
    method: "wsse",
    username,
    secret: secret.value,
    digest: settings.value("digest"),
    hash: settings.value("hash"),
    authorization: settings.value("authorization"),
  } as const;
  return {
    credential,
    parts: [given, secret.given],
    describe: (redact: Redactor) =>
      [
        redact(username),
        `digest ${credential.digest} with ${credential.hash}`,
        ...(credential.authorization === "wsse" ? ["the Authorization field"] : []),
        describePart("secret", secret.given.source),
      ].join(", "),
  };
}

const otherNames = settingNames.filter((name) => !credentialNames.has(name));

/**
 * The credential of a method. Rejects with InputError if a part is missing or cannot be sent, and for a setting that is a placeholder,
 * even one that it does not need: what should have filled in one has filled in none.
 */
export async function credentialOf(
  method: Method,
  settings: Settings,
  inputs: Inputs,
): Promise<PreparedCredential> {
  for (const name of otherNames) {
    const { given } = settings.get(name);
    if (given !== null && isPlaceholder(given.text)) throw unexpandedSetting(given);
  }
  return (method === "token" ? tokenCredential : wsseCredential)(settings, inputs);
}
