// The UsernameToken of one request, its header fields, and what they can carry. Pure: nonce and time are handed in.

import { unseenIn } from "./characters.ts";
import { type ConventionName, type DigestAlgorithm, passwordDigest, wireNonce } from "./digest.ts";

/** The size of a Nonce in random bytes: 40 hexadecimal characters, as the specification shows (section 5.1). */
export const nonceBytes = 20;

// In base64, 44 % of all draws will do, so a random source does not fail in a billion years.
const mostDraws = 100;

/** Random bytes for a Nonce that has neither `/` nor `+` on the wire: some servers use it as the name of a file, or in a URL. */
export function freshNonce(digest: ConventionName, randomBytes: (size: number) => Uint8Array): Uint8Array {
  for (let draw = 0; draw < mostDraws; draw += 1) {
    const drawn = randomBytes(nonceBytes);
    if (!/[+/]/.test(wireNonce(digest, drawn))) return drawn;
  }
  throw new Error("the source of random bytes repeats itself");
}

/** What one `X-WSSE` header is made of; `now` is in milliseconds since the epoch. */
export interface WsseInput extends DigestAlgorithm {
  readonly username: string;
  readonly secret: string;
  readonly now: number;
  readonly nonce: Uint8Array;
}

/** The attributes of a UsernameToken as they stand on the wire. */
export interface UsernameToken {
  readonly username: string;
  readonly passwordDigest: string;
  readonly nonce: string;
  readonly created: string;
}

/** Created: UTC to the second with a numeric offset, for example `2026-11-21T03:31:00+00:00` (specification, section 5.1). */
export function createdAt(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19)}+00:00`;
}

/** The UsernameToken of one request. The same input gives the same token, so every request needs a nonce and time of its own. */
export function usernameToken({ username, secret, digest, hash, now, nonce }: WsseInput): UsernameToken {
  const created = createdAt(now);
  const onWire = wireNonce(digest, nonce);
  return {
    username,
    passwordDigest: passwordDigest({ digest, hash, nonce: onWire, created, secret }),
    nonce: onWire,
    created,
  };
}

/** The value of the `X-WSSE` header. The username must have passed `usernameProblem`: the header has no way to escape. */
export function wsseValue(token: UsernameToken): string {
  return (
    `UsernameToken Username="${token.username}", PasswordDigest="${token.passwordDigest}", ` +
    `Nonce="${token.nonce}", Created="${token.created}"`
  );
}

/** What the `Authorization` field holds beside X-WSSE: nothing, or `authorizationValue`. */
export const authorizationModes = ["none", "wsse"] as const;
/** What the `Authorization` field holds beside X-WSSE. */
export type AuthorizationMode = (typeof authorizationModes)[number];

/** The value of the `Authorization` field that several clients send beside X-WSSE, and that some servers require. */
export const authorizationValue = 'WSSE profile="UsernameToken"';

/** Why a header cannot carry this text; null if it can: printable ASCII without white space at its ends. */
export function fieldValueProblem(text: string): string | null {
  if (text === "") return "is empty";
  if (/[\r\n]/.test(text.trim())) return "has more than one line";
  const unseen = unseenIn(text);
  if (unseen !== null) return unseen.problem;
  return /^[ -~]*$/.test(text) ? null : "contains a character outside ASCII, which a header cannot carry";
}

/** Why the X-WSSE header cannot carry this username; null if it can. The header has no way to escape `"` and `\`. */
export function usernameProblem(username: string): string | null {
  if (/["\\]/.test(username)) return 'contains a " or \\, which the X-WSSE header cannot carry';
  return fieldValueProblem(username);
}

/**
 * Whether the text is an e-mail address, as usernames are (section 5.1): many passwords have an @, but no domain with letters at its end.
 */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@(?:[a-z0-9-]+\.)+[a-z]{2,}$/i.test(text);
}

/** Whether username and secret seem to be swapped. If so, never show the username: it is the secret. */
export function looksSwapped(username: string, secret: string): boolean {
  return isEmailAddress(secret) && !isEmailAddress(username);
}
