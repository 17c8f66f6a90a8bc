import { inspect } from "node:util";
import { expect, test } from "vitest";
import { type Inputs, readSecret, secretsAtHand, whyByHand } from "../../src/settings/inputs.ts";
import { commandText, levelOf, shownCommand, wordsFor } from "../../src/settings/levels.ts";
import { describeLength, parseSecret, Secret, textProblem } from "../../src/settings/secret.ts";
import { flag, given, recording } from "./recording.ts";
import { rcSource, settingsOf } from "./settings-of.ts";

test("a secret shows itself only where it is asked to", () => {
  const secret = new Secret("planted");
  expect(secret.reveal()).toBe("planted");
  const shown = [`${secret}`, JSON.parse(JSON.stringify(secret)), inspect(secret)];
  expect(shown).toEqual(["[secret]", "[secret]", "[secret]"]);
  expect(inspect({ deep: { secret } }, { depth: null, showHidden: true })).not.toContain("planted");
});

const edge = "begins or ends with white space";
const byteOrder = "contains a byte order mark (U+FEFF), an invisible character";

test.each(["token", "secret"] as const)("a %s has no space at its ends and no byte order mark", (name) => {
  const problemOf = (text: string) => ({ problem: null, ...parseSecret(name, text) }).problem;
  const spaces = [..." \t\n\r\v\f\u00a0\u2028\u200b\u2060"];
  const spaced = spaces.flatMap((space) => [`${space}a-value`, `a-value${space}`]);
  expect(spaced.filter((text) => problemOf(text) !== edge)).toEqual([]);
  const marked = ["\ufeffa-value", "a-value\ufeff", "a-\ufeffvalue"];
  expect(marked.filter((text) => problemOf(text) !== byteOrder)).toEqual([]);
});

test.each([
  ["0123456789abcdef0123456789abcdef01234567", "40 characters, the last four are 4567", null],
  ["0123456789ABCDEF0123456789ABCDEF0123CDEF", "40 characters, the last four are CDEF", null],
  ["0123456789abcdef0123456789abcdef0123456g", "40 characters", null],
  ["0123456789abcdef0123456789abcdef0123456", "39 characters", null],
  ["\u{1f511}\u{1f511}", "2 characters", null],
  ["\u{1f511}", "1 character", null],
  ["a\nb\r\nc", "6 characters", "has 3 lines"],
  ["value\\n", "7 characters", "contains \\n, written as two characters"],
])("only the length of %j is told, %s, and what is unusual inside: %s", (text, length, problem) => {
  expect([describeLength(text), textProblem(text)]).toEqual([length, problem]);
});

const settings = (...values: readonly ReturnType<typeof given>[]) => settingsOf([levelOf(values)]);
/** Inputs of which each holds these bytes. */
const reading = (content: string | readonly number[]): Inputs => ({
  read: async () => Buffer.from(content as string),
  certificates: async () => [],
});
/** Reads the token from a file with this content. */
const fromFile = (content: string | readonly number[]) =>
  readSecret("token", settings(given("file")), reading(content));
/** Reads the token or the secret that stands in a flag. */
const fromText = (text: string, name: "token" | "secret" = "token") =>
  readSecret(name, settings(given(text, flag, name)), recording().inputs);

test("the text of a setting is the secret, and is known by its setting", async () => {
  const read = await fromText("a-secret", "secret");
  expect([read?.value.reveal(), read?.given.setting, read?.given.source]).toEqual([
    "a-secret",
    "secret",
    flag,
  ]);
  expect(await readSecret("token", settings(), recording().inputs)).toBeNull();
});

test("the content of a file is the secret, at most 64 KiB, without one end of line", async () => {
  const { inputs, calls } = recording();
  const read = await readSecret("token", settings(given("file")), inputs);
  expect([read?.value.reveal(), read?.given.setting]).toEqual(["content", "tokenFile"]);
  expect(calls).toEqual([["yours", "/working/file", 65_536, false]]);
  for (const end of ["", "\n", "\r\n"]) {
    const file = settings(given("file", flag, "secretFile"));
    const secret = await readSecret("secret", file, reading(`a\nb${end}`));
    expect(secret?.value.reveal()).toBe("a\nb");
  }
});

const utf16 = "begins with the byte order mark of UTF-16";
const noText = "is not UTF-8 text";
test.each([
  [[0xff, 0xfe, 0x61, 0], utf16, "Save it as UTF-8 without a byte order mark"],
  [[0xfe, 0xff, 0, 0x61], utf16, "Save it as UTF-8 without a byte order mark"],
  [[0xff, 0x61], noText, "Save it as UTF-8 text"],
  [[0xfe, 0xfe], noText, "Save it as UTF-8 text"],
  [[0x61, 0xff], noText, "Save it as UTF-8 text"],
])("a file with the bytes %j is refused: it %s", async (bytes, problem, hint) => {
  const message = `The input from --token-file ${problem}`;
  await expect(fromFile(bytes)).rejects.toMatchObject({ kind: "settings", message, hint });
});

