import { createHash, timingSafeEqual } from "node:crypto";
import { conventionNames, hashNames, passwordDigest, type Recipe } from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { Credentials } from "./credentials.ts";
import { nonceShapes } from "./username-token.ts";

const hashed = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();

/** Whether two texts are equal, in a time that does not depend on how far they agree or how long they are. */
export function sameText(first: string, second: string): boolean {
  // timingSafeEqual wants equal lengths; hashing both gives them without telling the length.
  return timingSafeEqual(hashed(first), hashed(second));
}

/** How this server computes a PasswordDigest, and from which secret. */
export interface DigestRules extends Recipe {
  readonly credentials: Credentials;
}

interface Guess extends Recipe {
  readonly password: "secret" | "token";
}

// The nearest mistakes first, so that the answer names as few differences as there are.
const guesses: readonly Guess[] = (["secret", "token"] as const).flatMap((password) =>
  conventionNames.flatMap((digest) => hashNames.map((hash) => ({ digest, hash, password }))),
);

/** Whether the PasswordDigest is the one that these rules give, compared in constant time. */
export function digestMatches(token: UsernameToken, { credentials, digest, hash }: DigestRules): boolean {
  return matches(token, { digest, hash, password: "secret" }, credentials);
}

function matches(token: UsernameToken, guess: Guess, credentials: Credentials): boolean {
  const { digest, hash, password } = guess;
  // The shape tells base64-nonce from decoded-nonce, which hash the same bytes of a nonce.
  if (!nonceShapes[digest].fits(token.nonce)) return false;
  const { nonce, created } = token;
  const expected = passwordDigest({ digest, hash, nonce, created, secret: credentials[password] });
  return sameText(token.passwordDigest, expected);
}

/**
 * What a PasswordDigest that does not match was made with instead: another convention, another hash, or the token in
 * place of the secret; null where no combination gives it.
 */
export function otherRecipe(token: UsernameToken, rules: DigestRules): string | null {
  const found = guesses.find((guess) => matches(token, guess, rules.credentials));
  if (found === undefined) return null;
  const theirs: string[] = [];
  const ours: string[] = [];
  if (found.digest !== rules.digest) {
    theirs.push(found.digest);
    ours.push(rules.digest);
  }
  if (found.hash !== rules.hash) {
    theirs.push(found.hash);
    ours.push(rules.hash);
  }
  if (found.password !== "secret") {
    theirs.push("the token as the secret");
    ours.push("the secret itself");
  }
  return `matches ${theirs.join(" with ")}; this server wants ${ours.join(" with ")}`;
}
