import { setTimeout as delay } from "node:timers/promises";
import { type Check, checkCredential } from "../check/check.ts";
import { type Credential, type Freshness, secretsOf } from "../check/credential.ts";
import type { CheckResult } from "../check/outcome.ts";
import { type Redactor, redactorOf } from "../redact.ts";
import { type Endpoint, endpointOf, parseHttpUrl } from "../settings/base-url.ts";
import { definitionOf } from "../settings/table.ts";
import { credentialFor, invalidOption } from "./credential.ts";
import type { CheckOptions } from "./options.ts";

function endpointFor({ baseUrl, insecureHttp = false }: CheckOptions): Endpoint {
  const endpoint = endpointOf(baseUrl);
  if ("problem" in endpoint) throw invalidOption("baseUrl", endpoint.problem, endpoint.hint);
  if (endpoint.secure || endpoint.loopback || insecureHttp) return endpoint;
  throw invalidOption(
    "baseUrl",
    "uses http:// for a host that is not a loopback address, so anyone on the way could read the credential",
    "Use https://, or allow it with insecureHttp",
  );
}

function proxyFor({ proxy }: CheckOptions, { secure }: Endpoint): URL | null {
  if (proxy === undefined) return null;
  const url = parseHttpUrl(proxy, "allowed");
  if ("problem" in url) throw invalidOption("proxy", url.problem, url.hint);
  if (!secure)
    throw invalidOption("proxy", "could read a request to an http:// base URL", "Use an https:// base URL");
  return url;
}

/** A number within the bounds of the setting that it stands for. */
function numberFor(option: string, setting: "timeout" | "retry", given: number | undefined): number {
  const { fallback, minimum = 0, maximum = 0, fraction = false } = definitionOf(setting);
  const value = given ?? Number(fallback);
  const wellFormed = fraction ? Number.isFinite(value) : Number.isInteger(value);
  if (wellFormed && value >= minimum && value <= maximum) return value;
  const what = fraction ? "a number" : "a whole number";
  throw invalidOption(
    option,
    `is not ${what} from ${minimum} to ${maximum}`,
    `Leave it out for the default, ${fallback}`,
  );
}

/** The credential in words, without the secret. */
function describe(credential: Credential, redact: Redactor): string {
  if (credential.method === "token") return "the token";
  const { username, digest, hash } = credential;
  return `${redact(username)}, ${digest} with ${hash}`;
}

function certificatesFor({ caCertificates = [] }: CheckOptions): readonly string[] {
  for (const certificate of caCertificates) {
    if (certificate.includes("-----BEGIN CERTIFICATE-----")) continue;
    throw invalidOption(
      "caCertificates",
      "holds a text without a PEM certificate",
      "Give the content of a PEM file",
    );
  }
  return caCertificates;
}

function checkFor(options: CheckOptions): Check {
  const endpoint = endpointFor(options);
  const credential = credentialFor(options);
  const redact = redactorOf(secretsOf(credential));
  return {
    profile: null,
    description: describe(credential, redact),
    redact,
    url: endpoint.url,
    credential,
    proxy: proxyFor(options, endpoint),
    extraCertificates: certificatesFor(options),
    timeoutSeconds: numberFor("timeoutSeconds", "timeout", options.timeoutSeconds),
    retries: numberFor("retries", "retry", options.retries),
    // Further requests may count as failed logins, so only the command line offers them.
    diagnose: false,
    spareToken: null,
    hints: { suffixGiven: endpoint.suffixGiven, hidden: [], otherHosts: [] },
  };
}

/** Makes the check that the options describe. Rejects with Mistake, or with the reason of the signal. */
export async function checkWith(options: CheckOptions, freshness: Freshness): Promise<CheckResult> {
  const check = checkFor(options);
  const { signal = new AbortController().signal } = options;
  const wait = (milliseconds: number): Promise<void> =>
    delay(milliseconds, undefined, { signal }).catch(() => {
      throw signal.reason;
    });
  const silent = async (): Promise<void> => {};
  return checkCredential(
    check,
    { ...freshness, wait, interrupted: signal },
    { announce: silent, observed: silent },
  );
}
