import type { Check } from "../check/check.ts";
import type { Credential } from "../check/credential.ts";
import type { Method } from "../check/outcome.ts";
import type { Context } from "../context.ts";
import { Mistake } from "../mistake.ts";
import type { Endpoint } from "../settings/base-url.ts";
import { readNamedFile, SecretReader } from "../settings/credentials.ts";
import { hiddenByEnvironment, knownHosts } from "../settings/hints.ts";
import { givenFor, type Layer } from "../settings/layers.ts";
import { layersOf, loadSources, type SourceOptions, type Sources } from "../settings/load.ts";
import { describeSource, type Source } from "../settings/source.ts";
import type { SettingName } from "../settings/table.ts";
import { explainRefusal, type Route, travelRefusal } from "../settings/trust.ts";
import {
  baseUrlSetting,
  numberSetting,
  pathSetting,
  proxySetting,
  type Setting,
} from "../settings/values.ts";
import type { Selection } from "./options.ts";
import { missingMistake, planCredentials, tokenCredential } from "./plan-credentials.ts";

function checkClearText({ value, source }: Setting<Endpoint>, insecureHttp: boolean): void {
  if (value.secure || value.loopback || insecureHttp) return;
  throw new Mistake(
    "settings",
    `${describeSource(source)} uses http:// for a host that is not a loopback address, so anyone on the way could read the credential`,
    "Use https://, or http://127.0.0.1 for a local server; --insecure-http allows it all the same",
  );
}

async function extraCertificates(
  layers: readonly Layer[],
  context: Context,
): Promise<Setting<readonly string[]> | null> {
  const given = pathSetting(layers, "caCert");
  if (given === null) return null;
  const text = Buffer.from(await readNamedFile(given, 8 * 1024 * 1024, context)).toString("latin1");
  if (!text.includes("-----BEGIN CERTIFICATE-----")) {
    throw new Mistake(
      "settings",
      `${describeSource(given.source)} names a file without a PEM certificate`,
      'Give a file with "-----BEGIN CERTIFICATE-----" in it; for a DER file: openssl x509 -inform der -in FILE -out ca.pem',
    );
  }
  return { value: [text], source: given.source };
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

/** Loads what the profiles of a run share. Throws Mistake. */
export async function loadShared(options: SourceOptions, context: Context): Promise<Shared> {
  const sources = await loadSources(options, context);
  return { sources, reader: new SecretReader(context), hosts: knownHosts(sources) };
}

/** The origin that a profile's checks go to; empty where its settings do not tell. */
export function originOf({ sources }: Shared, profile: string | null): string {
  try {
    return baseUrlSetting(layersOf(sources, profile))?.value.url.origin ?? "";
  } catch (error) {
    if (error instanceof Mistake) return "";
    throw error;
  }
}

function refuseTravel(sources: readonly Source[], route: Route): void {
  for (const source of sources) {
    const refusal = travelRefusal(source, route);
    if (refusal === null) continue;
    const { message, hint } = explainRefusal(source, refusal);
    throw new Mistake("settings", message, hint);
  }
}

// Diagnosis may try the token in the secret's place, where it may travel like the secret itself.
async function spareToken(
  layers: readonly Layer[],
  route: Route,
  reader: SecretReader,
): Promise<Credential | null> {
  if (givenFor(layers, ["token", "tokenFile"]).length === 0) return null;
  const { credential, sources } = await tokenCredential(layers, reader);
  return sources.some((source) => travelRefusal(source, route) !== null) ? null : credential;
}

/**
 * The checks of one profile, ready to be made; nothing is sent here. Throws Mistake for the first setting that is
 * missing or invalid, and where a credential may not travel along the route that is set.
 */
export async function planChecks(
  { sources, reader, hosts }: Shared,
  profile: string | null,
  options: RunOptions,
  context: Context,
): Promise<readonly Check[]> {
  const layers = layersOf(sources, profile);
  const baseUrl = baseUrlSetting(layers);
  const credentials = await planCredentials(layers, options.selection, reader);
  if (credentials.length === 0) {
    const nothing = missingMistake(baseUrl === null ? ["baseUrl", "token"] : ["token"]);
    throw new Mistake("settings", nothing.message, `${nothing.hint}; or, for WSSE, a username and a secret`);
  }
  if (baseUrl === null) throw missingMistake(["baseUrl"]);
  checkClearText(baseUrl, options.insecureHttp);
  const endpoint = baseUrl.value;
  const proxy = proxySetting(layers, endpoint, context.environment);
  // Only TLS needs certificates; a broken file is no reason to stop a check without it.
  const certificates = endpoint.secure ? await extraCertificates(layers, context) : null;
  const route: Route = {
    baseUrl: baseUrl.source,
    proxy: proxy?.source ?? null,
    caCert: certificates?.source ?? null,
  };
  refuseTravel(
    credentials.flatMap((planned) => planned.sources),
    route,
  );
  const token = options.diagnose ? await spareToken(layers, route, reader) : null;
  const common = {
    profile,
    url: endpoint.url,
    timeoutSeconds: numberSetting(layers, "timeout").value,
    retries: numberSetting(layers, "retry").value,
    proxy: proxy?.value ?? null,
    extraCertificates: certificates?.value ?? [],
    diagnose: options.diagnose,
    spareToken: token?.method === "token" ? token.token : null,
  };
  return credentials.map(({ credential, description }) => ({
    ...common,
    credential,
    description,
    hints: {
      suffixGiven: endpoint.suffixGiven,
      hidden: hiddenByEnvironment(layers, [["baseUrl"], ...partsOf[credential.method]]),
      otherHosts: hosts,
    },
  }));
}

const partsOf = {
  token: [["token", "tokenFile"]],
  wsse: [["username"], ["secret", "secretFile"], ["digest"], ["hash"]],
} as const satisfies Record<Method, ReadonlyArray<readonly SettingName[]>>;
