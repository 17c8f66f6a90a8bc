import { describe, expect, test } from "vitest";
import { completeAccount, knownAccounts, sameText } from "../../src/emulator/accounts.ts";
import { InputError } from "../../src/errors.ts";
import { known } from "./authenticated.ts";
import { credentials, randomBytes } from "./support.ts";

describe("an account", () => {
  const complete = (given: object) => completeAccount(given, randomBytes, (key) => `--${key}`);

  test("has random credentials, in the shapes of the specification, and the default algorithm", () => {
    expect(complete({})).toEqual({
      profile: null,
      token: "ab".repeat(20),
      username: "emulator-ababab@example.com",
      secret: "q6ur".repeat(6),
      digest: "text-nonce",
      hash: "sha1",
      authorization: "none",
    });
  });

  test("keeps what is given", () => {
    const given = {
      ...known,
      profile: "west",
      token: "t",
      username: "O'Hara+x@example.com",
      secret: "pä ss'\"\\$",
    };
    expect(complete(given)).toEqual(given);
  });

  test.each([
    [{ token: "" }, "The value of --token is empty"],
    [{ token: " S3CRET" }, "The value of --token begins or ends with white space"],
    [
      { token: "S3CRET\r\nHost: x" },
      "The value of --token contains a control character or one outside ASCII",
    ],
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

describe("known accounts", () => {
  const west = { ...known, profile: "west", token: "west-token", username: "west@example.com" };
  const accounts = knownAccounts([known, west]);

  test("are found by their token and by their username", () => {
    expect([known.token, "west-token", "", "other"].map(accounts.withToken)).toEqual([
      known,
      west,
      null,
      null,
    ]);
    expect(accounts.withUsername("west@example.com")).toEqual([west]);
    expect(accounts.withUsername("other")).toEqual([]);
  });

  test("may have the same username", () => {
    const second = { ...known, secret: "other" };
    expect(knownAccounts([known, second]).withUsername(known.username)).toEqual([known, second]);
  });

  test("keep their secrets out of the log, which has one short line", () => {
    expect(accounts.shown(`a ${credentials.secret}\n${west.token}${"x".repeat(300)}`)).toMatch(
      /^a \[secret\]\\n\[secret\]x+…$/,
    );
  });
});

test.each([
  ["a", "a", true],
  ["a", "b", false],
  ["a", "aa", false],
  ["", "", true],
])("sameText(%j, %j) is %s", (first, second, same) => {
  expect(sameText(first, second)).toBe(same);
});
