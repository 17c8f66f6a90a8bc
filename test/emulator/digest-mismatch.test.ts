import { describe, expect, test } from "vitest";
import { type ConventionName, conventionNames, passwordDigest } from "../../src/wsse/digest.ts";
import { wsseHeader } from "../../src/wsse/header.ts";
import { authenticated, credentials, verdict, withWsse, wsse } from "./support.ts";

describe("a digest that does not match: the reason says what it was made with", () => {
  // These two hash the same bytes of a nonce, so a digest by one is a digest by the other.
  const decoding: readonly ConventionName[] = ["base64-nonce", "decoded-nonce"];
  const named = (theirs: ConventionName): string =>
    decoding.includes(theirs) ? decoding.join(" and ") : theirs;
  const pairs = conventionNames.flatMap((ours) => conventionNames.map((theirs) => [theirs, ours] as const));

  test.each(pairs.filter(([theirs, ours]) => named(theirs) !== named(ours)))(
    "%s instead of %s",
    (theirs, ours) => {
      const expected = `401 digest: matches ${named(theirs)}; this server expects ${ours}`;
      expect(verdict(withWsse(wsse({ digest: theirs })), { digest: ours })).toBe(expected);
    },
  );

  test.each([decoding, decoding.toReversed()])("%s is accepted for %s, with a note", (theirs, ours) => {
    const result = authenticated(withWsse(wsse({ digest: theirs })), { digest: ours });
    expect(result).toMatchObject({ status: 200, notes: [expect.stringMatching(/^Nonce is not /)] });
  });

  test.each([
    [{ hash: "sha512" }, "sha512; this server expects sha1"],
    [
      { digest: "hex-digest", hash: "sha256" },
      "hex-digest with sha256; this server expects text-nonce with sha1",
    ],
    [{ secret: credentials.token }, "the token as the secret; this server expects the secret itself"],
  ] as const)("%j", (changes, expected) => {
    expect(verdict(withWsse(wsse(changes)))).toBe(`401 digest: matches ${expected}`);
  });

  const { username, secret } = credentials;
  const hex = "00ff".repeat(10);
  const base64 = Buffer.from(hex, "hex").toString("base64");
  const created = "2026-11-21T03:31:00+00:00";
  const seconds = "1795231860";
  const digestOf = (time: string, nonce = hex, digest: ConventionName = "text-nonce"): string =>
    passwordDigest({ digest, hash: "sha1", nonce, created: time, secret });
  const raw = (digest: string): string => Buffer.from(digest, "base64").toString("hex");

  test.each([
    [created, digestOf(created).replace("=", ""), "base64 without padding", "the = at its end"],
    [created, raw(digestOf(created)), "raw hexadecimal", "base64"],
    [seconds, raw(digestOf(seconds)), "raw hexadecimal", "base64"],
    [created, digestOf(seconds), "Created in seconds", "Created as it is sent"],
    [
      created,
      raw(digestOf(seconds)),
      "Created in seconds with raw hexadecimal",
      "Created as it is sent with base64",
    ],
    [
      created,
      digestOf(created, base64, "base64-nonce"),
      "base64-nonce and decoded-nonce with the Nonce in base64",
      "text-nonce with the Nonce as it is sent",
    ],
  ])("with Created %s, %s of a public client", (sent, passwordDigest, theirs, ours) => {
    const header = wsseHeader({ username, passwordDigest, nonce: hex, created: sent });
    expect(verdict(withWsse(header))).toBe(`401 digest: matches ${theirs}; this server expects ${ours}`);
  });

  test("it says nothing about the digest of an unknown user", () => {
    const header = wsse({ digest: "hex-digest", username: "you@example.com" });
    expect(verdict(withWsse(header))).not.toContain("digest");
  });
});
