import { expect } from "vitest";
import {
  type Authentication,
  authenticate,
  type RequestCredentials,
  type Rules,
} from "../../src/emulator/authenticate.ts";
import { type DigestAlgorithm, passwordDigest } from "../../src/wsse/digest.ts";
import { wsseHeader } from "../../src/wsse/header.ts";
import { credentials, now } from "./support.ts";

export const rules: Rules = {
  credentials,
  digest: "text-nonce",
  hash: "sha1",
  windowSeconds: 300,
  strict: false,
  authorization: "none",
};
export const nonce = Buffer.alloc(20, 0xab);

/** The time of these tests as toISOString writes it. */
export const clock = new Date(now).toISOString();

/** A request with these X-WSSE headers. */
export const withWsse = (...values: string[]): RequestCredentials => ({
  wsse: values,
  token: [],
  authorization: [],
});
/** A request with these X-Auth-Token headers. */
export const withToken = (...values: string[]): RequestCredentials => ({
  wsse: [],
  token: values,
  authorization: [],
});

/** The result of `authenticate` on the clock of these tests. */
export function authenticated(
  sent: RequestCredentials,
  changes: Partial<Rules> = {},
  isUsed: (nonceKey: string) => boolean = () => false,
): Authentication {
  return authenticate(sent, { ...rules, ...changes }, { nowSeconds: now / 1000, isUsed });
}

/** A header with this nonce and time as they stand, and the right digest. */
export function headerWith(
  wireNonce: string,
  created: string,
  { digest = "text-nonce", hash = "sha1" }: Partial<DigestAlgorithm> = {},
): RequestCredentials {
  const { username, secret } = credentials;
  const sent = passwordDigest({ digest, hash, nonce: wireNonce, created, secret });
  return withWsse(wsseHeader({ username, passwordDigest: sent, nonce: wireNonce, created }));
}

/** A refusal for this reason, with this text in its detail. */
export const refused = (reason: string, detail: string): unknown => ({
  kind: "refused",
  reason,
  detail: expect.stringContaining(detail),
  notes: expect.any(Array),
});
