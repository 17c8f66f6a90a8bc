import { describe, expect, test } from "vitest";
import { type ConventionName, conventionNames } from "../../src/wsse/digest.ts";
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
      kind: "wsse",
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

  test("it says nothing about the digest of an unknown user", () => {
    const header = wsse({ digest: "hex-digest", username: "you@example.com" });
    expect(authenticated(withWsse(header))).toEqual(refused("unknown user", "you@example.com"));
  });
});
