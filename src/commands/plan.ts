import type { Check } from "../check/check.ts";
import { secretsOf } from "../check/credential.ts";
import type { Method } from "../check/outcome.ts";
import { InputError, orInputError } from "../errors.ts";
import type { Endpoint } from "../settings/base-url.ts";
import { redactorFor } from "../settings/known-secrets.ts";
import { type Level, secretTexts } from "../settings/levels.ts";
import { loadSources, type SourceOptions, type Sources } from "../settings/load.ts";
import { readNamedFile } from "../settings/named-file.ts";
import { levelsFor, type Precedence, precedenceOf } from "../settings/precedence.ts";
import { readers } from "../settings/readers.ts";
import { hiddenByEnvironment, knownHosts } from "../settings/remarks.ts";
import type { Secret } from "../settings/secret.ts";
import { SecretReader } from "../settings/secret-reader.ts";
import { describeSource } from "../settings/source.ts";
import type { SettingName } from "../settings/table.ts";
import {
  type CredentialPart,
  explainRefusal,
  type RouteSources,
  travelRefusal,
  trustOfPart,
  yoursAlone,
} from "../settings/trust.ts";
import type { Setting } from "../settings/values.ts";
import type { Context } from "../system/context.ts";
import { credentialOf, methodsOf, missingError, type PlannedCredential } from "./plan-credentials.ts";
import type { Selection } from "./setting-options.ts";

/** The settings that a credential of each method is made of. */
const partsOf = {
  token: ["token"],
  wsse: ["username", "secret", "digest", "hash"],
} as const satisfies Record<Method, readonly SettingName[]>;

function checkClearText({ value, source }: Setting<Endpoint>, insecureHttp: boolean): void {
  if (value.secure || value.loopback || insecureHttp) return;
  throw new InputError(
    "settings",
    `${describeSource(source)} uses http:// for a host that is not a loopback address, so anyone on the way could read the credential`,
    "Use https://, or http://127.0.0.1 for a local server; --insecure-http allows it all the same",
  );
}

async function extraCertificates(
  layers: readonly Level[],
  context: Context,
): Promise<Setting<readonly string[]> | null> {
  const file = readers.caCert(layers);
  if (file === null) return null;
  const text = Buffer.from(await readNamedFile(file.value, 8 * 1024 * 1024, context)).toString("latin1");
  if (!text.includes("-----BEGIN CERTIFICATE-----")) {
    throw new InputError(
      "settings",
      `${describeSource(file.source)} names a file without a PEM certificate`,
      'Give a file with "-----BEGIN CERTIFICATE-----" in it; for a DER file: openssl x509 -inform der -in FILE -out ca.pem',
    );
  }
  return { ...file, value: [text] };
}

/** How one run is to check, the same for all profiles. */
export interface RunOptions {
  readonly selection: Selection;
  readonly insecureHttp: boolean;
  readonly diagnose: boolean;
}

/** What the profiles of a run share. */
export interface Shared {
  readonly sources: Sources;
  readonly reader: SecretReader;
  /** The hosts of all base URLs that are set anywhere. */
  readonly hosts: readonly string[];
}

/** Loads what the profiles of a run share. Throws InputError. */
export async function loadShared(options: SourceOptions, context: Context): Promise<Shared> {
  const sources = await loadSources(options, context);
  return { sources, reader: new SecretReader(context), hosts: knownHosts(sources) };
}

/** An account to check: a profile of the rc file, or what a line of `--accounts` sets. */
export interface PlannedAccount {
  readonly profile: string | null;
  /** What the line sets; null for a profile. */
  readonly own: Level | null;
}

function precedenceFor(sources: Sources, { profile, own }: PlannedAccount): Precedence {
  return own === null ? precedenceOf(sources, profile) : levelsFor(sources, own);
}

/** The name of an account as it may be shown. */
export function shownName({ sources }: Shared, { profile, own }: PlannedAccount): string | null {
  if (profile === null) return null;
  return redactorFor(sources, profile, secretTexts(own?.values() ?? []))(profile);
}

