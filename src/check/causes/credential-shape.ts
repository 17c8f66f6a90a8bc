// What the shape of a credential, and the places where it is set, say of a refusal. These rules quote nothing of the credential.

import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import { describeLength, documentedShape, textProblem } from "../../settings/secret.ts";
import { unseenIn } from "../../wsse/characters.ts";
import { isEmailAddress, looksSwapped } from "../../wsse/username.ts";
import { pastedParts, secretOf } from "../credential.ts";
import { type Kind, pasteMistakes, pasteWords } from "../paste-mistakes.ts";
import { measured, possible } from "../result.ts";
import { type Evidence, mayBeRefused, type Rule } from "./evidence.ts";

type PartName = ReturnType<typeof pastedParts>[number]["name"];

/** What to do about a text that stands in the place of the value. Where a row is missing, the value is to be copied again. */
const instead: Partial<Record<Kind, (name: PartName, why: string) => Fix>> = {
  variable: (name, why) => fix`Check why nothing replaced the placeholder ${nowSet(name)}: ${why}`,
  part: (name, why) => fix`Check whether something should have replaced it ${nowSet(name)}: ${why}`,
  number: (name) =>
    fix`Copy the ${name} ${nowSet(name)} from where the account shows it, and make its column text before it is pasted: its digits are lost`,
  reference: (name) =>
    fix`Set what the reference stands for ${nowSet(name)}: ${flag("fileOption")} reads a file, and tokenCommand or secretCommand of the rc file runs a password manager, such as [op, read, "op://vault/item/token"]`,
};

/** The findings for the paste mistakes in a part of the credential. No text of it is shown. */
const pastedIn = ({ name, mistakes }: ReturnType<typeof pastedParts>[number]): readonly Rule[] =>
  mistakes.map(({ kind, id, isSure, isInstead }) => ({ hints }) => {
    const words = pasteWords(kind);
    const advice =
      instead[kind]?.(name, hints.whyUnexpanded(name)) ??
      (isInstead
        ? fix`Set the ${name} ${nowSet(name)} to the account's own, copied from where the account shows it in full`
        : fix`Set the ${name} without ${words} ${nowSet(name)}`);
    return isSure
      ? measured(id, `the ${name} has ${words}`, advice)
      : possible(id, `the ${name} may have ${words}`, advice);
  });

/** How the two parts of an account are related where they should not be: by form alone. The first that fits counts. */
const related: Rule = ({ credential }) => {
  if (credential.method === "token") return null;
  const { username } = credential;
  const secret = credential.secret.reveal();
  if (looksSwapped(username, secret))
    return measured(
      "username-secret-swapped",
      "the secret is an e-mail address and the username is not, as if they were swapped",
      fix`Exchange the username ${nowSet("username")} and the secret ${nowSet("secret")}`,
    );
  const words =
    secret === username
      ? "is the same text as the username"
      : secret.startsWith(`${username}:`) && "has the username and a colon before it";
  return (
    words &&
    measured(
      "username-secret-swapped",
      `the secret ${words}`,
      fix`Set the secret ${nowSet("secret")} to the account's own alone`,
    )
  );
};

// A convention that a checkout sets can make a good credential fail.
const foundConvention: Rule = ({ hints: { setByFoundFile: places } }) =>
  places.length > 0 &&
  measured(
    "found-convention",
    `the credential is yours, and an rc file that was only found in the working tree sets how it is sent: ${places.join(", ")}`,
    fix`Give ${flag("digest")}, ${flag("hash")} or ${flag("authorization")} yourself`,
  );

// YAML reads " #" and what follows as a comment, which may belong to the value.
const yamlComment: Rule = ({ hints }) => {
  const [part] = hints.cutByComment;
  if (part === undefined) return null;
  return possible(
    "yaml-comment",
    `the ${part} may be cut: YAML reads the # behind it as a comment`,
    fix`Put the ${part} ${nowSet(part)} in quotation marks if the # belongs to it`,
  );
};

