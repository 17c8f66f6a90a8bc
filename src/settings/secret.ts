// Secrets, wrapped from the moment they are read; and how each part of a credential is read and refused.

import { choice, faulty, type Invalid } from "../options/readers.ts";
import { masked } from "../redaction/redact.ts";
import { unseenAround, unseenIn } from "../wsse/characters.ts";
import { conventionNames, hashNames } from "../wsse/digest.ts";
import { authorizationModes, fieldValueProblem, usernameProblem } from "../wsse/header.ts";
import { maxNameLength } from "./definition.ts";

/** A credential whose string, JSON and inspect forms are masked. Reveal it only for a header or to redact. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The credential itself. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return masked;
  }

  toJSON(): string {
    return masked;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return masked;
  }
}

/** The two settings that are secret. */
export type SecretName = "token" | "secret";

/** The shape of tokens that the specification shows (section 5): 40 hexadecimal characters. */
export const documentedShape = /^[0-9a-f]{40}$/i;

/** A secret's length, and the last four characters of one in the documented shape. Nothing else of it may be shown. */
export function describeLength(text: string): string {
  const count = [...text].length;
  const length = `${count} character${count === 1 ? "" : "s"}`;
  return documentedShape.test(text) ? `${length}, ending in ${text.slice(-4)}` : length;
}

/** The token or secret, unless no header can carry it, or it begins or ends with white space, or it was not UTF-8. */
function parseSecret(name: SecretName, text: string): Secret | Invalid {
  if (text === "") return faulty("is empty", `Check where the ${name} is read from`);
  // Node.js puts U+FFFD in place of bytes of a variable or an argument that are not UTF-8.
  if (Buffer.from(text).toString().includes("\ufffd"))
    return faulty(
      "is not UTF-8 text: it contains U+FFFD, which stands for other bytes",
      `Set the ${name} in a terminal or a file that uses UTF-8`,
    );
  const problem = name === "token" ? fieldValueProblem(text) : null;
  // Inside a secret, which is only hashed, every other character is legal.
  const unseen = name === "token" ? unseenIn(text) : (unseenAround(text) ?? unseenIn(text, /\ufeff/));
  if (unseen !== null && (problem ?? unseen.problem) === unseen.problem)
    return faulty(unseen.problem, unseen.hint);
  return problem === null ? new Secret(text) : faulty(problem, "Copy the token again, alone and on one line");
}

/** The username, if it is not too long and the X-WSSE header can carry it. */
function parseUsername(text: string): string | Invalid {
  if (text.length > maxNameLength)
    return faulty(`has more than ${maxNameLength} characters`, "Check what it was copied from");
  const problem = usernameProblem(text);
  const unseen = unseenIn(text);
  if (unseen !== null && problem === unseen.problem) return faulty(unseen.problem, unseen.hint);
  return problem === null ? text : faulty(problem, "Write it exactly as the account shows it");
}

/** How each part of a credential is read. A program that only makes headers bundles these without the table of settings. */
export const partReaders = {
  token: { kind: "secret", parse: (text: string) => parseSecret("token", text) },
  username: { kind: "text", parse: parseUsername },
  secret: { kind: "secret", parse: (text: string) => parseSecret("secret", text) },
  digest: choice(conventionNames),
  hash: choice(hashNames),
  authorization: choice(authorizationModes),
} as const;
