import type { Redactor } from "../redaction/redact.ts";
import { type Advice, adviceFor } from "../settings/advice.ts";
import type { Endpoint } from "../settings/base-url.ts";
import { certificatesSetting } from "../settings/certificates.ts";
import type { Inputs } from "../settings/inputs.ts";
import type { Level } from "../settings/levels.ts";
import type { Precedence } from "../settings/precedence.ts";
import type { RcFile } from "../settings/rc-parse.ts";
import { readers } from "../settings/readers.ts";
import { cutByComment, hiddenByEnvironment } from "../settings/remarks.ts";
import type { Secret } from "../settings/secret.ts";
import { readSecret } from "../settings/secret-reader.ts";
import type { SettingName } from "../settings/table.ts";
import { type RouteSources, travelRefusal, trustOfPart, yoursAlone } from "../settings/trust.ts";
import { invalid, type Setting } from "../settings/values.ts";
import type { Check } from "./check.ts";
import { secretsOf } from "./credential.ts";
import type { Method } from "./outcome.ts";
import {
  credentialOf,
  methodsOf,
  missingError,
  type PreparedCredential,
  type Selection,
} from "./prepare-credential.ts";

/** The settings that a credential of each method is made of. */
const partsOf = {
  token: ["token"],
  wsse: ["username", "secret", "digest", "hash", "authorization"],
} as const satisfies Record<Method, readonly SettingName[]>;

/** The settings that people copy from elsewhere. */
const secretsAndNames = {
  token: ["token"],
  wsse: ["username", "secret"],
} as const satisfies Record<Method, readonly SettingName[]>;

/** How one run checks, the same for all accounts. */
export interface CheckSettings {
  readonly selection: Selection;
  readonly insecureHttp: boolean;
  readonly diagnose: boolean;
}

/** The settings of one account, and what its checks share with the run. */
export interface AccountSettings {
  readonly profile: string | null;
  readonly precedence: Precedence;
  readonly rc: RcFile | null;
  /** Makes a redactor of these secrets and of all others that are set for the account. */
  readonly redactorOf: (secrets: readonly string[]) => Redactor;
  readonly inputs: Inputs;
  /** The hosts of all base URLs that are set anywhere. */
  readonly knownHosts: () => readonly string[];
}

function checkClearText({ value, source }: Setting<Endpoint>, insecureHttp: boolean): void {
  if (value.secure || value.loopback || insecureHttp) return;
  throw invalid(
    { setting: "baseUrl", source },
    `uses http:// for a host that is not a loopback address, so anyone on the network could read the credential`,
    `Use https://, or http://127.0.0.1 for a local server; ${source.kind === "option" ? "insecureHttp" : "--insecure-http"} allows it anyway`,
  );
}

// Diagnosis may try the token as the secret, but only if the token itself may be sent by this route.
async function spareToken(
  levels: readonly Level[],
  route: RouteSources,
  inputs: Inputs,
): Promise<Secret | null> {
  const token = await readSecret("token", levels, inputs);
  return token === null || travelRefusal(token, route) !== null ? null : token.value;
}

// Each attempt sends the credential, so the `retry` of a found file applies only to a credential of that file.
function retriesOf({ parts }: PreparedCredential, levels: readonly Level[]): number {
  const isYours = parts.some((part) => trustOfPart(part) === "yours");
  return readers.retry(isYours ? yoursAlone(levels) : levels).value;
}

/**
 * Prepares the checks of one account and sends nothing. Rejects with InputError for the first setting that is missing or
 * invalid, and if a credential may not be sent by this route. The command line and the library both use it.
 */
export async function prepareChecks(
  { profile, precedence, rc, redactorOf, inputs, knownHosts }: AccountSettings,
  { selection, insecureHttp, diagnose }: CheckSettings,
): Promise<readonly Check[]> {
  const { levels } = precedence;
  const baseUrl = readers.baseUrl(levels);
  const prepared: PreparedCredential[] = [];
  for (const method of methodsOf(precedence, selection)) {
    prepared.push(await credentialOf(method, precedence, inputs));
  }
  if (prepared.length === 0) {
    const missing = baseUrl === null ? (["baseUrl", "token"] as const) : (["token"] as const);
    throw missingError(missing, precedence, "; or, for WSSE, a username and a secret");
  }
  if (baseUrl === null) throw missingError(["baseUrl"], precedence);
  checkClearText(baseUrl, insecureHttp);
  const proxy = readers.proxy(levels);
  // Only TLS needs certificates. Without TLS, ignore a broken file.
  const certificates = baseUrl.value.secure ? await certificatesSetting(levels, inputs) : null;
  const route: RouteSources = {
    baseUrl: baseUrl.source,
    proxy: proxy?.source ?? null,
    caCert: certificates?.source ?? null,
  };
  for (const part of prepared.flatMap(({ parts }) => parts)) {
    const refusal = travelRefusal(part, route);
    if (refusal !== null) throw refusal;
  }
  const token = diagnose ? await spareToken(levels, route, inputs) : null;
  const redact = redactorOf([
    ...prepared.flatMap(({ credential }) => secretsOf(credential)),
    ...(token === null ? [] : [token.reveal()]),
  ]);
  const advice: Advice = adviceFor(levels, rc, profile);
  return prepared.map((one) => ({
    profile,
    url: baseUrl.value.url,
    timeoutSeconds: readers.timeout(levels).value,
    proxy: proxy?.value ?? null,
    extraCertificates: certificates === null ? [] : [certificates.value],
    diagnose,
    spareToken: token,
    redact,
    credential: one.credential,
    description: one.describe(redact),
    retries: retriesOf(one, levels),
    hints: {
      ...advice,
      suffixGiven: baseUrl.value.suffixGiven,
      // Only failed checks look at these, and there can be as many hosts as accounts.
      get hidden() {
        return hiddenByEnvironment(levels, ["baseUrl", ...partsOf[one.credential.method]]);
      },
      get cutByComment() {
        return cutByComment(levels, secretsAndNames[one.credential.method]);
      },
      get otherHosts() {
        return knownHosts();
      },
    },
  }));
}
