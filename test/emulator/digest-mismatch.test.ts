import { describe, expect, test } from "vitest";
import { type ConventionName, conventionNames, passwordDigest } from "../../src/wsse/digest.ts";
import { wsseHeader } from "../../src/wsse/header.ts";
import { authenticated, refused, withWsse } from "./authenticated.ts";
import { credentials, wsse } from "./support.ts";

describe("a digest that does not match: the reason says what it was made with", () => {
  // These two hash the same bytes of a nonce, so a digest by one is a digest by the other.
  const decoding: readonly ConventionName[] = ["base64-nonce", "decoded-nonce"];
  const named = (theirs: ConventionName): string =>
    decoding.includes(theirs) ? decoding.join(" and ") : theirs;
  const pairs = conventionNames.flatMap((ours) => conventionNames.map((theirs) => [theirs, ours] as const));

  test.each(pairs.filter(([theirs, ours]) => named(theirs) !== named(ours)))(
    "%s instead of %s",
    (theirs, ours) => {
      expect(authenticated(withWsse(wsse({ digest: theirs })), { digest: ours })).toEqual(
        refused("digest", `matches ${named(theirs)}; this server expects ${ours}`),
      );
    },
  );

  test.each([decoding, decoding.toReversed()])("%s is accepted for %s, with a note", (theirs, ours) => {
    expect(authenticated(withWsse(wsse({ digest: theirs })), { digest: ours })).toMatchObject({
      kind: "accepted",
      notes: [expect.stringMatching(/^Nonce is not /)],
    });
  });

  test("another hash", () => {
    expect(authenticated(withWsse(wsse({ hash: "sha512" })))).toEqual(
      refused("digest", "matches sha512; this server expects sha1"),
    );
  });

  test("another convention and hash", () => {
    expect(authenticated(withWsse(wsse({ digest: "hex-digest", hash: "sha256" })))).toEqual(
      refused("digest", "matches hex-digest with sha256; this server expects text-nonce with sha1"),
    );
  });

  test("the token as the secret", () => {
    expect(authenticated(withWsse(wsse({ secret: credentials.token })))).toEqual(
      refused("digest", "matches the token as the secret; this server expects the secret itself"),
    );
  });

  const { username, secret } = credentials;
  const hex = "00ff".repeat(10);
  const created = "2026-11-21T03:31:00+00:00";
  const digestOf = (nonce: string, time: string): string =>
    passwordDigest({ digest: "text-nonce", hash: "sha1", nonce, created: time, secret });
  const raw = (digest: string): string => Buffer.from(digest, "base64").toString("hex");

  test.each([
    [digestOf(hex, created).replace("=", ""), "base64 without padding; this server expects the = at its end"],
    [raw(digestOf(hex, created)), "raw hexadecimal; this server expects base64"],
    [digestOf(hex, "1795231860"), "Created in seconds; this server expects Created as it is sent"],
    [
      raw(digestOf(hex, "1795231860")),
      "Created in seconds with raw hexadecimal; this server expects Created as it is sent with base64",
    ],
    [
      passwordDigest({
        digest: "base64-nonce",
        hash: "sha1",
        nonce: Buffer.from(hex, "hex").toString("base64"),
        created,
        secret,
      }),
      "base64-nonce and decoded-nonce with the Nonce in base64; this server expects text-nonce with the Nonce as it is sent",
    ],
  ])("%s of a public client", (passwordDigest, detail) => {
    const header = wsseHeader({ username, passwordDigest, nonce: hex, created });
    expect(authenticated(withWsse(header))).toEqual(refused("digest", `matches ${detail}`));
  });

  test("raw hexadecimal over a Created that is a number of seconds", () => {
    const header = wsseHeader({
      username,
      passwordDigest: raw(digestOf(hex, "1795231860")),
      nonce: hex,
      created: "1795231860",
    });
    expect(authenticated(withWsse(header))).toMatchObject({
      detail: "matches raw hexadecimal; this server expects base64",
      notes: ["Created is not of the form YYYY-MM-DDThh:mm:ss+00:00"],
    });
  });

  test("it says nothing about the digest of an unknown user", () => {
    const header = wsse({ digest: "hex-digest", username: "you@example.com" });
    expect(authenticated(withWsse(header))).toEqual(refused("unknown user", "you@example.com"));
  });
});
