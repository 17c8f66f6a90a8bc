import { setTimeout as delay } from "node:timers/promises";
import { type Check, checkCredential } from "../check/check.ts";
import type { Credential, Freshness } from "../check/credential.ts";
import type { CheckResult } from "../check/outcome.ts";
import { Mistake } from "../mistake.ts";
import { type Endpoint, endpointOf, parseHttpUrl } from "../settings/base-url.ts";
import { checkSecret } from "../settings/credentials.ts";
import { Secret } from "../settings/secret.ts";
import { definitionOf } from "../settings/table.ts";
import { conventionNames, hashNames } from "../wsse/digest.ts";
import { usernameProblem } from "../wsse/header.ts";
import type { CheckOptions } from "./options.ts";

function invalid(option: string, problem: string, hint: string): Mistake {
  return new Mistake("settings", `${option} ${problem}`, hint);
}

function endpointFor({ baseUrl, insecureHttp = false }: CheckOptions): Endpoint {
  const endpoint = endpointOf(baseUrl);
  if ("problem" in endpoint) throw invalid("baseUrl", endpoint.problem, endpoint.hint);
  if (endpoint.secure || endpoint.loopback || insecureHttp) return endpoint;
  throw invalid(
    "baseUrl",
    "uses http:// for a host that is not a loopback address, so anyone on the way could read the credential",
    "Use https://, or allow it with insecureHttp",
  );
}

function proxyFor({ proxy }: CheckOptions, { secure }: Endpoint): URL | null {
  if (proxy === undefined) return null;
  const url = parseHttpUrl(proxy, "allowed");
  if ("problem" in url) throw invalid("proxy", url.problem, url.hint);
  if (!secure)
    throw invalid("proxy", "could read a request to an http:// base URL", "Use an https:// base URL");
  return url;
}

/** A number within the bounds of the setting that it stands for. */
function numberFor(option: string, setting: "timeout" | "retry", given: number | undefined): number {
  const { fallback, minimum = 0, maximum = 0, fraction = false } = definitionOf(setting);
  const value = given ?? Number(fallback);
  const wellFormed = fraction ? Number.isFinite(value) : Number.isInteger(value);
  if (wellFormed && value >= minimum && value <= maximum) return value;
  const what = fraction ? "a number" : "a whole number";
  throw invalid(
    option,
    `is not ${what} from ${minimum} to ${maximum}`,
    `Leave it out for the default, ${fallback}`,
  );
}

/** The name itself, or the default one. */
function choiceFor<Name extends string>(
  option: string,
  names: readonly Name[],
  given: Name | undefined,
): Name {
  const name = given ?? names[0];
  if (name !== undefined && names.includes(name)) return name;
  throw invalid(option, `is not one of ${names.join(", ")}`, "Write one of them");
}

function secretFor(name: "token" | "secret", text: unknown): Secret {
  const given = typeof text === "string" ? text : "";
  checkSecret(name, given, { source: { kind: "flag", flag: `credential.${name}` } });
  return new Secret(given);
}

function credentialFor({ credential }: CheckOptions): Credential {
  switch (credential.method) {
    case "token":
      return { method: "token", token: secretFor("token", credential.token) };
    case "wsse": {
      const { username, secret, digest, hash } = credential;
      const problem = usernameProblem(username ?? "");
      if (problem !== null)
        throw invalid("credential.username", problem, "Write it exactly as the account shows it");
      return {
        method: "wsse",
        username,
        secret: secretFor("secret", secret),
        digest: choiceFor("credential.digest", conventionNames, digest),
        hash: choiceFor("credential.hash", hashNames, hash),
      };
    }
    default:
      throw invalid("credential.method", "is neither token nor wsse", "Write one of them");
  }
}

/** The credential in words, without the secret. */
function describe(credential: Credential): string {
  if (credential.method === "token") return "the token";
  const { username, digest, hash } = credential;
  return `${username}, ${digest} with ${hash}`;
}

function certificatesFor({ caCertificates = [] }: CheckOptions): readonly string[] {
  for (const certificate of caCertificates) {
    if (certificate.includes("-----BEGIN CERTIFICATE-----")) continue;
    throw invalid(
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
  return {
    profile: null,
    description: describe(credential),
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
