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

/** A part of a digest as a client may make it: what it does, what this server expects, and what to change in the client. */
type Slip = readonly [value: string, theirs?: string, ours?: string, change?: string];

const asBytes = "the bytes of the hash: sha1($text, true) in PHP, .digest() in Python and Node";
const asHex = 'the hexadecimal text: sha1($text) in PHP, .hexdigest() in Python, .digest("hex") in Node';

function secretSlips({ secret, token }: EmulatorAccount): readonly Slip[] {
  const ours = "the secret itself";
  const trimmed = 'remove it: rtrim($secret, "\\n") in PHP, .rstrip("\\n") in Python, .trimEnd() in Node';
  const sha1 = createHash("sha1").update(secret).digest("hex");
  return [
    [secret],
    [
      "",
      "an empty secret",
      ours,
      "check the variable that the client reads: getenv() in PHP, os.environ in Python, process.env in Node",
    ],
    [`${secret}\n`, "a line feed behind the secret", ours, trimmed],
    [token, "the token as the secret", ours, "sign with the secret, which the token cannot replace"],
    [
      sha1,
      "the hexadecimal SHA-1 of the secret",
      ours,
      "leave out sha1($secret) in PHP, hashlib.sha1(secret) in Python, createHash in Node",
    ],
  ];
}

/** The nonce as it was sent, and its bytes as they are written in the other form. */
function nonceSlips(nonce: string): readonly Slip[] {
  const ours = "the Nonce as it is sent";
  const isHex = /^(?:[\da-f]{2})+$/i.test(nonce);
  const other = Buffer.from(nonce, isHex ? "hex" : "base64").toString(isHex ? "base64" : "hex");
  const [form, php, python, node] = isHex
    ? ["base64", "bin2hex($nonce)", "nonce.hex()", '.toString("hex")']
    : ["hexadecimal", "base64_encode($nonce)", "b64encode(nonce)", '.toString("base64")'];
  const change = `hash and send one text: ${php} in PHP, ${python} in Python, ${node} in Node`;
  return [[nonce], [other, `the Nonce in ${form}`, ours, change]];
}

/** The PasswordDigest as it was sent, and as base64 or lower case if it is hexadecimal. */
function writingSlips(digest: string, expected: ConventionName): readonly Slip[] {
  const decoded = Buffer.from(digest, "base64").toString("latin1");
  const lower = Buffer.from(decoded.toLowerCase(), "latin1").toString("base64");
  const isUpperHex = /^[\dA-F]+$/.test(decoded);
  const inLower = "use lower case: strtolower() in PHP, .lower() in Python, .toLowerCase() in Node";
  const upper = "upper-case hexadecimal";
  const raw = Buffer.from(digest, "hex").toString("base64");
  const inBase64 = `base64-encode ${asBytes}`;
  return [
    [digest],
    // Where no hexadecimal is expected, its letter case does not matter.
    ...(isUpperHex
      ? [
          expected === "hex-digest"
            ? ([lower, upper, "lower case", inLower] as const)
            : ([lower, upper] as const),
        ]
      : []),
    ...(/^[\da-f]+$/i.test(digest)
      ? [[raw, "hexadecimal that is not in base64", "base64", inBase64] as const]
      : []),
  ];
}

/** What to change in a client that uses one of these conventions instead of the expected one. */
function conventionChange(theirs: readonly string[], ours: ConventionName): string {
  if (theirs.includes("hex-digest")) return `base64-encode ${asBytes}`;
  if (ours === "hex-digest") return `base64-encode ${asHex}`;
  return theirs.includes("text-nonce")
    ? 'hash the decoded Nonce: base64_decode($nonce) in PHP, b64decode(nonce) in Python, Buffer.from(nonce, "base64") in Node'
    : 'hash the Nonce as text: no base64_decode() in PHP, b64decode() in Python, Buffer.from(…, "base64") in Node';
}

/** How a wrong PasswordDigest was made, by convention, hash and slip; and what to change in the client. */
export function digestMismatch(sent: UsernameToken, account: EmulatorAccount): string {
  const { digest, hash } = account;
  const inputs = secretSlips(account).flatMap((secret) =>
    nonceSlips(sent.nonce).map((nonce) => [secret, nonce] as const),
  );
  for (const writing of writingSlips(sent.passwordDigest, digest)) {
    for (const [secret, nonce] of inputs) {
      for (const theirHash of hashNames) {
        const input = { hash: theirHash, nonce: nonce[0], created: sent.created, secret: secret[0] };
        const names = conventionNames.filter((name) =>
          isSame(writing[0], passwordDigest({ ...input, digest: name })),
        );
        if (names.length === 0) continue;
        const slips: readonly Slip[] = [
          names.includes(digest) ? [""] : ["", names.join(" and "), digest, conventionChange(names, digest)],
          theirHash === hash
            ? [""]
            : [
                "",
                theirHash,
                hash,
                `use hash("${hash}", …) in PHP, hashlib.${hash} in Python, createHash("${hash}") in Node`,
              ],
          ...[secret, nonce, writing],
        ];
        const joined = (part: 1 | 2 | 3, by: string): string =>
          slips.flatMap((slip) => slip[part] ?? []).join(by);
        return `matches ${joined(1, " with ")}; this server expects ${joined(2, " with ")}; ${joined(3, "; ")}`;
      }
    }
  }
  return `does not match ${digest} with ${hash}`;
}
