import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conventionNames } from "../../src/wsse/digest.ts";
import { authenticated, clock, headerWith, refused, withToken, withWsse } from "./authenticated.ts";
import { credentials, wsse } from "./support.ts";

const printable = fc.stringMatching(/^[ !#-~]{1,128}$/);
const createdForms = fc.constantFrom(
  clock,
  clock.replace(".000Z", "Z"),
  clock.replace(".000Z", "+0000"),
  clock.replace("Z", "+00:00"),
  clock.replaceAll(/[-:]|\.000/g, ""),
);

test("accepts every printable nonce and form of Created, hashed as sent, and notes what is unusual", () => {
  const digest = fc.constantFrom(...conventionNames);
  fc.assert(
    fc.property(printable, createdForms, digest, (wireNonce, created, convention) => {
      const sent = headerWith(wireNonce, created, { digest: convention });
      expect(authenticated(sent, { digest: convention })).toMatchObject({
        kind: "accepted",
        notes: [expect.stringMatching(/^Nonce is not /), expect.stringMatching(/^Created is not /)],
      });
      expect(authenticated(sent, { digest: convention, strict: true })).toMatchObject({
        kind: "refused",
        reason: "malformed",
        detail: expect.stringMatching(/^Nonce is not .*; Created is not /),
      });
    }),
  );
});

test.each(conventionNames)("--strict accepts what the client sends by %s, without a note", (digest) => {
  const result = authenticated(withWsse(wsse({ digest })), { digest, strict: true });
  expect(result).toMatchObject({ kind: "accepted", notes: [] });
});

test("two nonces that the convention hashes alike have one key, and others have two", () => {
  const spelling = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.replace(/=+$/, ""),
    (text) => text.replaceAll("+", "-").replaceAll("/", "_"),
    (text) => ` ${text}`,
  );
  const nonce = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.constantFrom("base64", "hex"))
    .map(([bytes, encoding]) => Buffer.from(bytes).toString(encoding));
  fc.assert(
    fc.property(fc.constantFrom(...conventionNames), nonce, spelling, (digest, first, spell) => {
      const second = spell(first);
      const [one, other] = [first, second].map((text) => {
        const sent = headerWith(text, clock, { digest });
        const result = authenticated(sent, { digest });
        return { key: result.kind === "accepted" ? result.nonceKey : null, header: sent.wsse[0] };
      });
      const digestOf = (header = ""): string => /PasswordDigest="([^"]*)"/.exec(header)?.[1] ?? "";
      expect(one?.key?.length, "a key has a fixed length").toBeLessThan(100);
      expect(one?.key === other?.key).toBe(digestOf(one?.header) === digestOf(other?.header));
    }),
    { examples: [["base64-nonce", "AA==", (text) => text.replace("A=", "B=")]] },
  );
});

describe('--authorization wsse wants WSSE profile="UsernameToken" beside X-WSSE', () => {
  const check = (...authorization: readonly string[]) =>
    authenticated({ wsse: [wsse()], token: [], authorization }, { authorization: "wsse" });

  test.each([
    'WSSE profile="UsernameToken"',
    'wsse Profile="UsernameToken"',
    "WSSE profile=UsernameToken",
    'WSSE  profile = "UsernameToken"',
  ])("%s is accepted", (value) => {
    expect(check(value)).toMatchObject({ kind: "accepted" });
  });

  test.each([
    [],
    [""],
    ["WSSE"],
    ['WSSE profile="Other"'],
    ['WSSE profile="UsernameToken'],
    ["Basic bWU6cHc="],
    ['Basic profile="UsernameToken"'],
  ])("%j is refused", (...values) => {
    expect(check(...values)).toEqual(
      refused("authorization", 'Authorization: WSSE profile="UsernameToken" was not sent beside X-WSSE'),
    );
  });

  test("a token needs none", () => {
    expect(authenticated(withToken(credentials.token), { authorization: "wsse" })).toMatchObject({
      kind: "accepted",
    });
  });

  test("without it, the field beside X-WSSE does not matter", () => {
    expect(authenticated({ wsse: [wsse()], token: [], authorization: ["Basic bWU6cHc="] })).toMatchObject({
      kind: "accepted",
    });
  });
});
