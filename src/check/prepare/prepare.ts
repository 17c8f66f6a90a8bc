// Prepares the checks of one account, for the command line and the library, and applies the trust rule. It sends nothing.

import { InputError, inputErrorOf } from "../../errors.ts";
import { Hints } from "../../settings/advice.ts";
import type { Method } from "../../settings/definition.ts";
import { certificatesIn, type Inputs, readSecret } from "../../settings/inputs.ts";
import { proxyResolves, type Resolution, resolutionOf } from "../../settings/resolution.ts";
import { type Settings, trustOfPart } from "../../settings/resolve.ts";
import type { Secret } from "../../settings/secret.ts";
import type { Check } from "../check-context.ts";
import { type SentCredential, secretsOf } from "../credential.ts";
import {
  credentialOf,
  missingError,
  nothingSet,
  orWsse,
  type PreparedCredential,
} from "./prepare-credential.ts";

/** How one run checks, the same for all accounts. */
export interface CheckSettings {
  /** If no method is selected, every one that has credentials is checked. */
  readonly selected: readonly Method[];
  readonly insecureHttp: boolean;
  readonly diagnose: boolean;
  /** What the options `--resolve` say. */
  readonly resolve?: readonly Resolution[];
}

/** Throws InputError if the base URL would send credentials in clear text to a host that is not loopback. The address of --resolve counts. */
export function checkClearText(
  settings: Settings,
  insecureHttp: boolean,
  resolution: Resolution | null = null,
): void {
  const refusal = insecureHttp ? null : settings.clearTextRefusal(resolution);
  if (refusal !== null) throw refusal;
}

function certificatesOf(settings: Settings, inputs: Inputs): readonly string[] | Promise<readonly string[]> {
  const { given } = settings.get("extraCertificates");
  // An option of the library holds the certificates themselves; every other setting names a file.
  return given?.source.kind === "option" ? certificatesIn(given) : given ? inputs.certificates(given) : [];
}

/** The token that a diagnosis may try as the secret, if it can be read and the token itself may be sent by this route. */
async function spareToken(
  { method }: SentCredential,
  settings: Settings,
  inputs: Inputs,
): Promise<Secret | null> {
  if (method === "token") return null;
  const token = await readSecret("token", settings, inputs).catch(inputErrorOf);
  if (token === null || token instanceof InputError) return null;
  return settings.travelRefusal(token.given) === null ? token.value : null;
}

/** The error for which `test` would send nothing for this account; null if it would. */
export async function refusalOf(
  settings: Settings,
  inputs: Inputs,
  selected: readonly Method[],
): Promise<InputError | null> {
  const run = { selected, insecureHttp: false, diagnose: false };
  const prepared = Promise.resolve().then(() => {
    for (const name of ["concurrency", "maxWaitSeconds"] as const) settings.value(name);
    return prepareChecks(settings, inputs, run);
  });
  return prepared.then(() => null, inputErrorOf);
}

/**
 * Prepares the checks of one account and sends nothing. Rejects with InputError for the first setting that is missing or invalid, and if a
 * credential may not be sent by this route.
 */
export async function prepareChecks(
  settings: Settings,
  inputs: Inputs,
  { selected, insecureHttp, diagnose, resolve = [] }: CheckSettings,
): Promise<readonly Check[]> {
  const baseUrl = settings.value("baseUrl");
  const prepared: PreparedCredential[] = [];
  for (const method of selected.length > 0 ? selected : settings.methods)
    prepared.push(await credentialOf(method, settings, inputs));
  if (prepared.length === 0) {
    const isWsse = settings.get("username").given !== null;
    const missing = isWsse ? (["secret"] as const) : (["token"] as const);
    const { chosenBy, rc, reader } = settings.scope;
    if (baseUrl === null && !isWsse && rc === null && chosenBy === "none" && reader === "commandLine")
      throw nothingSet(settings);
    const instead = isWsse ? "" : orWsse;
    throw missingError(baseUrl === null ? ["baseUrl", ...missing] : missing, settings, instead);
  }
  if (baseUrl === null) throw missingError(["baseUrl"], settings);
  const resolution = resolutionOf(resolve, baseUrl.url);
  checkClearText(settings, insecureHttp, resolution);
  const proxy = settings.value("proxy");
  const refused = resolution && proxyResolves(settings, resolution);
  if (refused !== null) throw refused;
  // Without TLS no certificate is needed, so a broken file is no error.
  const extraCertificates = baseUrl.secure ? await certificatesOf(settings, inputs) : [];
  for (const part of prepared.flatMap(({ parts }) => parts)) {
    const refusal = settings.travelRefusal(part);
    if (refusal !== null) throw refusal;
  }
  const redact = settings.redactor(prepared.flatMap(({ credential }) => secretsOf(credential)));
  const profile = settings.profile && redact(settings.profile);
  return prepared.map(({ credential, parts, describe }) => {
    const isYours = parts.some((part) => trustOfPart(part) === "yours");
    return {
      profile,
      baseUrl: baseUrl.url,
      address: resolution?.address ?? null,
      timeoutSeconds: settings.value("timeoutSeconds"),
      proxy,
      extraCertificates,
      diagnose,
      spareToken: () => spareToken(credential, settings, inputs),
      redact,
      credential,
      description: describe(redact),
      retries: settings.value("retries"),
      hints: new Hints(settings, credential.method, isYours),
    };
  });
}
