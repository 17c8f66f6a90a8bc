import { expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { readSecret } from "../../src/settings/inputs.ts";
import { commandText, levelOf, type SettingText, wordsFor } from "../../src/settings/levels.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { CommandProblem } from "../../src/system/commands.ts";
import type { Context } from "../../src/system/context.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { failing, flag, given, rc, recording } from "./recording.ts";
import { quoted, settingsOf } from "./settings-of.ts";

/** A case, with the kind of its InputError, the message and the hint. Any other error is a bug, and fails the test. */
async function told(title: string, run: () => unknown): Promise<readonly [string, string]> {
  try {
    await run();
    return [title, "no error"];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [title, `${error.kind}: ${error.message} | ${error.hint}`];
  }
}

/** A line for each row, in the order of the rows: a row that changes is one line of the difference. */
const textOfRows = (rows: ReadonlyArray<readonly [title: string, said: string]>): string =>
  rows.map(([title, said]) => `${title} | ${said}\n`).join("");

// A property in rc-parse.test.ts holds that the place is right and no value is shown, whatever is wrong.
const rcTexts: readonly string[] = [
  ...["a: 1\n---\nb: 2\n", "token: t\n\0\0x", "- token", "token = c0ffee11"],
  "module.exports = { token: 'c0ffee11' }",
  // A quotation mark, a bracket or a block that stays open.
  ...["token: [c0ffee11\nsecret: x", 'token: "c0ffee11\nsecret: x\n'],
  '{\n  "token": "c0ffee11,\n  "retry": 1\n}\n',
  '{\n  "profiles": {\n    "a": {\n      "retry": 1\n    },\n  "hash": "sha1"\n}\n',
  // Signs of YAML at the beginning of a value; then a line that is right.
  ...["token: @c0ffee11", "secret: c0ffee11: x", "secret: c0ffee11 # a: b"],
  // The parser's words quote the file behind their own.
  ...["token: |c0ffee", "token: !c0ffee x", '"\\c0ffee": x', "%coffee\n---\na: b"],
  // Keys: not text, given twice, unknown, or in the wrong place. One that may be a secret is not shown.
  ...["username: a\n1: t", "? [a]\n: t", '"": t', '{ "token": "a",\n"\\u0074oken": "b" }'],
  ...["profiles:\n  a: {}\n  a: {}", "profiles:\n  c0ffee11: {}\n  c0ffee11: {}", "TOKEN: t"],
  ...["profiles:\n\u00a0\u00a0a:\n\u00a0\u00a0\u00a0\u00a0token: x", "my-key: t", "aXbQzRtYpL: 1"],
  ...["profiles: { a: { profiles: {} } }", "profiles: { a: { tokne: t } }"],
  // Values.
  ...["token:", "username: &x t\ntoken: *x", 'username: a\nretry: "1"', 'token: ""'],
  ...["profiles: { p: { token: [a] } }", "tokenCommand: ['', x]", "tokenCommand: pass"],
  ...["token: t\nprofiles:", "profiles:\n  a: x", "token: 1e5"],
  // What is nested so deep that the parser or the composer has no stack.
  ...[`{ token: ${"[".repeat(20_000)}${"]".repeat(20_000)}}`, `&${'\u001b[{"a":'.repeat(5_000)},x `],
];

// The texts are changed with `npx vitest run test/settings --update`, and read as a diff.
test("all errors of rc files are the text beside this test", async () => {
  const notUtf8 = Buffer.from("token: \xff", "latin1");
  const cases = [...rcTexts, notUtf8].map((text) =>
    told(quoted(text), () => parseRc(Buffer.from(text as string), "/rc", "yours")),
  );
  await expect(textOfRows(await Promise.all(cases))).toMatchFileSnapshot("errors/rc-files.txt");
});

const gone = failing(new FileProblem("ENOENT"));
const isGone = { readNamedFile: gone, readFile: gone, realPath: gone, fileExists: () => false };
const found = rc("found");
const command = (...words: readonly string[]) => given(commandText(words), rc("yours"), "tokenCommand");
const notInPath = {
  runCommand: failing(new CommandProblem("could not be started: no such file or directory (ENOENT)", false)),
};
const linked = { realPath: (path: string) => (path === "/own/link" ? "/other/secret" : path) };

/** Settings whose input cannot be read, and where. */
const unreadable: Readonly<Record<string, readonly [SettingText, Partial<Context>?]>> = {
  "standard input, for a found file": [given("-", found)],
  "standard input that is too large": [given("-"), { readStdin: failing(new FileProblem("TOO_LARGE")) }],
  "a command that fails": [
    command("print"),
    { runCommand: failing(new CommandProblem("failed with exit code 1")) },
  ],
  "no such command": [command("pass"), notInPath],
  "no such command, with a secret in its name": [command("my-s3cr3t"), notInPath],
  "no such command, of a long name": [command("x".repeat(300)), notInPath],
  "a command for a profile, and none is chosen": [command("pass", "{profile}")],
  "a link out of the folder of a found file": [given("link", found), linked],
  "a path out of it": [given("../own2/x", found)],
  "a file that vanishes": [given("x"), { readNamedFile: gone }],
  "a file, without a working folder": [given("x"), { workingFolder: null }],
  "no such file": [given("x"), isGone],
  "no such file, without a working folder": [given("/x"), { ...isGone, workingFolder: null }],
  "no such file, by a found file": [given("x", found), isGone],
  "no such file of certificates": [given("x", flag, "extraCertificates"), isGone],
};

const contents: readonly (string | readonly number[])[] = [
  // values.test.ts has the signs that no token may hold.
  ...["a\rb\n", "a\r\n\r\n", "a\r", "\n", "\ufeffa"],
  [0xff, 0x61],
];

test("all errors of inputs are the text beside this test", async () => {
  const account = settingsOf([], { secrets: ["s3cr3t"] });
  const inputs = Object.entries(unreadable).map(([title, [setting, context]]) =>
    told(title, () => recording(context).inputs.read(setting, account)),
  );
  const read = (setting: SettingText, content: (typeof contents)[number]) =>
    told(`${setting.setting} ${quoted(content)}`, () => {
      const bytes = Buffer.from(content as string);
      const readNamedFile = async () => ({ bytes, mode: null, owner: null });
      const { inputs } = recording({ readNamedFile, runCommand: async () => bytes });
      return readSecret("token", settingsOf([levelOf([setting])]), inputs);
    });
  const files = contents.map((content) => read(given("file"), content));
  const commands = ["", "a"].map((content) => read(command("pass"), content));
  const names = ["a\0b", "-rf"].flatMap((profile) =>
    [command("pass", "x", "{profile}/x"), command("pass", "x/{profile}"), command("{profile}")].map((one) =>
      told(`${one.text} for ${quoted(profile)}`, () => wordsFor(one, profile)),
    ),
  );
  const cases = await Promise.all([...inputs, ...files, ...commands, ...names]);
  await expect(textOfRows(cases)).toMatchFileSnapshot("errors/inputs.txt");
});
