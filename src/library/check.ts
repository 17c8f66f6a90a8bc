import { setTimeout as delay } from "node:timers/promises";
import { type Check, checkCredential } from "../check/check.ts";
import { contextOfRun } from "../check/check-context.ts";
import { type ClockAndRandom, type Credential, secretsOf } from "../check/credential.ts";
import type { CheckResult } from "../check/outcome.ts";
import { type Redactor, redactorOf } from "../redaction/redact.ts";
import { adviceFor } from "../settings/advice.ts";
import { type Endpoint, endpointOf } from "../settings/base-url.ts";
import { parseProxy } from "../settings/proxy.ts";
import { definitionOf } from "../settings/table.ts";
import type { CheckOptions } from "./check-options.ts";
import { credentialFor } from "./credential.ts";
import {
  booleanFor,
  fieldsOf,
  invalidOption,
  listFor,
  numberFor,
  signalFor,
  textFor,
} from "./option-values.ts";

function endpointFor(given: unknown, insecureHttp: unknown): Endpoint {
  const isAllowed = booleanFor("insecureHttp", insecureHttp);
  const endpoint = endpointOf(textFor("baseUrl", given));
  if ("problem" in endpoint) throw invalidOption("baseUrl", endpoint.problem, endpoint.hint);
  if (endpoint.secure || endpoint.loopback || isAllowed) return endpoint;
  throw invalidOption(
    "baseUrl",
    "uses http:// for a host that is not a loopback address, so anyone on the way could read the credential",
    "Use https://, or allow it with insecureHttp",
  );
}

function proxyFor(given: unknown, { secure }: Endpoint): URL | null {
  if (given === undefined) return null;
  const url = parseProxy(textFor("proxy", given));
  if ("problem" in url) throw invalidOption("proxy", url.problem, url.hint);
  if (!secure)
    throw invalidOption("proxy", "could read a request to an http:// base URL", "Use an https:// base URL");
  return url;
}

/** A number within the bounds of the setting that it stands for, or the setting's default. */
function settingFor(option: string, setting: "timeout" | "retry", given: unknown): number {
  const { fallback, ...bounds } = definitionOf(setting);
  return numberFor(option, given === undefined ? Number(fallback) : given, bounds);
}

/** The credential in words, without the secret. */
function describe(credential: Credential, redact: Redactor): string {
  if (credential.method === "token") return "the token";
  const { username, digest, hash } = credential;
  return `${redact(username)}, ${digest} with ${hash}`;
}

function certificatesFor(given: unknown): readonly string[] {
  return listFor("caCertificates", given).map((certificate) => {
    if (typeof certificate === "string" && certificate.includes("-----BEGIN CERTIFICATE-----"))
      return certificate;
    throw invalidOption(
      "caCertificates",
      "holds something without a PEM certificate",
      "Give the content of PEM files",
    );
  });
}

/** The check that the options describe, and what ends it. */
function checkFor(given: unknown): { readonly check: Check; readonly signal: AbortSignal } {
  // Each option is read once, so that what has been checked is what counts.
  const { baseUrl, insecureHttp, credential: account, proxy, ...options } = fieldsOf("options", given);
  const endpoint = endpointFor(baseUrl, insecureHttp);
  const credential = credentialFor(account);
  const redact = redactorOf(secretsOf(credential));
  const check = {
    profile: null,
    description: describe(credential, redact),
    redact,
    url: endpoint.url,
    credential,
    proxy: proxyFor(proxy, endpoint),
    extraCertificates: certificatesFor(options.caCertificates),
    timeoutSeconds: settingFor("timeoutSeconds", "timeout", options.timeoutSeconds),
    retries: settingFor("retries", "retry", options.retries),
    // Further requests may count as failed logins, so only the command line offers them.
    diagnose: false,
    spareToken: null,
    hints: {
      ...adviceFor([], null, null),
      placeOf: (setting: string) => `the option ${setting}`,
      suffixGiven: endpoint.suffixGiven,
      hidden: [],
      otherHosts: [],
      yamlComment: null,
    },
  };
  return { check, signal: signalFor("signal", options.signal) ?? new AbortController().signal };
}

/** Makes the check that the options describe. Rejects with InputError, or with the reason of the signal. */
export async function checkWith(options: CheckOptions, freshness: ClockAndRandom): Promise<CheckResult> {
  const { check, signal } = checkFor(options);
  const wait = (milliseconds: number): Promise<void> =>
    delay(milliseconds, undefined, { signal }).catch(() => {
      throw signal.reason;
    });
  const silent = async (): Promise<void> => {};
  return checkCredential(check, contextOfRun({ ...freshness, wait, interrupted: signal }), {
    announce: silent,
    observed: silent,
  });
}
