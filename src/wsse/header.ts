import { type DigestAlgorithm, passwordDigest, wireNonce } from "./digest.ts";

/** The Nonce is made of this many random bytes: 40 hexadecimal characters, as the specification shows (section 5.1). */
export const nonceBytes = 20;

/** The input of one `X-WSSE` header. `now` is in milliseconds since the epoch. */
export interface WsseInput extends DigestAlgorithm {
  readonly username: string;
  readonly secret: string;
  readonly now: number;
  readonly nonce: Uint8Array;
}

/** The attributes of a UsernameToken as they are sent. */
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

/** The UsernameToken of one request. The same input gives the same token, so use a new nonce and time for each request. */
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

/**
 * The value of the `X-WSSE` header. Check the username with `usernameProblem` first: the header cannot escape characters.
 */
export function wsseHeader(token: UsernameToken): string {
  return (
    `UsernameToken Username="${token.username}", PasswordDigest="${token.passwordDigest}", ` +
    `Nonce="${token.nonce}", Created="${token.created}"`
  );
}

/** Why the header cannot carry this username; null for printable ASCII without `"` and `\`. */
export function usernameProblem(username: string): string | null {
  if (username === "") return "is empty";
  if (/["\\]/.test(username)) return 'contains a " or \\, which the X-WSSE header cannot carry';
  if (!/^[\x20-\x7e]*$/.test(username)) {
    return "contains a control character or one outside ASCII, which the X-WSSE header cannot carry";
  }
  if (username.trim() !== username) return "begins or ends with white space";
  return null;
}
