import { wireNonce } from "../../wsse/digest.ts";
import { nonceBytes } from "../../wsse/header.ts";
import { isEmailAddress } from "../../wsse/username.ts";
import type { Evidence, Rule, RuleFinding } from "./evidence.ts";

/** 40 hexadecimal characters: the shape of tokens and nonces that the specification shows (section 5). */
const documentedShape = /^[0-9a-f]{40}$/i;

// The shape of a credential can explain only a refusal, so these rules apply only then.
function whenRejected(rule: (evidence: Evidence) => Omit<RuleFinding, "certainty"> | null): Rule {
  return (evidence) => {
    const finding = evidence.outcome.kind === "rejected" ? rule(evidence) : null;
    return finding && { ...finding, certainty: "possible" };
  };
}

const secretOf = ({ credential }: Evidence): string =>
  credential.method === "token" ? credential.token.reveal() : credential.secret.reveal();

// White space inside a credential, often left by copying.
const whiteSpace = whenRejected((evidence) => {
  if (!/\s/.test(secretOf(evidence))) return null;
  const name = evidence.credential.method === "token" ? "token" : "secret";
  return {
    id: "white-space",
    message: `the ${name} contains white space, perhaps from copying`,
    fix: `Copy the ${name} again, in one piece`,
  };
});

// A token without the documented shape: it may be the WSSE secret.
const tokenShape = whenRejected(({ credential }) => {
  if (credential.method !== "token" || documentedShape.test(credential.token.reveal())) return null;
  return {
    id: "token-shape",
    message: "the token does not have the documented shape (40 hexadecimal characters)",
    fix: "If it is the WSSE secret, check it with --wsse, --username and --secret-file",
  };
});

// A secret that looks like a token.
const secretShape = whenRejected(({ credential }) => {
  if (credential.method !== "wsse" || !documentedShape.test(credential.secret.reveal())) return null;
  return {
    id: "secret-looks-like-token",
    message: "the secret has the shape of a token (40 hexadecimal characters)",
    fix: "If it is the token, check it with --token; otherwise let --diagnose find out",
  };
});

// The chosen digest convention writes nonces that do not have the documented shape.
const nonceShape = whenRejected(({ credential }) => {
  if (credential.method !== "wsse") return null;
  if (documentedShape.test(wireNonce(credential.digest, new Uint8Array(nonceBytes)))) return null;
  return {
    id: "nonce-shape",
    message: `with ${credential.digest} the Nonce does not have the documented shape (40 hexadecimal characters)`,
    fix: "Try another --digest, or let --diagnose find out",
  };
});

// A username that is not an e-mail address, unlike the specification's (section 5.1).
const usernameShape = whenRejected(({ credential }) => {
  if (credential.method !== "wsse" || isEmailAddress(credential.username)) return null;
  return {
    id: "username-shape",
    message: "the username is not an e-mail address; the API's documentation shows one",
    fix: "Compare the username with the account's",
  };
});

// An environment variable that hides another value in the rc file.
const hiddenValue = whenRejected(({ hints }) => {
  const [first] = hints.hidden;
  return first === undefined
    ? null
    : {
        id: "hidden-setting",
        message: `${first.by} is used and hides a different value (${first.place})`,
        fix: `Unset ${first.by} if the rc file's value is the right one; referral-auth config shows both`,
      };
});

// YAML reads " #" and what follows as a comment, which may belong to the value.
const yamlComment = whenRejected(({ hints }) => {
  const [place] = hints.cutByComment;
  return place === undefined
    ? null
    : {
        id: "yaml-comment",
        message: `the value of ${place} may be cut: YAML reads the # behind it as a comment`,
        fix: `Put the value of ${place} in quotation marks if the # belongs to it`,
      };
});

/** Rules for the shape of the credential and for hidden settings. */
export const credentialRules: readonly Rule[] = [
  yamlComment,
  hiddenValue,
  whiteSpace,
  tokenShape,
  secretShape,
  nonceShape,
  usernameShape,
];
