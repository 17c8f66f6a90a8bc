import { looksSwapped } from "../../wsse/username.ts";
import type { RuleId } from "../outcome.ts";
import { type PasteMistakeKind, pasteMistakeKinds, pasteWords } from "../paste-mistakes.ts";
import { pastedParts } from "../repair.ts";
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
      const places = names.map((name) => evidence.hints.placeOf(name)).join(" and ");
      const subject = names.map((name) => `the ${name}`).join(" and ");
      const verb = names.length === 1 ? "has" : "have";
      const words = names.length === 1 ? pasteWords[kind] : pasteWords[kind].replace(/\bit$/, "them");
      return kind === "placeholder"
        ? measured(
            ids[kind],
            `${subject} ${verb} the form of a variable or placeholder, such as $NAME, \${{ … }}, %NAME% or <NAME>`,
            `Check why nothing replaced the placeholder (now set by ${places}); a shell replaces nothing in single quotes`,
          )
        : measured(
            ids[kind],
            `${subject} ${verb} ${words}`,
            `Set ${subject} without ${words} (now set by ${places})`,
          );
    },
);

const swapped: Rule = (evidence) => {
  const { credential, hints } = evidence;
  if (credential.method !== "wsse" || !mayBeRefused(evidence)) return null;
  if (!looksSwapped(credential.username, credential.secret.reveal())) return null;
  return measured(
    "username-secret-swapped",
    "the secret is an e-mail address and the username is not, as if they were swapped",
    `Exchange the username (now set by ${hints.placeOf("username")}) and the secret (now set by ${hints.placeOf("secret")})`,
  );
};

/** Mistakes of copying and pasting that the credential's shape shows. */
export const pasteRules: readonly Rule[] = [...pasted, swapped];