const hiddenValue: Rule = ({ hints }) => {
  const [first] = hints.hidden;
  if (first === undefined) return null;
  return possible(
    "hidden-setting",
    `${first.by} is used and hides a different value (${first.place})`,
    fix`Unset ${first.by} if the rc file's value is the right one; referral-auth config shows both`,
  );
};

// In a secret, which is only hashed, these characters are legal; `\n` may stand there as two characters.
const unseen: Rule = ({ credential }) => {
  const name = credential.method === "token" ? "token" : "secret";
  const whole = secretOf(credential);
  // A mistake that is sure explains the white space in it.
  const last = pasteMistakes(whole).findLast(({ isSure }) => isSure);
  const secret = last === undefined ? whole : (last.cleaned ?? "");
  // Printable ASCII without a backslash, as nearly all are.
  if (/^[!-[\]-~]*$/.test(secret)) return null;
  const other = unseenIn(secret, /\S/)?.problem;
  const problem =
    other ??
    textProblem(secret) ??
    unseenIn(secret, /\s/)?.problem ??
    (/\s/.test(secret) ? "contains white space" : null);
  return (
    problem !== null &&
    possible(
      other === undefined ? "white-space" : "unseen-character",
      `the ${name} ${problem}, perhaps from copying`,
      fix`Copy the ${name} ${nowSet(name)} again, in one piece, or compare it with the account's at that place`,
    )
  );
};

const ifSecret = fix`if it is the WSSE secret, check it with ${flag("wsse")}, ${flag("username")} and ${flag("secretFile")}`;

/** The length and the alphabet of a token; the places of a slip in one of the documented length. No character is told. */
function measuredForm(token: string): string {
  const odd = [...token].flatMap((one, index) => (/[\da-f]/i.test(one) ? [] : [index + 1]));
  const digits =
    odd.length === 0
      ? "all hexadecimal digits"
      : token.length === documentedLength && odd.length <= mostPlaces
        ? `no hexadecimal digit at place ${odd.join(", ")}`
        : `${odd.length} of them no hexadecimal digits`;
  return `${describeLength(token)}, ${digits}`;
}

const documentedLength = 40;
// More are no slip of the hand.
const mostPlaces = 3;

// A token without the documented shape may be the WSSE secret, or the token of another service.
const tokenShape: Rule = ({ credential }) => {
  if (credential.method !== "token") return null;
  const token = credential.token.reveal();
  // A mistake of pasting changes the length too, and its own advice is the better one.
  if (
    documentedShape.test(token) ||
    /\s|\\[nrt]/.test(token) ||
    pasteMistakes(token).some(({ isSure, cleaned }) => isSure || documentedShape.test(cleaned ?? ""))
  )
    return null;
  return possible(
    "token-shape",
    `the token has ${measuredForm(token)}; the documented form has 40 hexadecimal ones`,
    fix`Copy the token ${nowSet("token")} again, from its first to its last character, unless it is another service's; ${ifSecret}`,
  );
};

// A username that is not an e-mail address, unlike the specification's (section 5.1). `swapped` explains one that was exchanged
// with the secret.
const usernameShape: Rule = ({ credential }) =>
  credential.method === "wsse" &&
  !isEmailAddress(credential.username) &&
  !looksSwapped(credential.username, credential.secret.reveal()) &&
  !pasteMistakes(credential.username).some(({ isSure }) => isSure) &&
  possible(
    "username-shape",
    "the username is not an e-mail address; the API's documentation shows one",
    fix`Compare the username ${nowSet("username")} with the account's`,
  );

const whenMaybeRefused = [related, foundConvention, yamlComment];
const whenRejected = [unseen, hiddenValue, tokenShape, usernameShape];

/** Rules for the shape of the credential, such as mistakes of pasting, and for hidden settings. They can explain only a refusal. */
export const credentialRules = (evidence: Evidence): readonly Rule[] => [
  ...(mayBeRefused(evidence)
    ? [...pastedParts(evidence.credential).flatMap(pastedIn), ...whenMaybeRefused]
    : []),
  ...(evidence.outcome.kind === "rejected" ? whenRejected : []),
];
