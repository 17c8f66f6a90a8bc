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

/** A part of a digest as a client may make it. Its words: what the client does, what is expected, what to change. */
type Slip = readonly [value: string, ...words: readonly string[]];

const inEach = (php: string, python: string, node: string): string =>
  `${php} in PHP, ${python} in Python, ${node} in Node`;

const inBytes = "base64-encode the bytes of the hash: sha1($text, true) in PHP, .digest() in Python and Node";

function secretSlips({ secret, token }: EmulatorAccount): readonly Slip[] {
  const itself = "the secret itself";
  const variable = inEach("getenv()", "os.environ", "process.env");
  const trimmed = inEach('rtrim($secret, "\\n")', '.rstrip("\\n")', ".trimEnd()");
  const hashed = inEach("sha1($secret)", "hashlib.sha1(secret)", "createHash");
  const sha1 = createHash("sha1").update(secret).digest("hex");
  return [
    [secret],
    ["", "an empty secret", itself, `check the variable that the client reads: ${variable}`],
    [`${secret}\n`, "a line feed behind the secret", itself, `remove it: ${trimmed}`],
    [token, "the token as the secret", itself, "sign with the secret, which the token cannot replace"],
    [sha1, "the hexadecimal SHA-1 of the secret", itself, `leave out ${hashed}`],
  ];
}

/** The nonce as it was sent, and its bytes as they are written in the other form. */
function nonceSlips(nonce: string): readonly Slip[] {
  const isHex = /^(?:[\da-f]{2})+$/i.test(nonce);
  const other = Buffer.from(nonce, isHex ? "hex" : "base64").toString(isHex ? "base64" : "hex");
  const [form, code] = isHex
    ? ["base64", inEach("bin2hex($nonce)", "nonce.hex()", '.toString("hex")')]
    : ["hexadecimal", inEach("base64_encode($nonce)", "b64encode(nonce)", '.toString("base64")')];
  return [
    [nonce],
    [other, `the Nonce in ${form}`, "the Nonce as it is sent", `hash and send one text: ${code}`],
  ];
}

/** The PasswordDigest as it was sent, and as base64 or lower case if it is hexadecimal. */
function writingSlips(sent: string, expected: ConventionName): readonly Slip[] {
  const slips: Slip[] = [[sent]];
  const decoded = Buffer.from(sent, "base64").toString("latin1");
  if (/^[\dA-F]+$/.test(decoded)) {
    const lower = Buffer.from(decoded.toLowerCase(), "latin1").toString("base64");
    const change = `use lower case: ${inEach("strtolower()", ".lower()", ".toLowerCase()")}`;
    // Where no hexadecimal is expected, its letter case does not matter.
    slips.push([
      lower,
      "upper-case hexadecimal",
      ...(expected === "hex-digest" ? ["lower case", change] : []),
    ]);
  }
  if (/^[\da-f]+$/i.test(sent)) {
    const raw = Buffer.from(sent, "hex").toString("base64");
    slips.push([raw, "hexadecimal that is not in base64", "base64", inBytes]);
  }
  return slips;
}

/** What to change in a client that uses one of these conventions instead of the expected one. */
function conventionChange(theirs: readonly string[], ours: ConventionName): string {
  if (theirs.includes("hex-digest")) return inBytes;
  if (ours === "hex-digest")
    return `base64-encode the hexadecimal text: ${inEach("sha1($text)", ".hexdigest()", '.digest("hex")')}`;
  return theirs.includes("text-nonce")
    ? `hash the decoded Nonce: ${inEach("base64_decode($nonce)", "b64decode(nonce)", 'Buffer.from(nonce, "base64")')}`
    : `hash the Nonce as text: no ${inEach("base64_decode()", "b64decode()", 'Buffer.from(…, "base64")')}`;
}

/** How a wrong PasswordDigest was made, by convention, hash and slip; and what to change in the client. */
export function digestMismatch(sent: UsernameToken, account: EmulatorAccount): string {
  const { digest, hash: ours } = account;
  const hashes = hashNames.map((hash) => {
    const change = `use ${inEach(`hash("${ours}", …)`, `hashlib.${ours}`, `createHash("${ours}")`)}`;
    return { hash, slip: hash === ours ? [hash] : [hash, hash, ours, change] } as const;
  });
  const made = secretSlips(account).flatMap((secret) =>
    nonceSlips(sent.nonce).flatMap((nonce) =>
      hashes.map(({ hash, slip }) => ({ hash, nonce, secret, slips: [slip, secret, nonce] })),
    ),
  );
  for (const writing of writingSlips(sent.passwordDigest, digest)) {
    for (const { hash, nonce, secret, slips } of made) {
      const input = { hash, nonce: nonce[0], created: sent.created, secret: secret[0] };
      const names = conventionNames.filter((name) =>
        isSame(writing[0], passwordDigest({ ...input, digest: name })),
      );
      if (names.length === 0) continue;
      const convention: Slip = names.includes(digest)
        ? [""]
        : ["", names.join(" and "), digest, conventionChange(names, digest)];
      const words = (place: number, by: string): string =>
        [convention, ...slips, writing].flatMap((slip) => slip[place] ?? []).join(by);
      return `matches ${words(1, " with ")}; this server expects ${words(2, " with ")}; ${words(3, "; ")}`;
    }
  }
  return `does not match ${digest} with ${ours}`;
}
