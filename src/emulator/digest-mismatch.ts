import { createHash, timingSafeEqual } from "node:crypto";
import { conventionNames, hashNames, passwordDigest } from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { createdSeconds } from "./created.ts";

/**
 * A part of a digest as a client may make it; what it does then, and what this server expects instead (both left out if it is
 * that); and who is known to make it so.
 */
type Variant<Value = string> = readonly [value: Value, theirs?: string, ours?: string, whose?: string];

/** Says that a convention is not one of `--digest`, and whose it is. */
export function notSent(whose: string): string {
  return `this is the convention of ${whose}, which referral-auth does not send`;
}

/** Whether a PasswordDigest is the one that the account must send. The comparison takes constant time. */
export function digestMatches(sent: UsernameToken, { digest, hash, secret }: EmulatorAccount): boolean {
  const expected = Buffer.from(passwordDigest({ ...sent, digest, hash, secret }));
  const given = Buffer.from(sent.passwordDigest);
  // The length depends on convention and hash alone, which are no secret.
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function secretsOf({ secret, token }: EmulatorAccount): readonly Variant<string | Uint8Array>[] {
  const ours = "the secret itself";
  const sha1 = createHash("sha1").update(secret).digest();
  return [
    [secret],
    [token, "the token as the secret", ours],
    // mvantellingen/python-zeep, issue 1113: Base64(SHA1(nonce + created + SHA1(password))).
    [sha1, "the SHA-1 of the secret", ours, "Amadeus"],
  ];
}

function timesOf(created: string): readonly Variant[] {
  const seconds = createdSeconds(created);
  if (seconds === null) return [[created]];
  const ours = "Created as it is sent";
  const [, fraction = ""] = /[.,](\d{1,3})/.exec(created) ?? [];
  const milliseconds = fraction.padEnd(3, "0");
  const utc = new Date(seconds * 1000).toISOString().slice(0, 19);
  const variants: readonly Variant[] = [
    [String(seconds), "Created in seconds", ours],
    // inossidabile/wash_out, pull request 229: it writes the time anew as %Y-%m-%dT%H:%M:%SZ and as %Y-%m-%dT%H:%M:%S.%3NZ.
    [`${utc}Z`, "Created with Z", ours, "wash_out"],
    [`${utc}.${milliseconds}Z`, "Created with milliseconds and Z", ours, "wash_out for SoapUI"],
  ];
  return [[created], ...variants.filter(([value]) => value !== created)];
}

/** The digests in the base64 that this server expects which a client may have meant by this one. */
function writingsOf(digest: string): readonly Variant[] {
  const padded = digest.padEnd(Math.ceil(digest.length / 4) * 4, "=");
  const encoded = (hex: string) => Buffer.from(hex, "hex").toString("base64");
  const decoded = Buffer.from(digest, "base64").toString("latin1");
  const nodeWsse = "node-wsse with sha1encoding and nonceBase64";
  const variants: readonly Variant[] = [
    [padded, "base64 without padding", "the = at its end"],
    // symfony/symfony, MessageDigestPasswordEncoder: bin2hex() if encode_as_base64 is off.
    [encoded(digest), "raw hexadecimal", "base64", "Symfony's encoders without base64"],
    // bouzuya/node-wsse, src/index.ts: both options together. With a nonce as sent it is hex-digest.
    [encoded(decoded), "the base64 of hexadecimal", "the base64 of bytes", nodeWsse],
  ];
  return [[digest], ...variants.filter(([value]) => value !== "" && value !== digest)];
}

/**
 * Finds out how a wrong PasswordDigest was made: by another convention, with another hash, with a mistake of public clients,
 * by a convention that `--digest` does not have, or by several of them at once. It names every convention that fits:
 * `base64-nonce` and `decoded-nonce` hash the same bytes of a nonce. Two conventions of Symfony are left out: 5,000 rounds of
 * SHA-512 take 16 ms, and `secret{salt}` needs a salt.
 */
export function digestMismatch(sent: UsernameToken, account: EmulatorAccount): string {
  const writings = writingsOf(sent.passwordDigest);
  const base64 = Buffer.from(sent.nonce, "hex").toString("base64");
  const nonces: readonly Variant[] = [
    [sent.nonce],
    [base64, "the Nonce in base64", "the Nonce as it is sent"],
  ];
  const readings = secretsOf(account).flatMap((secret) =>
    timesOf(sent.created).flatMap((created) => nonces.map((nonce) => [secret, created, nonce] as const)),
  );
  for (const [secret, created, nonce] of readings) {
    const input = { nonce: nonce[0], created: created[0], secret: secret[0] };
    for (const hash of hashNames) {
      const made = conventionNames.map((digest) => [digest, passwordDigest({ ...input, digest, hash })]);
      for (const writing of writings) {
        const names = made.filter(([, digest]) => digest === writing[0]).map(([name = ""]) => name);
        if (names.length > 0) return told(names, hash, [secret, created, nonce, writing], account);
      }
    }
  }
  return `does not match ${account.digest} with ${account.hash}`;
}

function told(
  conventions: readonly string[],
  hash: string,
  variants: readonly Variant<unknown>[],
  account: EmulatorAccount,
): string {
  const isExpected = conventions.includes(account.digest);
  const all: readonly Variant<unknown>[] = [
    isExpected ? [null] : [null, conventions.join(" and "), account.digest],
    hash === account.hash ? [null] : [null, hash, account.hash],
    ...variants,
  ];
  const joined = (part: 1 | 2 | 3, by: string): string => all.flatMap((one) => one[part] ?? []).join(by);
  const whose = joined(3, " and of ");
  const note = whose === "" ? "" : `; ${notSent(whose)}`;
  return `matches ${joined(1, " with ")}; this server expects ${joined(2, " with ")}${note}`;
}
