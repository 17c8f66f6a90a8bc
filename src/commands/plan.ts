import type { Check } from "../check/check.ts";
import type { Credential } from "../check/credential.ts";
import type { Method } from "../check/outcome.ts";
import type { Context } from "../context.ts";
import { Mistake } from "../mistake.ts";
import type { Endpoint } from "../settings/base-url.ts";
import { readNamedFile, type SecretReader, usernameSetting } from "../settings/credentials.ts";
import { hiddenByEnvironment, knownHosts } from "../settings/hints.ts";
import { givenFor, type Layer } from "../settings/layers.ts";
import { layersOf, type Sources } from "../settings/load.ts";
import { describeSource, type Source } from "../settings/source.ts";
import type { SettingName } from "../settings/table.ts";
import { explainRefusal, type Route, travelRefusal } from "../settings/trust.ts";
import {
  baseUrlSetting,
  choiceSetting,
  numberSetting,
  pathSetting,
  proxySetting,
  type Setting,
} from "../settings/values.ts";
import { conventionNames, hashNames } from "../wsse/digest.ts";
import type { Selection } from "./options.ts";

/** A credential, and where each part of it was set. */
export interface PlannedCredential {
  readonly credential: Credential;
  readonly sources: readonly Source[];
}

const missing = {
  baseUrl: "a base URL (--base-url, REFERRAL_BASE_URL or baseUrl in .referralrc)",
  token: "a token (--token-file, REFERRAL_TOKEN or token in .referralrc)",
  username: "a username (--username, REFERRAL_USERNAME or username in .referralrc)",
  secret: "a secret (--secret-file, REFERRAL_SECRET or secret in .referralrc)",
} as const;

function missingMistake(parts: ReadonlyArray<keyof typeof missing>): Mistake {
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

async function tokenCredential(layers: readonly Layer[], reader: SecretReader): Promise<PlannedCredential> {
  const token = await reader.read("token", layers);
  if (token === null) throw missingMistake(["token"]);
  return { credential: { method: "token", token: token.value }, sources: [token.source] };
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

function checkClearText({ value, source }: Setting<Endpoint>, insecureHttp: boolean): void {
  if (value.secure || value.loopback || insecureHttp) return;
  throw new Mistake(
    "settings",
    `${describeSource(source)} is http:// to a host that is no loopback address, so anyone on the way could read the credential`,
    "Use https://, http://127.0.0.1 or http://[::1] for a local server, or allow it with --insecure-http",
  );
}

function extraCertificates(layers: readonly Layer[], context: Context): Setting<readonly string[]> | null {
  const given = pathSetting(layers, "caCert");
  if (given === null) return null;
  const text = Buffer.from(readNamedFile(given, 8 * 1024 * 1024, context)).toString("latin1");
  if (!text.includes("-----BEGIN CERTIFICATE-----")) {
    throw new Mistake(
      "settings",
      `${describeSource(given.source)} names a file without a PEM certificate`,
      'Give a file with "-----BEGIN CERTIFICATE-----" in it; openssl x509 -inform der converts others',
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
  sources: Sources,
  profile: string | null,
  options: RunOptions,
  reader: SecretReader,
  context: Context,
): Promise<readonly Check[]> {
  const layers = layersOf(sources, profile);
  const baseUrl = baseUrlSetting(layers);
  const credentials = await planCredentials(layers, options.selection, reader);
  if (credentials.length === 0) {
    const nothing = missingMistake(baseUrl === null ? ["baseUrl", "token"] : ["token"]);
    throw new Mistake("settings", nothing.message, `${nothing.hint}; for WSSE, username and secret`);
  }
  if (baseUrl === null) throw missingMistake(["baseUrl"]);
  checkClearText(baseUrl, options.insecureHttp);
  const endpoint = baseUrl.value;
  const proxy = proxySetting(layers, endpoint, context.environment);
  // Only TLS needs certificates; a broken file is no reason to stop a check without it.
  const certificates = endpoint.secure ? extraCertificates(layers, context) : null;
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
  return credentials.map(({ credential }) => ({
    ...common,
    credential,
    hints: {
      suffixGiven: endpoint.suffixGiven,
      hidden: hiddenByEnvironment(layers, [["baseUrl"], ...partsOf[credential.method]]),
      otherHosts: knownHosts(sources),
    },
  }));
}

const partsOf = {
  token: [["token", "tokenFile"]],
  wsse: [["username"], ["secret", "secretFile"], ["digest"], ["hash"]],
} as const satisfies Record<Method, ReadonlyArray<readonly SettingName[]>>;
