// What the form of a credential, and the places where it is set, say where it may have been judged. None of it takes the place of
// "compare it with the account's" and of a diagnosis: a good credential may have any form.

import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import { documentedShape } from "../../settings/secret.ts";
import { unseenIn } from "../../wsse/characters.ts";
import { isEmailAddress, looksSwapped } from "../../wsse/header.ts";
import { standIn } from "../../wsse/placeholders.ts";
import type { Evidence, Rule } from "../check-context.ts";
import { secretOf } from "../credential.ts";
import { measuredForm, readingOf } from "../form.ts";
import { isJudgement } from "../outcome.ts";
import { measured, possible } from "../result.ts";

type PartName = "token" | "username" | "secret";

/** What to do about a text that stands in the place of the value. */
const standInAdvice = {
  placeholder: (name, why) => fix`Check whether something should have replaced it ${nowSet(name)}: ${why}`,
  reference: (name) =>
    fix`Set what the reference stands for ${nowSet(name)}: ${flag("fileOption")} reads a file, and tokenCommand or secretCommand of the rc file runs a password manager, such as [op, read, "op://vault/item/token"]`,
  mask: (name) => fix`Copy the ${name} ${nowSet(name)} from where the account shows it in full`,
  nothing: (name) => fix`Check what sets the ${name} ${nowSet(name)}: it may have had no value`,
} as const satisfies Record<string, (name: PartName, why: string) => Fix>;

/** What may stand in the place of a part of the credential; `form` is what else is to say of it. */
function standsIn(name: PartName, text: string, { hints }: Evidence, form = "") {
  const [kind, words] = standIn(text) ?? [];
  if (kind === undefined) return null;
  const advice = standInAdvice[kind](name, hints.whyUnexpanded(name));
  return possible("credential-placeholder", `the ${name} ${form}may be ${words}`, advice);
}

// One line: the length, the first character that does not belong, and what is inside or may stand in its place.
const tokenForm: Rule = (evidence) => {
  if (evidence.credential.method !== "token") return null;
  const token = secretOf(evidence.credential);
  if (documentedShape.test(token)) return null;
  const form = `has ${measuredForm(token)}; `;
  const reading = readingOf.token(token);
  if (reading === null)
    return (
      standsIn("token", token, evidence, `${form}it `) ??
      possible(
        "credential-form",
        `the token ${form}the documented form has 40 hexadecimal ones`,
        fix`Copy the token ${nowSet("token")} again, from its first to its last character, unless it is another service's; if it is the WSSE secret, check it with ${flag("wsse")}, ${flag("username")} and ${flag("secretFile")}`,
      )
    );
  const advice = fix`Set the token ${nowSet("token")} to that part alone: ${reading.part}`;
  return measured("token-inside", `the token ${form}it ${reading.found}`, advice);
};

// A secret may have any form, so all of this is possible.
const secretStandIn: Rule = (evidence) =>
  evidence.credential.method === "wsse" && standsIn("secret", secretOf(evidence.credential), evidence);

const secretForm: Rule = ({ credential }) => {
  if (credential.method === "token") return null;
  const secret = secretOf(credential);
  const unseen = unseenIn(secret) ?? unseenIn(secret, / /);
  const reading = readingOf.secret(secret);
  if (unseen === null && reading === null) return null;
  const found = [unseen?.problem, reading?.found].filter((words) => words !== undefined).join(", and it ");
  const meant = reading === null ? "" : fix`, or set it to ${reading.part} if that is meant`;
  const advice = fix`Compare the secret ${nowSet("secret")} with the account's at that place${meant}`;
  return possible("credential-form", `the secret ${found}`, advice);
};

// The specification shows an e-mail address as username (section 5.1). A swapped one is the secret.
const usernameForm: Rule = (evidence) => {
  const { credential } = evidence;
  if (credential.method === "token") return null;
  const { username } = credential;
  if (looksSwapped(username, secretOf(credential)))
    return measured(
      "credential-form",
      "the secret is an e-mail address and the username is not, as if they were swapped",
      fix`Exchange the username ${nowSet("username")} and the secret ${nowSet("secret")}`,
    );
  const other = standsIn("username", username, evidence);
  if (other !== null || isEmailAddress(username)) return other;
  return possible(
    "credential-form",
    "the username is not an e-mail address; the API's documentation shows one",
    fix`Compare the username ${nowSet("username")} with the account's`,
  );
};

// A convention that a checkout sets can make a good credential fail.
const foundConvention: Rule = ({ hints: { setByFoundFile: places } }) =>
  places.length > 0 &&
  measured(
    "other-settings",
    `the credential is yours, and an rc file that was only found in the working tree sets how it is sent: ${places.join(", ")}`,
    fix`Give ${flag("digest")}, ${flag("hash")} or ${flag("authorization")} yourself`,
  );

const hiddenValue: Rule = ({ hints }) => {
  const [first] = hints.hidden;
  if (first === undefined) return null;
  return possible(
    "other-settings",
    `${first.by} is used and hides a different value (${first.place})`,
    fix`Unset ${first.by} if the rc file's value is the right one; referral-auth config shows both`,
  );
};

const ifJudged =
  (rule: Rule): Rule =>
  (evidence) =>
    isJudgement(evidence.outcome) && rule(evidence);

/** Rules for the form of the credential and for hidden settings. */
export const credentialRules: readonly Rule[] = [
  ...[tokenForm, secretStandIn, secretForm, usernameForm, foundConvention, hiddenValue].map(ifJudged),
];
