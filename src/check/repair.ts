import { usernameProblem } from "../wsse/header.ts";
import { looksSwapped } from "../wsse/username.ts";
import type { Credential, WrappedSecret } from "./credential.ts";
import { cleanedText, type PasteMistakeKind, pasteMistakes } from "./paste-mistakes.ts";

/** The paste mistakes in a part of a credential. */
export interface PastedPart {
  readonly name: "token" | "username" | "secret";
  /** The kinds of its mistakes, each once. */
  readonly mistakes: readonly PasteMistakeKind[];
  /** Whether there are any, and a value remains without them. */
  readonly cleanable: boolean;
}

/** The paste mistakes in each part of a credential. The result contains no text of the credential. */
export function pastedParts(credential: Credential): readonly PastedPart[] {
  const parts =
    credential.method === "token"
      ? ([["token", credential.token.reveal()]] as const)
      : ([
          ["username", credential.username],
          ["secret", credential.secret.reveal()],
        ] as const);
  return parts.map(([name, text]) => ({
    name,
    mistakes: [...new Set(pasteMistakes(text).map(({ kind }) => kind))],
    cleanable: cleanedText(text) !== text,
  }));
}

/** A credential that may be meant instead. */
interface RepairedCredential {
  readonly credential: Credential;
  readonly cleaned: readonly PastedPart[];
  /** Whether username and secret changed places. */
  readonly swapped: boolean;
}

function wrapped(text: string): WrappedSecret {
  return { reveal: () => text };
}

/**
 * The credential without its visible mistakes: without paste mistakes, and with username and secret exchanged if they look
 * swapped. Null if it has no such mistakes, or if no header can carry the result. Pure.
 */
export function repaired(credential: Credential): RepairedCredential | null {
  const cleaned = pastedParts(credential).filter(({ cleanable }) => cleanable);
  if (credential.method === "token") {
    if (cleaned.length === 0) return null;
    const token = wrapped(cleanedText(credential.token.reveal()));
    return { credential: { ...credential, token }, cleaned, swapped: false };
  }
  const [username, secret] = [cleanedText(credential.username), cleanedText(credential.secret.reveal())];
  const swapped = looksSwapped(username, secret);
  if (!swapped && cleaned.length === 0) return null;
  const [name, key] = swapped ? [secret, username] : [username, secret];
  // The header cannot carry every text as a username.
  if (usernameProblem(name) !== null) return null;
  return { credential: { ...credential, username: name, secret: wrapped(key) }, cleaned, swapped };
}
