import { fieldValueProblem, usernameProblem } from "../wsse/header.ts";
import type { Credential, WrappedSecret } from "./credential.ts";
import { cleanedText, type PasteMistakeKind, pasteMistakes } from "./paste-mistakes.ts";

/** The paste mistakes in a part of a credential. */
export interface PastedPart {
  readonly name: "token" | "username" | "secret";
  /** The kinds of its mistakes, each once. */
  readonly mistakes: readonly PasteMistakeKind[];
}

/** A part whose mistakes can be removed. */
export interface CleanedPart extends PastedPart {
  /** Puts the text without its mistakes into a credential. */
  clean(credential: Credential): Credential;
}

function textsOf(credential: Credential) {
  return credential.method === "token"
    ? ([["token", credential.token.reveal()]] as const)
    : ([
        ["username", credential.username],
        ["secret", credential.secret.reveal()],
      ] as const);
}

const mistakesIn = (text: string): readonly PasteMistakeKind[] => [
  ...new Set(pasteMistakes(text).map(({ kind }) => kind)),
];

/** The paste mistakes in each part of a credential. The result contains no text of the credential. */
export function pastedParts(credential: Credential): readonly PastedPart[] {
  return textsOf(credential).map(([name, text]) => ({ name, mistakes: mistakesIn(text) }));
}

const wrapped = (text: string): WrappedSecret => ({ reveal: () => text });

const problemOf = { token: fieldValueProblem, username: usernameProblem, secret: () => null } as const;

/** The parts that have paste mistakes and would be valid without them. Pure. */
export function cleanedParts(credential: Credential): readonly CleanedPart[] {
  return textsOf(credential)
    .map(([name, text]) => ({ name, text, cleaned: cleanedText(text) }))
    .filter(({ name, text, cleaned }) => cleaned !== text && problemOf[name](cleaned) === null)
    .map(({ name, text, cleaned }) => ({
      name,
      mistakes: mistakesIn(text),
      clean: (one) => {
        if (one.method === "token") return { ...one, token: wrapped(cleaned) };
        return name === "username" ? { ...one, username: cleaned } : { ...one, secret: wrapped(cleaned) };
      },
    }));
}
