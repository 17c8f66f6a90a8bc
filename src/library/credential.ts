import type { Credential } from "../check/credential.ts";
import { choice, isInvalid } from "../settings/definition.ts";
import { parseSecret, parseUsername } from "../settings/secret.ts";
import { describePart } from "../settings/source.ts";
import { authorizationModes } from "../wsse/authorization.ts";
import { conventionNames, defaultAlgorithm, hashNames } from "../wsse/digest.ts";
import { credentialOptions, type PartName } from "./credential-options.ts";
import { invalidOption } from "./option-values.ts";

/** How each part is parsed, as in the table of settings. Importing the table would double the size of a header's bundle. */
const parsers = {
  token: (text: string) => parseSecret("token", text),
  username: parseUsername,
  secret: (text: string) => parseSecret("secret", text),
  digest: choice(conventionNames).parse,
  hash: choice(hashNames).parse,
  authorization: choice(authorizationModes).parse,
} as const satisfies Record<PartName, (text: string) => unknown>;
type Parsed = { [Name in PartName]: Exclude<ReturnType<(typeof parsers)[Name]>, { problem: string }> };

const isChoice = (name: PartName): boolean => name in { digest: 1, hash: 1, authorization: 1 };

/** The credential that these options describe. Throws InputError for those that a check refuses, with the same message. */
export function credentialFrom(option: string, given: unknown, onlyMethod?: "wsse"): Credential {
  const options = credentialOptions(option, given, onlyMethod);
  const entries = options.given.map(({ name, option: place, text }) => {
    const value = parsers[name](text);
    if (!isInvalid(value)) return [name, value];
    const subject = isChoice(name) ? place : `The ${describePart(name, { kind: "option", option: place })}`;
    throw invalidOption(subject, value.problem, value.hint);
  });
  const defaults = { ...defaultAlgorithm, authorization: "none" } as const;
  const { token, username, secret, digest, hash, authorization }: Parsed = {
    ...defaults,
    ...Object.fromEntries(entries),
  };
  return options.method === "token"
    ? { method: "token", token }
    : { method: "wsse", username, secret, digest, hash, authorization };
}
