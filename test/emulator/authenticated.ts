import { expect } from "vitest";
import { type EmulatorAccount, knownAccounts } from "../../src/emulator/accounts.ts";
import {
  type Authentication,
  authenticate,
  type RequestCredentials,
  type Rules,
} from "../../src/emulator/authenticate.ts";
import { type DigestAlgorithm, passwordDigest } from "../../src/wsse/digest.ts";
import { wsseHeader } from "../../src/wsse/header.ts";
import { credentials, now } from "./support.ts";

/** The account of these tests as the server knows it. */
export const known: EmulatorAccount = {
  profile: null,
  ...credentials,
  digest: "text-nonce",
  hash: "sha1",
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

/** The result of `authenticate` on the clock of these tests, for the known account with these changes. */
export function authenticated(
  sent: RequestCredentials,
  { strict = false, ...changes }: Partial<EmulatorAccount & Rules> = {},
  isUsed: (nonceKey: string) => boolean = () => false,
): Authentication {
  const { accounts = knownAccounts([{ ...known, ...changes }]) } = changes;
  return authenticate(sent, { accounts, strict }, { nowSeconds: now / 1000, isUsed });
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
  account: expect.toSatisfy((value) => value === null || typeof value === "object"),
  notes: expect.any(Array),
});
