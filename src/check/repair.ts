import { fieldValueProblem, usernameProblem } from "../wsse/header.ts";
import type { Credential, WrappedSecret } from "./credential.ts";
import { cleanedText, type PasteMistakeKind, pasteMistakes } from "./paste-mistakes.ts";

/** A part of a credential, and its paste mistakes. */
interface PastedPart {
  readonly name: "token" | "username" | "secret";
  /** The kinds of its mistakes, each once. */
  readonly mistakes: readonly PasteMistakeKind[];
  /** The text without its mistakes; null if it has none, or would not be valid. */
  readonly cleaned: WrappedSecret | null;
}

const problemOf = { token: fieldValueProblem, username: usernameProblem, secret: () => null } as const;

function pastedPart(name: PastedPart["name"], text: string): PastedPart {
  const cleaned = cleanedText(text);
  return {
    name,
    mistakes: [...new Set(pasteMistakes(text).map(({ kind }) => kind))],
    cleaned: cleaned === text || problemOf[name](cleaned) !== null ? null : { reveal: () => cleaned },
  };
}

/** The parts of a credential with their paste mistakes. No text of the credential is printed by accident. Pure. */
export function pastedParts(credential: Credential): readonly PastedPart[] {
  return credential.method === "token"
    ? [pastedPart("token", credential.token.reveal())]
    : [pastedPart("username", credential.username), pastedPart("secret", credential.secret.reveal())];
}
