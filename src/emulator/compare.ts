import { createHash, timingSafeEqual } from "node:crypto";
import { conventionNames, type DigestAlgorithm, hashNames, passwordDigest } from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { Credentials } from "./accepted-credentials.ts";

const hashed = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();

/** Compares two texts in a time that depends neither on their length nor on where they differ. */
export function sameText(first: string, second: string): boolean {
  // timingSafeEqual requires equal lengths, which hashes have.
  return timingSafeEqual(hashed(first), hashed(second));
}

/** How this server computes a PasswordDigest, and from which secret. */
export interface DigestRules extends DigestAlgorithm {
  readonly credentials: Credentials;
}

/** Whether a PasswordDigest is made by this convention and hash from this secret. The comparison takes constant time. */
export function digestMatches(
  { passwordDigest: sent, nonce, created }: UsernameToken,
  { digest, hash }: DigestAlgorithm,
  secret: string,
): boolean {
  return sameText(sent, passwordDigest({ digest, hash, nonce, created, secret }));
}

/**
 * Finds out how a wrong PasswordDigest was made: by another convention, with another hash, or with the token as the secret.
 * Returns null if no combination gives it. It names every convention that does: `base64-nonce` and `decoded-nonce` hash the
 * same bytes of a nonce.
 */
export function digestMismatch(token: UsernameToken, { credentials, ...rules }: DigestRules): string | null {
  // The secret first, so that the message names as few differences as possible.
  for (const source of ["secret", "token"] as const) {
    for (const hash of hashNames) {
      const digests = conventionNames.filter((digest) =>
        digestMatches(token, { digest, hash }, credentials[source]),
      );
      if (digests.length === 0) continue;
      const differences = [
        ...(digests.includes(rules.digest) ? [] : [[digests.join(" and "), rules.digest]]),
        ...(hash === rules.hash ? [] : [[hash, rules.hash]]),
        ...(source === "secret" ? [] : [["the token as the secret", "the secret itself"]]),
      ];
      const [theirs, ours] = [0, 1].map((side) => differences.map((both) => both[side]).join(" with "));
      return `matches ${theirs}; this server expects ${ours}`;
    }
  }
  return null;
}

/**
 * A key that is equal for two nonces if the convention hashes the same bytes of both. It has a fixed length, so that no part
 * of the header stays in memory.
 */
export function nonceKey(nonce: string, { digest }: DigestAlgorithm): string {
  return passwordDigest({ digest, hash: "sha256", nonce, created: "", secret: "" });
}
