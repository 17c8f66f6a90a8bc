import { createHash, timingSafeEqual } from "node:crypto";
import { type ConventionName, conventionNames, hashNames, passwordDigest } from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { EmulatorAccount } from "./accounts.ts";

/** Compares two digests in constant time. Their length depends on convention and hash alone, which are no secret. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a PasswordDigest is the one that the account must send. */
export function digestMatches(sent: UsernameToken, { digest, hash, secret }: EmulatorAccount): boolean {
  return isSame(sent.passwordDigest, passwordDigest({ ...sent, digest, hash, secret }));
}

/** A part of a digest as a client may make it. Its words: what the client does, and what is expected. */
type Slip<Value = string> = readonly [value: Value, theirs?: string, ours?: string | undefined];

function secretSlips({ secret, token }: EmulatorAccount): readonly Slip[] {
  const itself = "the secret itself";
  const sha1 = createHash("sha1").update(secret).digest("hex");
  return [
    [secret],
    ["", "an empty secret", itself],
    [`${secret}\n`, "a line feed behind the secret", itself],
    [token, "the token as the secret", itself],
    [sha1, "the hexadecimal SHA-1 of the secret", itself],
  ];
}

/** The nonce as it was sent, and its bytes as they are written in the other form. */
function nonceSlips(nonce: string): readonly Slip[] {
  const isHex = /^(?:[\da-f]{2})+$/i.test(nonce);
  const other = Buffer.from(nonce, isHex ? "hex" : "base64").toString(isHex ? "base64" : "hex");
  return [[nonce], [other, `the Nonce in ${isHex ? "base64" : "hexadecimal"}`, "the Nonce as it is sent"]];
}

/** The PasswordDigest as it was sent, and as base64 or lower case if it is hexadecimal. */
function writingSlips(sent: string, expected: ConventionName): readonly Slip[] {
  const decoded = Buffer.from(sent, "base64").toString("latin1");
  const lower = Buffer.from(decoded.toLowerCase(), "latin1").toString("base64");
  const raw = Buffer.from(sent, "hex").toString("base64");
  const slips: Slip[] = [[sent]];
  // Where no hexadecimal is expected, its letter case does not matter.
  const lowerCase = expected === "hex-digest" ? "lower case" : undefined;
  if (/^[\dA-F]+$/.test(decoded)) slips.push([lower, "upper-case hexadecimal", lowerCase]);
  if (/^[\da-f]+$/i.test(sent)) slips.push([raw, "hexadecimal that is not in base64", "base64"]);
  return slips;
}

/** How a wrong PasswordDigest was made, by convention, hash and slip. */
export function digestMismatch(sent: UsernameToken, account: EmulatorAccount): string {
  const { digest, hash: ours } = account;
  const hashes = hashNames.map((hash): Slip<typeof hash> => (hash === ours ? [hash] : [hash, hash, ours]));
  const made = secretSlips(account).flatMap((secret) =>
    nonceSlips(sent.nonce).flatMap((nonce) => hashes.map((hash) => [hash, secret, nonce] as const)),
  );
  for (const writing of writingSlips(sent.passwordDigest, digest)) {
    for (const slips of made) {
      const [[hash], [secret], [nonce]] = slips;
      const input = { hash, nonce, created: sent.created, secret };
      const names = conventionNames.filter((name) =>
        isSame(writing[0], passwordDigest({ ...input, digest: name })),
      );
      if (names.length === 0) continue;
      const convention: Slip = names.includes(digest) ? [""] : ["", names.join(" and "), digest];
      const words = (place: 1 | 2): string =>
        [convention, ...slips, writing].flatMap((slip) => slip[place] ?? []).join(" with ");
      return `matches ${words(1)}; this server expects ${words(2)}`;
    }
  }
  return `does not match ${digest} with ${ours}`;
}
