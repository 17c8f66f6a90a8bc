import { conventionNames, type DigestAlgorithm, hashNames, passwordDigest } from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import { type EmulatorAccount, sameText } from "./accounts.ts";
import { createdSeconds } from "./created.ts";

/** What a client does, and what this server expects. */
type Difference = readonly [theirs: string, ours: string];

/** A UsernameToken and the secret that its digest could be made with. */
interface Reading extends UsernameToken {
  readonly secret: string;
  readonly differences: readonly Difference[];
}

/** Whether the digest is made by this convention and hash. The comparison takes constant time. */
function isMadeBy(reading: Reading, { digest, hash }: DigestAlgorithm): boolean {
  return sameText(reading.passwordDigest, passwordDigest({ ...reading, digest, hash }));
}

/** Whether a PasswordDigest is the one that the account must send. The comparison takes constant time. */
export function digestMatches(sent: UsernameToken, account: EmulatorAccount): boolean {
  return isMadeBy({ ...sent, secret: account.secret, differences: [] }, account);
}

/** The mistakes of public clients in what they hash. */
function readingsOf(sent: UsernameToken, { secret, token }: EmulatorAccount): readonly Reading[] {
  const right: Reading = { ...sent, secret, differences: [] };
  const seconds = String(createdSeconds(sent.created));
  const base64 = Buffer.from(sent.nonce, "hex").toString("base64");
  return [
    right,
    { ...right, secret: token, differences: [["the token as the secret", "the secret itself"]] },
    { ...right, created: seconds, differences: [["Created in seconds", "Created as it is sent"]] },
    { ...right, nonce: base64, differences: [["the Nonce in base64", "the Nonce as it is sent"]] },
  ];
}

/** The same with the mistakes of public clients in how they write the digest. */
function writingsOf(reading: Reading): readonly Reading[] {
  const { passwordDigest: digest, differences } = reading;
  const written = (passwordDigest: string, ...difference: Difference): Reading => ({
    ...reading,
    passwordDigest,
    differences: [...differences, difference],
  });
  const padded = digest.padEnd(Math.ceil(digest.length / 4) * 4, "=");
  const isHexadecimal = /^[\da-f]+$/i.test(digest);
  const encoded = Buffer.from(digest, "hex").toString("base64");
  return [
    reading,
    padded === digest ? [] : written(padded, "base64 without padding", "the = at its end"),
    isHexadecimal ? written(encoded, "raw hexadecimal", "base64") : [],
  ].flat();
}

/**
 * Finds out how a wrong PasswordDigest was made: by another convention, with another hash, or with a mistake of public
 * clients. It names every convention that fits: `base64-nonce` and `decoded-nonce` hash the same bytes of a nonce.
 */
export function digestMismatch(sent: UsernameToken, account: EmulatorAccount): string {
  for (const reading of readingsOf(sent, account).flatMap(writingsOf)) {
    for (const hash of hashNames) {
      const digests = conventionNames.filter((digest) => isMadeBy(reading, { digest, hash }));
      if (digests.length === 0) continue;
      const differences = [...reading.differences];
      if (hash !== account.hash) differences.unshift([hash, account.hash]);
      if (!digests.includes(account.digest)) differences.unshift([digests.join(" and "), account.digest]);
      const [theirs, ours] = [0, 1].map((side) => differences.map((both) => both[side]).join(" with "));
      return `matches ${theirs}; this server expects ${ours}`;
    }
  }
  return `does not match ${account.digest} with ${account.hash}`;
}
