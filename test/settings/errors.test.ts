import { expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { readSecret } from "../../src/settings/inputs.ts";
import { commandText, levelOf, type SettingText, wordsFor } from "../../src/settings/levels.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { CommandProblem } from "../../src/system/commands.ts";
import type { Context } from "../../src/system/context.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { failing, flag, given, rc, recording, variable } from "./recording.ts";
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

const rcTexts: readonly string[] = [
  ...["a: 1\n---\nb: 2\n", "a: 1\nb: [\n", "token: !unknown t", "token: t\n\0\0x", "- token"],
  // What people write in lines of other formats, and signs of YAML at the beginning of a value; then lines that are right.
  ...[
    '{\n  // a\n  "token": "c0ffee11"\n}',
    "profiles:\n\ta:\n\t\ttoken: c0ffee11",
    "[default]\ntoken = c0ffee11",
    "token: t\n<<<<<<< HEAD\nusername: c0ffee11\n=======\n>>>>>>> x",
    "$ANSIBLE_VAULT;1.1;AES256\nc0ffee11",
    "-----BEGIN PGP MESSAGE-----\n\nc0ffee11",
    "token: t\nsops:\n  mac: c0ffee11",
    "sops: c0ffee11",
    "auth:\n  token: c0ffee11",
    "profiles:\n  a:\n    auth:\n      token: c0ffee11",
    "profile:\n  a:\n    token: c0ffee11",
    "profiles:\n\u00a0\u00a0a:\n\u00a0\u00a0\u00a0\u00a0token: c0ffee11",
    "timeout: [10]",
  ],
  ...["token = c0ffee11", "export TOKEN=c0ffee11", "token:c0ffee11", "token: @c0ffee11", "token: `c0ffee11`"],
  ...["secret: c0ffee11: x", "secret: {c0ffee11", "c0ffee11", "a: [\n", "profiles:\n  a:\n    <<: t"],
  ...[
    "module.exports = { token: 'c0ffee11' }",
    "export default {\n  token: 'c0ffee11',\n}",
    "constant = c0ffee11",
  ],
  ...[
    "production:\n  token: c0ffee11",
    "credentials: {}",
    "tokens: {}",
    "noProxy: a",
    "verbose: true",
    "accounts: a",
  ],
  ...[
    "profiles:\n  a:\n    verbose: true",
    "profiles:\n  a:\n    wsse: {}",
    "proxy: {a\n\n\n",
    "headers: {}",
  ],
  ...["secret: c0ffee11 # a: b", "secret: 'a: b'", "secret: a:b"],
  ...["token: |\n  c0ffee11\n", "token: >\n  c0ffee11\n", "token: |-\n  c0ffee11\n"],
  // Keys: not text, given twice, unknown, or in the wrong place. One that may be a secret is not shown.
  ...[
    "username: a\n1: t",
    "? [a]\n: t",
    '"": t',
    '{ "token": "a",\n"\\u0074oken": "b" }',
    "token: null\ntoken: t",
  ],
  ...["profiles:\n  a: {}\n  a: {}", "profiles:\n  c0ffee11: {}\n  c0ffee11: {}", "tokne: null", "TOKEN: t"],
  ...["profile: {}", "c0ffee11deadbeef22: t", "9lives: t", `${"k".repeat(30)}: t`, `${"k".repeat(31)}: t`],
  ...[
    "my-key: t",
    "supersecretvalue: 3",
    ...["foo: 1", "unknownKey: 1", "log_level: 1", "LOGLEVEL: 1", "password: 1", "unexpectedOne: 1"],
    ...[
      "topsecret: 1",
      "mytoken: 1",
      "hunter2: 1",
      "aXbQzRtYpL: 1",
      "a-b-c-d: 1",
      "p\u00e4ss: 1",
      "pass word: 1",
    ],
    ...["foo: 1\nfoo: 2", "hunter2: 1\nhunter2: 2"],
    "timeoutMs: 5",
    "profiles: { a: { profiles: {} } }",
    "profiles: { a: { maxWait: 5 } }",
  ],
  "profiles: { a: { concurrency: 5 } }",
  ...["profiles: { a: { tokne: t } }", "__proto__: { a: 1 }", "profiles: { p: { constructor: { a: 1 } } }"],
  // Values.
  ...[
    "token:",
    "username: &x t\ntoken: *x",
    'username: a\nretry: "1"',
    'token: ""',
    "profiles: { p: { token: [a] } }",
  ],
  ...[
    "tokenCommand: [pass, 1]",
    "tokenCommand: ['', x]",
    'tokenCommand: [pass, "\\0"]',
    "tokenCommand: pass",
  ],
  ...[
    "token: t\nprofiles:",
    "profiles:\n  a: x",
    ...["1e5", "0x1F", ".inf", "true", "{a:}"].map((word) => `token: ${word}`),
  ],
  // What is nested too deep; for the last one, the parser has no stack.
  ...[`${" ".repeat(3)}\n${"- ".repeat(33)}`, `{ token: ${"[".repeat(32)}`, `[${'{"a":'.repeat(31)}`],
  `&${'\u001b[{"a":'.repeat(5_000)},x `,
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
const notInPath = { runCommand: failing(new CommandProblem("was not found in PATH", "Install it")) };
const linked = { realPath: (path: string) => (path === "/own/link" ? "/other/secret" : path) };

/** Settings whose input cannot be read, and where. */
const unreadable: Readonly<Record<string, readonly [SettingText, Partial<Context>?]>> = {
  "standard input, for a found file": [given("-", found)],
  "standard input that is too large": [given("-"), { readStdin: failing(new FileProblem("TOO_LARGE")) }],
  "a command that fails": [
    command("print"),
    { runCommand: failing(new CommandProblem("failed with exit code 1")) },
  ],
  ...Object.fromEntries(
    [
      ["cat", "~/token"],
      ["pass", "show", "x", "|", "head"],
      ["echo", "$TOKEN"],
      ["sh", "-c", "cat $TOKEN"],
      ["pass", "a|b"],
    ].map((words) => [
      `a command of the words ${words.join(" ")}, that fails`,
      [command(...words), { runCommand: failing(new CommandProblem("failed with exit code 1")) }],
    ]),
  ),
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
  "no such file, by a variable": [given("x", variable), isGone],
  "no such file, by a found file": [given("x", found), isGone],
  "no such file of certificates": [given("x", flag, "extraCertificates"), isGone],
};

const contents: readonly (string | readonly number[])[] = [
  ...["a\nb\nc\n", "a\rb\n", "a\n\n", "a\r\n\r\n", "\r\na\n", "a \n", "\ta", "a\r", "\n", "", "\ufeffa"],
  ...[
    [0xff, 0xfe, 0x61, 0],
    [0xfe, 0xff, 0, 0x61],
    [0xff, 0x61],
    [0xfe, 0xfe],
    [...Buffer.from("\0GITCRYPT\0ab")],
  ],
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
  const commands = ["", "a\nb\n", "a"].map((content) => read(command("pass"), content));
  const names = ["a\0b", "-rf"].flatMap((profile) =>
    [command("pass", "x", "{profile}/x"), command("pass", "x/{profile}"), command("{profile}")].map((one) =>
      told(`${one.text} for ${quoted(profile)}`, () => wordsFor(one, profile)),
    ),
  );
  const cases = await Promise.all([...inputs, ...files, ...commands, ...names]);
  await expect(textOfRows(cases)).toMatchFileSnapshot("errors/inputs.txt");
});
