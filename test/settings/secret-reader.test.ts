import { describe, expect, test } from "vitest";
import type { Inputs } from "../../src/settings/inputs.ts";
import { levelOf } from "../../src/settings/levels.ts";
import { readSecret, secretsAtHand } from "../../src/settings/secret-reader.ts";
import { flag, given, recording } from "./recording.ts";
import { settingsOf } from "./settings-of.ts";

const settings = (...values: readonly ReturnType<typeof given>[]) => settingsOf([levelOf(values)]);

/** Inputs of which each holds these bytes. */
const reading = (bytes: Uint8Array): Inputs => ({ read: async () => bytes, certificates: async () => [] });

/** Reads the token from a file with these bytes. */
const fromFile = (bytes: Uint8Array) => readSecret("token", settings(given("file")), reading(bytes));
/** Reads the token or the secret that stands in a flag. */
const fromText = (text: string, name: "token" | "secret" = "token") =>
  readSecret(name, settings(given(text, flag, name)), recording().inputs);

test("the text of a setting is the secret, and is known by its setting", async () => {
  const read = await fromText("a-secret", "secret");
  expect([read?.value.reveal(), read?.setting, read?.source]).toEqual(["a-secret", "secret", flag]);
  expect(await readSecret("token", settings(), recording().inputs)).toBeNull();
});

test("the content of a file is the secret, at most 64 KiB, without one end of line", async () => {
  const { inputs, calls } = recording();
  const read = await readSecret("token", settings(given("file")), inputs);
  expect([read?.value.reveal(), read?.setting]).toEqual(["content", "tokenFile"]);
  expect(calls).toEqual([["yours", "/working/file", 65_536, false]]);
  for (const end of ["", "\n", "\r\n"]) {
    const file = settings(given("file", flag, "secretFile"));
    const secret = await readSecret("secret", file, reading(Buffer.from(`a\nb${end}`)));
    expect(secret?.value.reveal()).toBe("a\nb");
  }
});

const mark = "The input from --token-file begins with the byte order mark of UTF-16";
test.each([
  [[0xff, 0xfe, 0x61, 0], mark, "Save it as UTF-8 without a byte order mark"],
  [[0xfe, 0xff, 0, 0x61], mark, "Save it as UTF-8 without a byte order mark"],
  [[0xff, 0x61], "The input from --token-file is not UTF-8 text", "Save it as UTF-8 text"],
  [[0xfe, 0xfe], "The input from --token-file is not UTF-8 text", "Save it as UTF-8 text"],
  [[0x61, 0xff], "The input from --token-file is not UTF-8 text", "Save it as UTF-8 text"],
])("a file with the bytes %j is refused", async (bytes, message, hint) => {
  await expect(fromFile(Buffer.from(bytes))).rejects.toMatchObject({ kind: "settings", message, hint });
});

test("a command that succeeds and prints nothing, or only an end of line, is named as what is wrong", async () => {
  const command = settings(given('["pass"]', flag, "tokenCommand"));
  for (const output of ["", "\n"])
    await expect(readSecret("token", command, reading(Buffer.from(output)))).rejects.toMatchObject({
      message: "The command of --token-file printed nothing; its exit code is 0",
      hint: "Run the command yourself to see why",
    });
});

describe("a secret is refused that", () => {
  const edge = "begins or ends with white space";
  const byteOrder = "contains a byte order mark (U+FEFF), an invisible character";

  test.each([
    ["", "is empty", "Check where the token is read from"],
    ["a\ufeffb", byteOrder, "Save it as UTF-8 without a byte order mark, or copy it again"],
    [" a", edge, "Remove it: another client would send it as part of the token"],
    [
      "a\ufffdb",
      "is not UTF-8 text: it contains U+FFFD, which stands for other bytes",
      "Set the token in a terminal or a file that uses UTF-8",
    ],
    ["a\ud800b", "contains half of a surrogate pair, which is not valid text", "Copy the token again"],
  ])("is %j: it %s", async (text, problem, hint) => {
    await expect(fromText(text)).rejects.toMatchObject({
      kind: "settings",
      message: `The token from --token-file ${problem}`,
      hint,
    });
  });

  test.each(["a\n\n", "a\n\r\n", "a\r", "a \n", "\na"])(
    "is %j in a file, less one end of line",
    async (text) => {
      await expect(fromFile(Buffer.from(text))).rejects.toThrow(edge);
    },
  );

  test("is empty in its file", async () => {
    for (const text of ["", "\n"]) await expect(fromFile(Buffer.from(text))).rejects.toThrow("is empty");
  });

  test("begins with a byte order mark in its file", async () => {
    await expect(fromFile(Buffer.from("\ufeffa"))).rejects.toThrow(byteOrder);
  });

  test("no header can carry, if it is a token", async () => {
    await expect(fromText("a\nb")).rejects.toMatchObject({ hint: "Copy the token again" });
    expect((await fromText("a\nb", "secret"))?.value.reveal()).toBe("a\nb");
    expect((await fromText("a b"))?.value.reveal()).toBe("a b");
  });
});

test("the secrets at hand are read without waiting: no standard input is read and no command runs", () => {
  const { context, calls } = recording();
  const atHand = (...values: readonly ReturnType<typeof given>[]) =>
    Object.values(secretsAtHand(settings(...values), context));
  expect(atHand()).toEqual([null, null]);
  expect(atHand(given("a-token", flag, "token"), given("a-secret", flag, "secret"))).toEqual([
    "a-token",
    "a-secret",
  ]);
  expect(atHand(given("-"), given("[]", flag, "secretCommand"))).toEqual([null, null]);
  expect(calls).toEqual([]);
  expect(atHand(given("file"))).toEqual(["content", null]);
  expect(calls).toEqual([["found", "/working/file", 65_536]]);
});

test.each([
  [
    "tokenCommand",
    '["pass"]',
    "--token-file: its output has 3 lines",
    "Make the command print the token alone",
  ],
  ["tokenFile", "file", "--token-file: the input has 3 lines", "Leave only the token in it"],
] as const)(
  "a token of several lines is refused with their number: %s",
  async (setting, text, message, hint) => {
    const lines = reading(Buffer.from("a\nb\nc\n"));
    await expect(readSecret("token", settings(given(text, flag, setting)), lines)).rejects.toMatchObject({
      kind: "settings",
      message: `The token cannot be read from ${message}`,
      hint,
    });
  },
);
