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

/** Whether the PasswordDigest is right by these rules. The comparison takes constant time. */
export function digestMatches(token: UsernameToken, { credentials, digest, hash }: DigestRules): boolean {
  return matches(token, { digest, hash }, credentials.secret);
}

function matches(
  { passwordDigest: sent, nonce, created }: UsernameToken,
  recipe: DigestAlgorithm,
  secret: string,
): boolean {
  return sameText(sent, passwordDigest({ ...recipe, nonce, created, secret }));
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
        matches(token, { digest, hash }, credentials[source]),
      );
      if (digests.length === 0) continue;
      const theirs = [
        ...(digests.includes(rules.digest) ? [] : [digests.join(" and ")]),
        ...(hash === rules.hash ? [] : [hash]),
        ...(source === "secret" ? [] : ["the token as the secret"]),
      ];
      const ours = [
        ...(digests.includes(rules.digest) ? [] : [rules.digest]),
        ...(hash === rules.hash ? [] : [rules.hash]),
        ...(source === "secret" ? [] : ["the secret itself"]),
      ];
      return `matches ${theirs.join(" with ")}; this server wants ${ours.join(" with ")}`;
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
