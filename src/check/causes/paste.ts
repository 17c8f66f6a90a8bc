import { fix, nowSet } from "../../settings/fix.ts";
import { looksSwapped } from "../../wsse/username.ts";
import { pastedParts } from "../credential.ts";
import { type PasteMistakeKind, pasteMistakeKinds, pasteWords } from "../paste-mistakes.ts";
import type { RuleId } from "../result.ts";
import { mayBeRefused, measured, type Rule } from "./evidence.ts";

const ids = {
  placeholder: "credential-placeholder",
  quotes: "credential-quoted",
  prefix: "credential-prefix",
  assignment: "credential-assignment",
} as const satisfies Record<PasteMistakeKind, RuleId>;

// One rule for each kind of paste mistake. No text of the credential is shown.
const pasted = pasteMistakeKinds.map(
  (kind): Rule =>
    (evidence) => {
      if (!mayBeRefused(evidence)) return null;
      const names = pastedParts(evidence.credential)
        .filter(({ mistakes }) => mistakes.includes(kind))
        .map(({ name }) => name);
      if (names.length === 0) return null;
      const subject = names.map((name) => `the ${name}`).join(" and ");
      const verb = names.length === 1 ? "has" : "have";
      const words = pasteWords[kind](names.length === 1 ? "it" : "them");
      return kind === "placeholder"
        ? measured(
            ids[kind],
            `${subject} ${verb} the form of a variable or placeholder, such as $NAME, \${{ … }}, %NAME% or <NAME>`,
            fix`Check why nothing replaced the placeholder ${nowSet(...names)}; a shell replaces nothing in single quotes`,
          )
        : measured(
            ids[kind],
            `${subject} ${verb} ${words}`,
            fix`Set ${subject} without ${words} ${nowSet(...names)}`,
          );
    },
);

const swapped: Rule = (evidence) => {
  const { credential } = evidence;
  if (credential.method !== "wsse" || !mayBeRefused(evidence)) return null;
  if (!looksSwapped(credential.username, credential.secret.reveal())) return null;
  return measured(
    "username-secret-swapped",
    "the secret is an e-mail address and the username is not, as if they were swapped",
    fix`Exchange the username ${nowSet("username")} and the secret ${nowSet("secret")}`,
  );
};

/** Mistakes of copying and pasting that the credential's shape shows. */
export const pasteRules: readonly Rule[] = [...pasted, swapped];
