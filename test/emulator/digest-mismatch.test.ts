import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type ConventionName, conventionNames, passwordDigest } from "../../src/wsse/digest.ts";
import { wsseHeader } from "../../src/wsse/header.ts";
import { authenticated, credentials, verdict, withWsse, wsse } from "./support.ts";

// These two hash the same bytes of a nonce, so a digest by one is a digest by the other.
const decoding: readonly ConventionName[] = ["base64-nonce", "decoded-nonce"];
const both = decoding.join(" and ");
const named = (theirs: ConventionName): string => (decoding.includes(theirs) ? both : theirs);

describe("a digest by another convention is named, with what to change", () => {
  const pairs = conventionNames.flatMap((ours) => conventionNames.map((theirs) => [theirs, ours] as const));

  test.each(pairs.filter(([theirs, ours]) => named(theirs) !== named(ours)))(
    "%s instead of %s",
    (theirs, ours) => {
      const said = verdict(withWsse(wsse({ digest: theirs })), { digest: ours });
      expect(said).toContain(`401 digest: matches ${named(theirs)}; this server expects ${ours}; `);
      expect(said).toMatch(/(?:base64-encode|hash) the .* PHP, .* Python.* Node$/);
    },
  );

  test.each([decoding, decoding.toReversed()])("%s is accepted for %s, with a note", (theirs, ours) => {
    const result = authenticated(withWsse(wsse({ digest: theirs })), { digest: ours });
    expect(result).toMatchObject({ status: 200, notes: [expect.stringMatching(/^Nonce is not /)] });
  });
});

const { username, secret, token } = credentials;
const hex = "00ff".repeat(10);
const base64 = Buffer.from(hex, "hex").toString("base64");
const created = "2026-11-21T03:31:00+00:00";
const sha1 = (...parts: readonly string[]) => createHash("sha1").update(parts.join(""));
const made = (digest: ConventionName, changes: object = {}): string =>
  passwordDigest({ digest, hash: "sha1", nonce: hex, created, secret, ...changes });
const toBase64 = (text: string): string => Buffer.from(text).toString("base64");

const [itself, asSent] = ["the secret itself", "the Nonce as it is sent"];
const bytes = "base64-encode the bytes of the hash: sha1($text, true) in PHP, .digest() in Python and Node";
const trimmed = 'rtrim($secret, "\\n") in PHP, .rstrip("\\n") in Python, .trimEnd() in Node';
const lower = "use lower case: strtolower() in PHP, .lower() in Python, .toLowerCase() in Node";
const hashed = 'use hash("sha1", …) in PHP, hashlib.sha1 in Python, createHash("sha1") in Node';

// What the client does, its Nonce and digest; what the log says it matches, what is expected, and what to change.
test.each<[string, string, string, string, string, string]>([
  ["an empty secret", hex, made("text-nonce", { secret: "" }), "an empty secret", itself, "getenv() in PHP"],
  [
    "a line feed",
    hex,
    made("text-nonce", { secret: `${secret}\n` }),
    "a line feed behind the secret",
    itself,
    trimmed,
  ],
  [
    "the token",
    hex,
    made("text-nonce", { secret: token }),
    "the token as the secret",
    itself,
    "sign with the secret",
  ],
  [
    "a hashed secret",
    hex,
    made("text-nonce", { secret: sha1(secret).digest("hex") }),
    "the hexadecimal SHA-1 of the secret",
    itself,
    "leave out sha1($secret) in PHP",
  ],
  [
    "sha1() in PHP",
    hex,
    toBase64(sha1(hex, created, secret).digest("hex")),
    "hex-digest",
    "text-nonce",
    bytes,
  ],
  [
    "no base64",
    hex,
    sha1(hex, created, secret).digest("hex"),
    "hexadecimal that is not in base64",
    "base64",
    bytes,
  ],
  [
    "upper-case hexadecimal",
    hex,
    toBase64(sha1(hex, created, secret).digest("hex").toUpperCase()),
    "hex-digest with upper-case hexadecimal",
    "text-nonce",
    bytes,
  ],
  ["another hash", hex, made("text-nonce", { hash: "sha256" }), "sha256", "sha1", hashed],
  [
    "base64 hashed, hexadecimal sent",
    hex,
    made("text-nonce", { nonce: base64 }),
    "the Nonce in base64",
    asSent,
    "bin2hex",
  ],
  [
    "hexadecimal hashed, base64 sent",
    base64,
    made("text-nonce"),
    "the Nonce in hexadecimal",
    asSent,
    "base64_encode",
  ],
  [
    "two slips",
    hex,
    made("hex-digest", { hash: "sha512", secret: "" }),
    "hex-digest with sha512 with an empty secret",
    `text-nonce with sha1 with ${itself}`,
    `${bytes}; ${hashed}; check the variable`,
  ],
])("%s is named, with what to change", (_, nonce, passwordDigest, theirs, ours, change) => {
  const said = verdict(withWsse(wsseHeader({ username, passwordDigest, nonce, created })));
  expect(said).toContain(`digest: matches ${theirs}; this server expects ${ours}; `);
  expect(said).toContain(change);
  for (const hidden of [secret, token, passwordDigest]) expect(said).not.toContain(hidden);
});

test("upper-case hexadecimal is the only slip where hexadecimal is expected", () => {
  const passwordDigest = toBase64(sha1(hex, created, secret).digest("hex").toUpperCase());
  const sent = withWsse(wsseHeader({ username, passwordDigest, nonce: hex, created }));
  const matches = `matches upper-case hexadecimal; this server expects lower case; ${lower}`;
  expect(verdict(sent, { digest: "hex-digest" })).toBe(`401 digest: ${matches}`);
});

test.each([
  ["another secret", made("text-nonce", { secret: "other" })],
  ["a space behind the secret", made("text-nonce", { secret: `${secret} ` })],
  ["no digest", "x"],
])("%s is none of them", (_, passwordDigest) => {
  const sent = withWsse(wsseHeader({ username, passwordDigest, nonce: hex, created }));
  expect(verdict(sent)).toBe("401 digest: does not match text-nonce with sha1");
});
