import { describe, expect, test } from "vitest";
import { completeAccount, knownAccounts } from "../../src/emulator/accounts.ts";
import { InputError } from "../../src/errors.ts";
import { credentials, known, randomBytes } from "./support.ts";

describe("an account", () => {
  const complete = (given: object) => completeAccount(given, randomBytes, (key) => `--${key}`);

  test("has random credentials, in the shapes of the specification, and the default algorithm", () => {
    expect(complete({})).toEqual({
      ...known,
      token: "ab".repeat(20),
      username: "emulator-ababab@example.com",
      secret: "q6ur".repeat(6),
    });
  });

  test("keeps what is given", () => {
    const odd = { profile: "west", token: "t", username: "O'Hara+x@example.com", secret: "pä ss'\"\\$" };
    expect(complete({ ...known, ...odd })).toEqual({ ...known, ...odd });
  });

  test.each([
    [{ token: "" }, "The value of --token is empty"],
    [{ token: " S3CRET" }, "The value of --token begins or ends with white space"],
    [{ token: "S3\r\nHost: x" }, "The value of --token contains a control character or one outside ASCII"],
    [{ token: "S3CRETä" }, "The value of --token contains a control character or one outside ASCII"],
    [{ token: 12345 }, "The value of --token is not text"],
    [{ username: "" }, "The value of --username is empty"],
    [{ username: 'S3CRET"' }, "The value of --username contains a"],
    [{ secret: "" }, "The value of --secret is empty"],
    [{ secret: "S3CRET\n" }, "The value of --secret begins or ends with white space"],
    [{ secret: "S3\0CRET" }, "The value of --secret contains a control character"],
    [{ digest: "S3CRET" }, "--digest is not one of text-nonce"],
  ])("%j is refused, and the message does not show it", (given, message) => {
    expect(() => complete(given)).toThrow(InputError);
    expect(() => complete(given)).toThrow(message);
    expect(() => complete(given)).not.toThrow(/S3/);
  });
});

test("known accounts are found by token and username, and keep their secrets out of one short line", () => {
  const west = { ...known, token: "west-token", username: "west@example.com" };
  const twin = { ...known, token: "twin", secret: "twin-secret" };
  const accounts = knownAccounts([known, west, twin]);
  expect([known.token, "west-token", "", "other"].map(accounts.withToken)).toEqual([known, west, null, null]);
  expect(accounts.withUsername(known.username)).toEqual([known, twin]);
  expect(accounts.withUsername("other")).toEqual([]);
  const shown = accounts.shown(`a ${credentials.secret}\n${west.token}${"x".repeat(300)}`);
  expect(shown).toMatch(/^a \[secret\]\\n\[secret\]x+…$/);
});
