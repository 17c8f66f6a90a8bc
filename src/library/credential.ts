import type { Credential } from "../check/credential.ts";
import { Mistake } from "../mistake.ts";
import { checkSecret } from "../settings/credentials.ts";
import { Secret } from "../settings/secret.ts";
import { conventionNames, defaultRecipe, hashNames } from "../wsse/digest.ts";
import { usernameProblem } from "../wsse/header.ts";
import type { CheckOptions, WsseAccount } from "./options.ts";

/** The mistake of an option, named as the program passes it. */
export function invalidOption(option: string, problem: string, hint: string): Mistake {
  return new Mistake("settings", `${option} ${problem}`, hint);
}

// Programs without types can pass anything.
const textOf = (given: unknown): string => (typeof given === "string" ? given : "");

function secretFor(option: string, name: "token" | "secret", given: unknown): Secret {
  const text = textOf(given);
  checkSecret(name, text, { source: { kind: "flag", flag: option } });
  return new Secret(text);
}

function choiceFor<Name extends string>(option: string, names: readonly Name[], given: Name): Name {
  if (names.includes(given)) return given;
  throw invalidOption(option, `is not one of ${names.join(", ")}`, "Write one of them");
}

/** The account as a credential; `option` is what the program calls it. Throws Mistake where it cannot be sent. */
export function accountFor(
  { username, secret, digest = defaultRecipe.digest, hash = defaultRecipe.hash }: WsseAccount,
  option: string,
): Extract<Credential, { method: "wsse" }> {
  const problem = usernameProblem(textOf(username));
  if (problem !== null)
    throw invalidOption(`${option}.username`, problem, "Write it exactly as the account shows it");
  return {
    method: "wsse",
    username,
    secret: secretFor(`${option}.secret`, "secret", secret),
    digest: choiceFor(`${option}.digest`, conventionNames, digest),
    hash: choiceFor(`${option}.hash`, hashNames, hash),
  };
}

/** The credential to check. Throws Mistake where it cannot be sent. */
export function credentialFor({ credential }: CheckOptions): Credential {
  switch (credential.method) {
    case "token":
      return { method: "token", token: secretFor("credential.token", "token", credential.token) };
    case "wsse":
      return accountFor(credential, "credential");
    default:
      throw invalidOption("credential.method", "is neither token nor wsse", "Write one of them");
  }
}
