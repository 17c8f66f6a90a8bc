import { fix, flag, nowSet } from "../../settings/fix.ts";
import { describeLength, textProblem } from "../../settings/secret.ts";
import { wireNonce } from "../../wsse/digest.ts";
import { nonceBytes } from "../../wsse/header.ts";
import { isEmailAddress, looksSwapped } from "../../wsse/username.ts";
import { pasteMistakes } from "../paste-mistakes.ts";
import { mayBeRefused, measured, possible, type Rule } from "./evidence.ts";
import { diagnoseAdvice } from "./refusal.ts";

/** The shape of tokens and nonces that the specification shows (section 5). */
const documentedLength = 40;
const documentedShape = /^[0-9a-f]{40}$/i;

// YAML reads " #" and what follows as a comment, which may belong to the value.
const yamlComment: Rule = (evidence) => {
  const [place] = evidence.hints.cutByComment;
  if (place === undefined || !mayBeRefused(evidence)) return null;
  return possible(
    "yaml-comment",
    `the value of ${place} may be cut: YAML reads the # behind it as a comment`,
    fix`Put the value of ${place} in quotation marks if the # belongs to it`,
  );
};

// An environment variable that hides another value in the rc file.
const hiddenValue: Rule = ({ hints }) => {
  const [first] = hints.hidden;
  if (first === undefined) return null;
  return possible(
    "hidden-setting",
    `${first.by} is used and hides a different value (${first.place})`,
    fix`Unset ${first.by} if the rc file's value is the right one; referral-auth config shows both`,
  );
};

// A convention that a checkout sets can make a good credential fail.
const foundConvention: Rule = (evidence) => {
  const places = evidence.hints.setByFoundFile;
  if (places.length === 0 || !mayBeRefused(evidence)) return null;
  return measured(
    "found-convention",
    `the credential is yours, and an rc file that was only found in the working tree sets how it is sent: ${places.join(", ")}`,
    fix`Give ${flag("digest")}, ${flag("hash")} or ${flag("authorization")} yourself`,
  );
};

// White space inside a credential, often left by copying; `\n` may stand there as two characters.
const whiteSpace: Rule = ({ credential }) => {
  const name = credential.method === "token" ? "token" : "secret";
  const secret = (credential.method === "token" ? credential.token : credential.secret).reveal();
  const problem = textProblem(secret) ?? (/\s/.test(secret) ? "contains white space" : null);
  if (problem === null) return null;
  return possible(
    "white-space",
    `the ${name} ${problem}, perhaps from copying`,
    fix`Copy the ${name} ${nowSet(name)} again, in one piece`,
  );
};

// A token without the documented shape may be the WSSE secret.
const tokenShape: Rule = ({ credential }) => {
  if (credential.method !== "token") return null;
  const token = credential.token.reveal();
  // A mistake of pasting changes the length too, and its own advice is the better one.
  if (documentedShape.test(token) || /\s/.test(token) || pasteMistakes(token).length > 0) return null;
  const difference =
    token.length === documentedLength
      ? `is not hexadecimal; the documented form has ${documentedLength} hexadecimal characters`
      : `has ${describeLength(token)}; the documented form has ${documentedLength} hexadecimal ones`;
  return possible(
    "token-shape",
    `the token ${difference}`,
    fix`Copy the token ${nowSet("token")} again; if it is the WSSE secret, check it with ${flag("wsse")}, ${flag("username")} and ${flag("secretFile")}`,
  );
};

// Several public clients sign WSSE with the API token, so the shape is no mistake in itself.
const secretShape: Rule = ({ credential }) => {
  if (credential.method !== "wsse" || !documentedShape.test(credential.secret.reveal())) return null;
  return possible(
    "secret-looks-like-token",
    `the secret has the shape of an API token (${documentedLength} hexadecimal characters)`,
    fix`Check in the account whether WSSE is signed with the API token or with a secret of its own`,
  );
};

// The chosen digest convention writes nonces that do not have the documented shape.
const nonceShape: Rule = (evidence) => {
  const { credential } = evidence;
  if (credential.method !== "wsse") return null;
  if (documentedShape.test(wireNonce(credential.digest, new Uint8Array(nonceBytes)))) return null;
  return possible(
    "nonce-shape",
    `with ${credential.digest} the Nonce does not have the documented shape (${documentedLength} hexadecimal characters)`,
    fix`Try another ${flag("digest")} ${nowSet("digest")}; ${diagnoseAdvice(evidence)}`,
  );
};

// A username that is not an e-mail address, unlike the specification's (section 5.1).
const usernameShape: Rule = ({ credential }) => {
  if (credential.method !== "wsse" || isEmailAddress(credential.username)) return null;
  // Where the two are swapped, that says it.
  if (looksSwapped(credential.username, credential.secret.reveal())) return null;
  return possible(
    "username-shape",
    "the username is not an e-mail address; the API's documentation shows one",
    fix`Compare the username ${nowSet("username")} with the account's`,
  );
};

// The shape of a credential and hidden settings can explain only a refusal.
const whenRejected =
  (rule: Rule): Rule =>
  (evidence) =>
    evidence.outcome.kind === "rejected" ? rule(evidence) : null;

/** Rules for the shape of the credential and for hidden settings. */
export const credentialRules: readonly Rule[] = [
  foundConvention,
  yamlComment,
  ...[hiddenValue, whiteSpace, tokenShape, secretShape, nonceShape, usernameShape].map(whenRejected),
];
