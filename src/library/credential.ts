import type { ClockAndRandom, Credential } from "../check/credential.ts";
import { Secret } from "../settings/secret.ts";
import { checkSecret } from "../settings/secret-reader.ts";
import { authorizationModes } from "../wsse/authorization.ts";
import { conventionNames, defaultAlgorithm, hashNames } from "../wsse/digest.ts";
import { nonceBytes, usernameProblem } from "../wsse/header.ts";
import { choiceFor, fieldsOf, invalidOption, numberFor, textFor } from "./option-values.ts";

function secretFor(option: string, name: "token" | "secret", given: unknown): Secret {
  const text = textFor(option, given);
  checkSecret(name, text, { source: { kind: "flag", flag: option } });
  return new Secret(text);
}

/** The account as a credential; `option` is what the program calls it. Throws InputError where it cannot be sent. */
export function accountFor(given: unknown, option: string): Extract<Credential, { method: "wsse" }> {
  const { username: name, secret, digest, hash, authorization } = fieldsOf(option, given);
  const username = textFor(`${option}.username`, name);
  const problem = usernameProblem(username);
  if (problem !== null)
    throw invalidOption(`${option}.username`, problem, "Write it exactly as the account shows it");
  return {
    method: "wsse",
    username,
    secret: secretFor(`${option}.secret`, "secret", secret),
    digest: choiceFor(`${option}.digest`, digest, conventionNames, defaultAlgorithm.digest),
    hash: choiceFor(`${option}.hash`, hash, hashNames, defaultAlgorithm.hash),
    authorization: choiceFor(`${option}.authorization`, authorization, authorizationModes, "none"),
  };
}

/** The credential to check. Throws InputError where it cannot be sent. */
export function credentialFor(given: unknown): Credential {
  const { method, token } = fieldsOf("credential", given);
  switch (method) {
    case "token":
      return { method, token: secretFor("credential.token", "token", token) };
    case "wsse":
      return accountFor(given, "credential");
    default:
      throw invalidOption("credential.method", "is neither token nor wsse", "Write one of them");
  }
}

/** The time and nonce of a header, fresh where they are left out. Throws InputError for those that it cannot carry. */
export function freshnessFor(
  given: unknown,
  fresh: ClockAndRandom,
): { readonly now: number; readonly nonce: Uint8Array } {
  const { now = fresh.now(), nonce = fresh.randomBytes(nonceBytes) } = fieldsOf("freshness", given);
  if (!(nonce instanceof Uint8Array) || nonce.length !== nonceBytes)
    throw invalidOption("freshness.nonce", `is not ${nonceBytes} bytes`, "Leave it out for a random one");
  // Created has four digits for the year.
  const maximum = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
  return { now: numberFor("freshness.now", now, { maximum, fraction: true }), nonce };
}