const nothing = "The command of --token-file printed nothing; its exit code is 0";
const unread = "The token cannot be read from --token-file:";
test.each([
  ["tokenCommand", "", nothing, whyByHand],
  ["tokenCommand", "a\nb\nc\n", `${unread} its output has 3 lines`, "Make the command print the token alone"],
  ["tokenFile", "a\nb\nc\n", `${unread} the input has 3 lines`, "Leave only the token in it"],
] as const)("a %s that gives %j instead of a token is an error", async (setting, text, message, hint) => {
  const read = readSecret("token", settings(given('["pass"]', flag, setting)), reading(text));
  await expect(read).rejects.toMatchObject({ kind: "settings", message, hint });
});

const notUtf8 = "is not UTF-8 text: it contains U+FFFD, which stands for other bytes";
test.each([
  ["", "is empty", "Check where the token is read from"],
  ["a\ufeffb", byteOrder, "Save it as UTF-8 without a byte order mark, or copy it again"],
  [" a", edge, "Remove it: another client would send it as part of the token"],
  ["a\ufffdb", notUtf8, "Set the token in a terminal or a file that uses UTF-8"],
  ["a\ud800b", "contains half of a surrogate pair, which is not valid text", "Copy the token again"],
])("a token that is %j is refused: it %s", async (text, problem, hint) => {
  const message = `The token from --token-file ${problem}`;
  await expect(fromText(text)).rejects.toMatchObject({ kind: "settings", message, hint });
});

test.each([
  [edge, ["a \n", "\ta"]],
  ["the input has a second, empty line", ["a\n\n", "a\n\r\n", "a\n\n\n"]],
  ["the input begins with an empty line", ["\na", "\r\na\n"]],
  ["the input has 2 lines", ["a\nb", "a\rb\n"]],
  ["The token from --token-file ends with a carriage return: Windows line ends", ["a\r"]],
  ["is empty", ["", "\n"]],
  [byteOrder, ["\ufeffa"]],
])("a token in a file, less one end of line, is refused that %s: %j", async (problem, contents) => {
  for (const content of contents) await expect(fromFile(content), content).rejects.toThrow(problem);
});

test("a token is refused that no header can carry", async () => {
  await expect(fromText("a\nb")).rejects.toMatchObject({ hint: "Copy the token again" });
  expect((await fromText("a\nb", "secret"))?.value.reveal()).toBe("a\nb");
  expect((await fromText("a b"))?.value.reveal()).toBe("a b");
});

test("the secrets at hand are read without waiting: no standard input is read and no command runs", () => {
  const { context, calls } = recording();
  const atHand = (...values: readonly ReturnType<typeof given>[]) =>
    Object.values(secretsAtHand(settings(...values), context));
  expect(atHand()).toEqual([null, null]);
  const both = atHand(given("a-token", flag, "token"), given("a-secret", flag, "secret"));
  expect(both).toEqual(["a-token", "a-secret"]);
  expect(atHand(given("-"), given("[]", flag, "secretCommand"))).toEqual([null, null]);
  expect(calls).toEqual([]);
  expect(atHand(given("file"))).toEqual(["content", null]);
  expect(calls).toEqual([["found", "/working/file", 65_536]]);
});

const command = (...words: readonly string[]) =>
  ({ setting: "tokenCommand", text: commandText(words), source: rcSource("tokenCommand") }) as const;

const names = ["live", "a b; touch x", "$(id)", "$&", "{profile}", "漢"];
test.each(names)("the name %j stands unchanged in every word of a command but the first", (name) => {
  const given = command("{profile}", "op://{profile}/{profile}", "{profile}", "x");
  expect(wordsFor(given, name)).toEqual(["{profile}", `op://${name}/${name}`, name, "x"]);
});

const noProfile = "contains {profile}, and no profile is chosen";
const nul = "contains {profile}, and the name of this profile contains a NUL character";
const dash = "contains {profile} at the start of a word, and the name of this profile begins with -";
test.each([
  [null, ["pass", "{profile}"], noProfile],
  [null, ["{profile}"], null],
  ["a\0b", ["pass", "{profile}"], nul],
  ["-rf", ["pass", "x", "{profile}/x"], dash],
  ["-rf", ["pass", "x/{profile}"], null],
  ["-rf", ["pass", "x"], null],
])("the profile %j and the words %j: %s", (profile, words, problem) => {
  const run = () => wordsFor(command(...words), profile);
  if (problem === null) return expect(run).not.toThrow();
  const [message, hint] = [
    expect.stringContaining(problem),
    expect.stringMatching(/^Choose one|^Rename the/),
  ];
  expect(run).toThrow(expect.objectContaining({ kind: "settings", message, hint }));
});

test("a command is shown as a shell would need it", () => {
  const text = commandText(["touch", "ran", "a b", "op://x/{profile}"]);
  expect(shownCommand(text)).toBe('touch ran "a b" op://x/{profile}');
});