/** The origin that an account's checks go to; empty where its settings do not tell. */
export function originOf({ sources }: Shared, account: PlannedAccount): string {
  const baseUrl = orInputError(() => readers.baseUrl(precedenceFor(sources, account).levels));
  return baseUrl === null || baseUrl instanceof InputError ? "" : baseUrl.value.url.origin;
}

function refuseTravel(parts: readonly CredentialPart[], way: RouteSources): void {
  for (const part of parts) {
    const refusal = travelRefusal(part, way);
    if (refusal === null) continue;
    const { message, hint } = explainRefusal(part, refusal);
    throw new InputError("settings", message, hint);
  }
}

// Diagnosis may try the token in the secret's place, where it may travel like the secret itself.
async function spareToken(
  layers: readonly Level[],
  way: RouteSources,
  reader: SecretReader,
): Promise<Secret | null> {
  const token = await reader.read("token", layers);
  return token === null || travelRefusal(token.part, way) !== null ? null : token.value;
}

// Each attempt sends the credential, so a found file may ask for more of them only with a credential of its own.
function retriesOf({ parts }: PlannedCredential, layers: readonly Level[]): number {
  const isYours = parts.some((part) => trustOfPart(part) === "yours");
  return readers.retry(isYours ? yoursAlone(layers) : layers).value;
}

/**
 * The checks of one account, ready to be made; nothing is sent here. Throws InputError for the first setting that is
 * missing or invalid, and where a credential may not travel by the way that is set.
 */
export async function planChecks(
  { sources, reader, hosts }: Shared,
  account: PlannedAccount,
  options: RunOptions,
  context: Context,
): Promise<readonly Check[]> {
  const { profile } = account;
  const levels = precedenceFor(sources, account);
  const { levels: layers } = levels;
  const baseUrl = readers.baseUrl(layers);
  const credentials: PlannedCredential[] = [];
  for (const method of methodsOf(levels, options.selection)) {
    credentials.push(await credentialOf(method, levels, reader));
  }
  if (credentials.length === 0) {
    const missing = baseUrl === null ? (["baseUrl", "token"] as const) : (["token"] as const);
    throw missingError(missing, levels, "; or, for WSSE, a username and a secret");
  }
  if (baseUrl === null) throw missingError(["baseUrl"], levels);
  checkClearText(baseUrl, options.insecureHttp);
  const endpoint = baseUrl.value;
  const proxy = readers.proxy(layers);
  // Only TLS needs certificates; a broken file is no reason to stop a check without it.
  const certificates = endpoint.secure ? await extraCertificates(layers, context) : null;
  const way: RouteSources = {
    baseUrl: baseUrl.source,
    proxy: proxy?.source ?? null,
    caCert: certificates?.source ?? null,
  };
  refuseTravel(
    credentials.flatMap((planned) => planned.parts),
    way,
  );
  const token = options.diagnose ? await spareToken(layers, way, reader) : null;
  const redact = redactorFor(sources, profile, [
    ...secretTexts(account.own?.values() ?? []),
    ...credentials.flatMap(({ credential }) => secretsOf(credential)),
    ...(token === null ? [] : [token.reveal()]),
  ]);
  const common = {
    profile,
    url: endpoint.url,
    timeoutSeconds: readers.timeout(layers).value,
    proxy: proxy?.value ?? null,
    extraCertificates: certificates?.value ?? [],
    diagnose: options.diagnose,
    spareToken: token,
    redact,
  };
  return credentials.map((planned) => ({
    ...common,
    credential: planned.credential,
    description: planned.describe(redact),
    retries: retriesOf(planned, layers),
    hints: {
      suffixGiven: endpoint.suffixGiven,
      hidden: hiddenByEnvironment(layers, ["baseUrl", ...partsOf[planned.credential.method]]),
      otherHosts: hosts,
    },
  }));
}
