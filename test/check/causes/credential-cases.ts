import type { RuleId } from "../../../src/check/outcome.ts";
import { replied } from "../../support/exchanges.ts";
import { hex40, token, wsse } from "../found.ts";
import { accepted, type CauseCase, dated, rejected } from "./exchanges.ts";

/** The causes that the credential, the settings and the clock show. */
export const credentialCases = {
  "clock-ahead": {
    shows: { exchange: rejected(dated(400)) },
    near: { exchange: rejected(dated(20)) },
    says: "this clock is 6 minutes 40 seconds ahead of the server",
  },
  "clock-behind": {
    shows: { exchange: accepted(dated(-400)) },
    near: { exchange: accepted(dated(400)) },
    says: "this clock is 6 minutes 40 seconds behind the server",
  },
  "credential-placeholder": {
    shows: { exchange: rejected(), credential: token("$TOKEN") },
    near: { exchange: rejected(), credential: token("TOKEN") },
    says: `the token has the form of a variable or placeholder, such as $NAME, \${{ … }}, %NAME% or <NAME>`,
  },
  "credential-quoted": {
    shows: { exchange: rejected(), credential: token(`"${hex40}"`) },
    near: { exchange: accepted(), credential: token(`"${hex40}"`) },
    says: "the token has quotation marks around it",
  },
  "credential-prefix": {
    shows: { exchange: rejected(), credential: token(`Bearer ${hex40}`) },
    near: { exchange: rejected(), credential: token(hex40) },
    says: "the token has a header name or scheme before it",
  },
  "credential-assignment": {
    shows: { exchange: replied({ status: 400, body: "{}" }), credential: token(`TOKEN=${hex40}`) },
    near: { exchange: replied({ status: 404, body: "{}" }), credential: token(`TOKEN=${hex40}`) },
    says: "the token has a name and an equals sign or colon before it",
  },
  "yaml-comment": {
    shows: { exchange: rejected(), hints: { cutByComment: ["token in /rc, line 3"] } },
    near: { exchange: accepted(), hints: { cutByComment: ["token in /rc, line 3"] } },
    says: "the value of token in /rc, line 3 may be cut: YAML reads the # behind it as a comment",
  },
  "username-secret-swapped": {
    shows: { exchange: rejected(), credential: wsse({ username: "s3cret", secret: "me@example.com" }) },
    near: {
      exchange: rejected(),
      credential: wsse({ username: "me@example.com", secret: "you@example.com" }),
    },
    says: "the secret is an e-mail address and the username is not, as if they were swapped",
  },
  "token-shape": {
    shows: { exchange: rejected(), credential: token("short") },
    near: { exchange: accepted(), credential: token("short") },
    says: "the token has 5 characters; the documented form has 40 hexadecimal ones",
  },
  "secret-looks-like-token": {
    shows: { exchange: rejected(), credential: wsse({ secret: hex40 }) },
    near: { exchange: rejected(), credential: wsse() },
    says: "the secret has the shape of an API token (40 hexadecimal characters)",
  },
  "nonce-shape": {
    shows: { exchange: rejected(), credential: wsse({}, "base64-nonce") },
    near: { exchange: rejected(), credential: wsse({}, "text-nonce") },
    says: "with base64-nonce the Nonce does not have the documented shape (40 hexadecimal characters)",
  },
  "white-space": {
    shows: { exchange: rejected(), credential: token("two words") },
    near: { exchange: rejected(), credential: token("two-words") },
    says: "the token contains white space, perhaps from copying",
  },
  "username-shape": {
    shows: { exchange: rejected(), credential: wsse({ username: "me" }) },
    near: { exchange: rejected(), credential: wsse({ username: "me@example.com" }) },
    says: "the username is not an e-mail address; the API's documentation shows one",
  },
  "hidden-setting": {
    shows: {
      exchange: rejected(),
      hints: { hidden: [{ by: "REFERRAL_TOKEN", place: "token in /rc, line 1" }] },
    },
    near: {
      exchange: accepted(),
      hints: { hidden: [{ by: "REFERRAL_TOKEN", place: "token in /rc, line 1" }] },
    },
    says: "REFERRAL_TOKEN is used and hides a different value (token in /rc, line 1)",
  },
  "found-convention": {
    shows: { exchange: rejected(), credential: wsse(), hints: { setByFoundFile: ["digest in /rc, line 1"] } },
    near: { exchange: replied({ status: 404 }), hints: { setByFoundFile: ["digest in /rc, line 1"] } },
    says: "the credential is yours, and an rc file that was only found in the working tree sets how it is sent: digest in /rc, line 1",
  },
} as const satisfies Partial<Record<RuleId, CauseCase>>;
