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
  Record<Parameters<typeof pasteWords>[0], (name: "token" | "username" | "secret", why: string) => Fix>
> = {
  variable: (name, why) => fix`Check why nothing replaced the placeholder ${nowSet(name)}: ${why}`,
  program: (name) =>
    fix`Check why nothing replaced it ${nowSet(name)}: in quotation marks, or outside the program's own files, it is text`,
  error: (name) =>
    fix`Run by hand what sets the ${name} ${nowSet(name)}: it printed a message and no ${name}`,
  number: (name) =>
    fix`Copy the ${name} ${nowSet(name)} from where the account shows it, and make its column text before it is pasted: its digits are lost`,
  reference: (name) =>
    fix`Give what the reference ${nowSet(name)} stands for, by a tokenCommand or secretCommand of the rc file, such as [op, read, "op://vault/item/token"], or by op run`,
  encrypted: (name) =>
    fix`Decrypt it before it is set ${nowSet(name)}, such as by ansible-vault view or sops decrypt, also as a tokenCommand or secretCommand of the rc file`,
  hashed: (name) =>
    fix`Set the ${name} ${nowSet(name)} to the password or key itself, unless the API's operator says that its hash is the secret`,
  file: (name) =>
    fix`Set the ${name} ${nowSet(name)} to what stands in that file, or have ${flag("fileOption")} read it`,
  url: (name) =>
    fix`Set the ${name} ${nowSet(name)} to the account's own ${name}, and the URL as the base URL`,
  key: (name) =>
    fix`Set the ${name} ${nowSet(name)} to the account's own ${name}: keys and certificates are for other programs`,
  masked: (name) =>
    fix`Copy the ${name} ${nowSet(name)} from where the account shows it in full: the mask holds nothing of it`,
  empty: (name) => fix`Check what sets the ${name} ${nowSet(name)}: it stands where a value was missing`,
  object: (name) =>
    fix`Check what sets the ${name} ${nowSet(name)}: a program wrote an object's name in place of its text; a SecureString needs ConvertFrom-SecureString -AsPlainText`,
  example: (name) => fix`Set the ${name} ${nowSet(name)} to the account's own`,
  json: (name) => fix`Set the ${name} ${nowSet(name)} to the value inside the JSON alone, such as by jq -r`,
};

/** The findings for the paste mistakes in a part of the credential. No text of it is shown. */
const pastedIn = ({ name, mistakes }: ReturnType<typeof pastedParts>[number]): readonly Rule[] =>
  mistakes.map(({ kind, id, isSure }) => ({ hints }) => {
    const words = pasteWords(kind);
    const advice =
      instead[kind]?.(name, hints.whyUnexpanded(name)) ??
      fix`Set the ${name} without ${words} ${nowSet(name)}`;
    return isSure
      ? measured(id, `the ${name} has ${words}`, advice)
      : possible(id, `the ${name} may have ${words}`, advice);
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
  if (credential.method === "token") return null;
  const secret = credential.secret.reveal();
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

const sameTwice: Rule = ({ credential }) =>
  credential.method === "wsse" &&
  credential.username === credential.secret.reveal() &&
  measured(
    "username-secret-swapped",
    "the secret is the same text as the username",
    fix`Set the secret ${nowSet("secret")} to the account's own: a form may have been filled with the username twice`,
  );

// As Basic and `curl --user` write a pair.
const pairInSecret: Rule = ({ credential }) =>
  credential.method === "wsse" &&
  credential.secret.reveal().startsWith(`${credential.username}:`) &&
  measured(
    "credential-prefix",
    "the secret has the username and a colon before it",
    fix`Set the secret ${nowSet("secret")} without them`,
  );

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
  const whole = secretOf(credential);
  // A mistake that is sure explains the white space in it.
  const last = pasteMistakes(whole).findLast(({ isSure }) => isSure);
  const secret = last === undefined ? whole : (last.cleaned ?? "");
  // Printable ASCII without a backslash, as nearly all are.
  if (/^[!-[\]-~]*$/.test(secret)) return null;
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

const ifSecret = fix`if it is the WSSE secret, check it with ${flag("wsse")}, ${flag("username")} and ${flag("secretFile")}`;

/** What tokens of another shape than the documented one look like, and what to do. The first that fits counts. */
const otherShapes: ReadonlyArray<readonly [fits: (token: string) => boolean, words: string, advice: Fix]> = [
  [
    isEmailAddress,
    "is an e-mail address, as usernames are",
    fix`Set the token ${nowSet("token")} to the account's token; an e-mail address is a username, for ${flag("wsse")}`,
  ],
  [
    (token) => /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(token),
    "has the form of a JWT, as logins give it for a while, and not the documented one",
    fix`Use the account's token for the API ${nowSet("token")}, not that of a session in a web browser`,
  ],
  // GitHub, GitLab, Slack, OpenAI and Stripe, AWS, Google, npm, PyPI, HashiCorp Vault, DigitalOcean, Sentry, SendGrid
  [
    (token) =>
      /^(?:gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|[rs]k[-_]|AKIA[A-Z\d]{12}|ya29\.|AIza|npm_|pypi-|hv[bs]\.|do[opr]_v1_|sntry|SG\.)/.test(
        token,
      ),
    "has the form of another service's",
    fix`Check what sets the token ${nowSet("token")}: two variables or entries may be exchanged`,
  ],
  [
    (token) => token.slice(token.length / 2) === token.slice(0, token.length / 2),
    "is the same text twice",
    fix`Copy the token ${nowSet("token")} again, once`,
  ],
  [
    (token) => /^[0-9a-f]{32,}$/i.test(token),
    "does not have the documented length of 40 hexadecimal characters",
    fix`Copy the token ${nowSet("token")} again, from its first to its last character; ${ifSecret}`,
  ],
  [
    (token) => token.length === 40,
    "has the documented length, but not hexadecimal digits alone (0-9, a-f)",
    fix`Copy the token ${nowSet("token")} again, and do not type it: letters such as O and l look like digits; ${ifSecret}`,
  ],
];

// A token without the documented shape may be the WSSE secret.
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
  const [, words, advice] = otherShapes.find(([fits]) => fits(token)) ?? [];
  return possible(
    "token-shape",
    `the token ${words ?? "does not have the documented form of 40 hexadecimal characters"}`,
    advice ?? fix`Copy the token ${nowSet("token")} again; ${ifSecret}`,
  );
};

// A username that is not an e-mail address, unlike the specification's (section 5.1). `swapped` explains one that was exchanged
// with the secret.
const usernameShape: Rule = ({ credential }) =>
  credential.method === "wsse" &&
  !isEmailAddress(credential.username) &&
  !isSwapped(credential) &&
  !pasteMistakes(credential.username).some(({ isSure }) => isSure) &&
  possible(
    "username-shape",
    "the username is not an e-mail address; the API's documentation shows one",
    fix`Compare the username ${nowSet("username")} with the account's`,
  );

const whenMaybeRefused = [swapped, sameTwice, pairInSecret, foundConvention, yamlComment];
const whenRejected = [variableIn, unseenInSecret, hiddenValue, whiteSpace, tokenShape, usernameShape];

/** Rules for the shape of the credential, such as mistakes of pasting, and for hidden settings. They can explain only a refusal. */
export const credentialRules = (evidence: Evidence): readonly Rule[] => [
  ...(mayBeRefused(evidence)
    ? [...pastedParts(evidence.credential).flatMap(pastedIn), ...whenMaybeRefused]
    : []),
  ...(evidence.outcome.kind === "rejected" ? whenRejected : []),
];
