// What the shape of a credential, and the places where it is set, say of a refusal. These rules quote nothing of the credential.

import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import { documentedShape, textProblem } from "../../settings/secret.ts";
import { unseenIn } from "../../wsse/characters.ts";
import { holdsVariable } from "../../wsse/placeholders.ts";
import { isEmailAddress, looksSwapped } from "../../wsse/username.ts";
import { pastedParts, type SentCredential, secretOf } from "../credential.ts";
import { pasteMistakes, pasteWords } from "../paste-mistakes.ts";
import { measured, possible } from "../result.ts";
import { type Evidence, mayBeRefused, type Rule } from "./evidence.ts";

const isSwapped = (credential: SentCredential): boolean =>
  credential.method === "wsse" && looksSwapped(credential.username, credential.secret.reveal());

/** What to do about a paste mistake that leaves nothing of the value. */
const instead: Partial<
  Record<keyof typeof pasteWords, (name: "token" | "username" | "secret", why: string) => Fix>
> = {
  "credential-placeholder": (name, why) =>
    fix`Check why nothing replaced the placeholder ${nowSet(name)}: ${why}`,
  "credential-number": (name) =>
    fix`Copy the ${name} ${nowSet(name)} from where the account shows it, and make its column text before it is pasted: its digits are lost`,
  "credential-reference": (name) =>
    fix`Give what the reference ${nowSet(name)} stands for, by a tokenCommand or secretCommand of the rc file, such as [op, read, "op://vault/item/token"], or by op run`,
};

/** The findings for the paste mistakes in a part of the credential. No text of it is shown. */
const pastedIn = ({ name, mistakes, isSure }: ReturnType<typeof pastedParts>[number]): readonly Rule[] =>
  mistakes.map((id) => ({ hints }) => {
    const advice =
      instead[id]?.(name, hints.whyUnexpanded(name)) ??
      fix`Set the ${name} without ${pasteWords[id]} ${nowSet(name)}`;
    return isSure || id !== "credential-assignment"
      ? measured(id, `the ${name} has ${pasteWords[id]}`, advice)
      : possible(id, `the ${name} may have ${pasteWords[id]}`, advice);
  });

/** A part of the credential may be a variable that nothing replaced: a generated secret may hold such a part too. */
const variableIn: Rule = ({ credential, hints }) => {
  const texts =
    credential.method === "token"
      ? { token: credential.token.reveal() }
      : { username: credential.username, secret: credential.secret.reveal() };
  for (const [name, text] of Object.entries(texts) as ["token" | "username" | "secret", string][])
    if (holdsVariable(text) && pasteMistakes(text).length === 0)
      return possible(
        "credential-placeholder",
        `a part of the ${name} has the form of a variable, such as $NAME or %NAME%`,
        fix`Check whether something should have replaced it ${nowSet(name)}: ${hints.whyUnexpanded(name)}`,
      );
  return null;
};

// In a secret, which is only hashed, these characters are legal.
const unseenInSecret: Rule = ({ credential }) => {
  const secret = credential.method === "wsse" ? credential.secret.reveal() : "";
  const unseen = pasteMistakes(secret).length > 0 ? null : unseenIn(secret, /\S/);
  return (
    unseen !== null &&
    possible(
      "unseen-character",
      `the secret ${unseen.problem}, perhaps from copying`,
      fix`Compare the secret ${nowSet("secret")} with the account's at that place. ${unseen.hint}`,
    )
  );
};

const swapped: Rule = ({ credential }) =>
  isSwapped(credential) &&
  measured(
    "username-secret-swapped",
    "the secret is an e-mail address and the username is not, as if they were swapped",
    fix`Exchange the username ${nowSet("username")} and the secret ${nowSet("secret")}`,
  );

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

// White space inside a credential, often left by copying; `\n` may stand there as two characters.
const whiteSpace: Rule = ({ credential }) => {
  const name = credential.method === "token" ? "token" : "secret";
  const secret = secretOf(credential);
  const problem =
    textProblem(secret) ??
    unseenIn(secret, /\s/)?.problem ??
    (/\s/.test(secret) ? "contains white space" : null);
  return (
    problem !== null &&
    possible(
      "white-space",
      `the ${name} ${problem}, perhaps from copying`,
      fix`Copy the ${name} ${nowSet(name)} again, in one piece`,
    )
  );
};

// A token without the documented shape may be the WSSE secret.
const tokenShape: Rule = ({ credential }) => {
  if (credential.method !== "token") return null;
  const token = credential.token.reveal();
  // A mistake of pasting changes the length too, and its own advice is the better one.
  if (documentedShape.test(token) || /\s/.test(token) || pasteMistakes(token).some(({ isSure }) => isSure))
    return null;
  return possible(
    "token-shape",
    "the token has not the documented form of 40 hexadecimal characters",
    fix`Copy the token ${nowSet("token")} again; if it is the WSSE secret, check it with ${flag("wsse")}, ${flag("username")} and ${flag("secretFile")}`,
  );
};

// A username that is not an e-mail address, unlike the specification's (section 5.1). `swapped` explains one that was exchanged
// with the secret.
const usernameShape: Rule = ({ credential }) =>
  credential.method === "wsse" &&
  !isEmailAddress(credential.username) &&
  !isSwapped(credential) &&
  possible(
    "username-shape",
    "the username is not an e-mail address; the API's documentation shows one",
    fix`Compare the username ${nowSet("username")} with the account's`,
  );

const whenMaybeRefused = [swapped, foundConvention, yamlComment];
const whenRejected = [variableIn, unseenInSecret, hiddenValue, whiteSpace, tokenShape, usernameShape];

/** Rules for the shape of the credential, such as mistakes of pasting, and for hidden settings. They can explain only a refusal. */
export const credentialRules = (evidence: Evidence): readonly Rule[] => [
  ...(mayBeRefused(evidence)
    ? [...pastedParts(evidence.credential).flatMap(pastedIn), ...whenMaybeRefused]
    : []),
  ...(evidence.outcome.kind === "rejected" ? whenRejected : []),
];
