import { describe, expect, test } from "vitest";
import { definitionOf, flagOf, settingNames } from "../../src/settings/table.ts";
import { planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";

const { secret } = planted;

/** Mistakes behind any command, and those behind any but the emulator: it takes all values for its --token, and a command to run. */
const ofAll = [
  ...[[`--tokenn=${secret}`], ["--tokenn", secret], [`--token${secret}`], [`-t${secret}`], [`--${secret}`]],
  ...[
    ["--wsse", `-${secret}`],
    [`--no-${secret}`],
    [`--${secret}=x`],
    [`--wsse=${secret}`],
    [`--json=${secret}`],
  ],
];
const ofOthers = [
  ...[
    ["--token", `-${secret}`],
    ["--token", `--${secret}`],
    ["--token", "--", secret, secret],
  ],
  ...[[secret], ["x", secret]],
];

test.each(["test", "header", "config", "emulator"])(
  "mistakes behind %s exit 2 and are not repeated",
  async (command) => {
    for (const args of [...ofAll, ...(command === "emulator" ? [] : ofOthers)])
      for (const more of [[], ["--json"]]) {
        const run = await runInProcess([command, ...more, ...args], {
          environment: { GITHUB_ACTIONS: "true" },
        });
        expect([run.exitCode, run.stderr], args.join(" ")).toEqual([2, expect.stringMatching(/^Error: \S/)]);
        expect(run.everything).not.toContain(secret.slice(0, 10));
      }
  },
);

const settled = ["--token=x", "--base-url=http://127.0.0.1:1"];
const values = settingNames
  .filter((name) => ["number", "choice"].includes(definitionOf(name).kind))
  .flatMap((name) => [
    [flagOf(name), secret, ...settled],
    [`${flagOf(name)}=${secret}`, ...settled],
  ]);

describe.each(ways)("%s,", (_, run) => {
  test.each(
    [
      ...values,
      ["--token", secret, "--token", secret],
      ["--token", secret, "--token-file", "x"],
      ["--secret", secret, "--secret-file", "x"],
      ["--config", secret, "--config", secret],
      ["--all", "--shard", "1/2", "--shard", "1/2"],
      ["--junit", secret, "--junit", secret],
      ["--junit", "", "--token", secret],
      ["--token", secret, "--username"],
      ["--token", secret, "--profile", secret, "--all"],
    ].map((args) => [args]),
  )("test %j exits 2 and repeats no value", async (args) => {
    for (const more of [[], ["--json"]]) {
      const { exitCode, stderr } = await run(["test", ...more, ...args]);
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/(?:^|\n)Error: \S/)]);
    }
  });
});

const helpOf = (command: string): string => `See referral-auth help ${command}`;
const advice =
  "Write --profile before the name of a profile; give a token by --token-file or REFERRAL_TOKEN; write a value with spaces in quotes";

test.each([
  // What is named: a letter, or a long option of at most 24 lower-case letters and hyphens.
  [["test", "--bogus"], "--bogus is no option of test", helpOf("test")],
  [["test", "-k"], "-k is no option of test", "Certificates are always verified"],
  [["test", "-z"], "-z is no option of test", helpOf("test")],
  [["header", "--timeout", "5"], "--timeout is no option of header", helpOf("header")],
  [["emulator", "--password", "x"], "--password is no option of emulator", "Did you mean --secret?"],
  [["test", "--bogus=pl4in"], "--bogus is no option of test", helpOf("test")],
  [["test", "--abcdefghijklmnopqrstuvwx"], "--abcdefghijklmnopqrstuvwx is no option", helpOf("test")],
  [["--bogus"], "--bogus is no option before a command", "Write the command first, as in referral-auth test"],
  [["test", "--wsse=x"], "--wsse takes no value", "Write --wsse alone"],
  // The nearest name is offered, also for what is not repeated.
  [["test", "--diagnos"], "--diagnos is no option of test", "Did you mean --diagnose?"],
  [["test", "--url", "x"], "--url is no option of test", "Did you mean --base-url?"],
  [["test", "--tokn", "x"], "--tokn is no option of test", "Did you mean --token?"],
  [["test", `--tokenn=${secret}`], "Word 2 is no option of test", "Did you mean --token?"],
  [["test", "--wsse", "--SECRETFILE"], "Word 3 is no option of test", "Did you mean --secret-file?"],
  // Every other word is named by its place: other characters, a longer one, and what may be attached to a flag.
  [["test", "--BOGUS"], "Word 2 is no option of test", advice],
  [["header", "--wsse", "--bogus4"], "Word 3 is no option of header", advice],
  [["test", `-t${secret}`], "Word 2 is no option of test", advice],
  // Of a flag of other programs, two characters are shown, whatever is glued to it.
  [["test", `-p${secret}`], "-p is no option of test", "Write --profile NAME for a profile"],
  [["test", `-uuser:${secret}`], "-u is no option of test", "Write --wsse --username NAME"],
  [
    ["config", `-HX-Auth-Token:${secret}`],
    "-H is no option of config",
    "Leave it out: no other header fields",
  ],
  [["emulator", "-p8080"], "-p is no option of emulator", "Write --profile NAME for a profile"],
  [["emulator", "-k"], "-k is no option of emulator", helpOf("emulator")],
  [["-v"], "-v is no option before a command", "Write test --verbose"],
  [["test", `-v${secret}`], "A word behind one hyphen is no option of test", "Write two hyphens"],
  [["test", "-token", secret], "-t… is no option of test", "Write two hyphens: --token"],
  // A dash that is no hyphen.
  [["test", "\u2013wsse"], "Word 2 begins with a dash that is no hyphen", "Type two hyphens by hand: --wsse"],
  [["test", `-\u2013${secret}`], "Word 2 begins with a dash that is no hyphen", "Type two hyphens by hand"],
  [
    ["emulator", "\u2013port", "80"],
    "Word 2 begins with a dash that is no hyphen",
    "Type two hyphens by hand: --port",
  ],
  [
    ["emulator", "--port", "80\u00a0"],
    "--port has a no-break space (U+00A0) as its last character",
    "Remove it",
  ],
  [["test", "\u2011k"], "Word 2 begins with a dash that is no hyphen", "Type the hyphen by hand"],
  // A character that nobody sees: a script with the line ends of Windows, a copy from a page.
  [
    ["test\r"],
    "Word 1 has a carriage return, as Windows ends lines, as its last character",
    "Convert the file",
  ],
  [["test", "--json\r"], "Word 2 has a carriage return", "Convert the file"],
  [["test", "\r"], "Word 2 has a carriage return", "Convert the file"],
  [["test", `--tok\u200ben=${secret}`], "Word 2 has a zero-width space (U+200B) at place 6", "Remove it"],
  [["test", "--shard", "2/1"], "--shard is not of the form i/n with i from 1 to n", "Write it like"],
  [
    ["test", "--resolve", "a.example:443:192.0.2.7\u200b"],
    "--resolve has a zero-width space (U+200B) as its last character",
    "Remove it",
  ],
  [["test", "--noproxy", "x"], "--noproxy is no option of test", "Set NO_PROXY"],
  [["test", "--oauth2-bearer", secret], "--oauth2-bearer is no option of test", "Write --token-file FILE"],
  [["test", `-Uuser:${secret}`], "-U is no option of test", "Write it in the URL of HTTPS_PROXY"],
  [["\u2014help"], "Word 1 begins with a dash that is no hyphen", "Type two hyphens by hand: --help"],
  [["test", "--abcdefghijklmnopqrstuvwxy"], "Word 2 is no option of test", advice],
  [["test", "--tokenhunter"], "Word 2 is no option of test", "Did you mean --token?"],
  [["test", "--secret-hunter"], "Word 2 is no option of test", "Did you mean --secret?"],
  [["emulator", "-BOGUS"], "Word 2 is no option of emulator", helpOf("emulator")],
  [["-BOGUS"], "Word 1 is no option before a command", "Write the command first, as in referral-auth test"],
  // So is a word too many, whose value is not the word before it.
  [["test", "north"], "Word 2 is no option of test", advice],
  [["config", "--all", "N0rth"], "Word 3 is no option of config", advice],
  [["test", "--base-url", "x", "--token", "x", "extra"], "Word 6 is no option of test", advice],
  [["header", "--username", "x", "x"], "Word 4 is no option of header", advice],
  [
    ["test", "https://a.example"],
    "Word 2 is a URL, and no option stands before it",
    "Write --base-url before it",
  ],
  [["header", "https://a.example"], "Word 2 is a URL", "Leave it out: header sends nothing"],
  [["https://a.example"], "Word 1 is a URL, and no command", "Write referral-auth test --base-url"],
  [["test", "me@a.example"], "Word 2 looks like an e-mail address", "Write --username before it"],
  [["test", "P@ss"], "Word 2 is no option of test", advice],
  [["completion", "bash", "zsh"], "Word 3 is no option of completion", helpOf("completion")],
  [["help", "test", "x"], "Word 3 is no option of help", helpOf("help")],
  // Values and arguments that are missing.
  [["test", "--base-url", "--token", "x"], "Word 4 is no option of test", advice],
  [["test", "--base-url"], "--base-url <url> needs a value", "Write the value after it"],
  [["completion"], "The argument <shell> is missing", "Choose one of bash, zsh, fish"],
  [["completion", "csh"], "The argument <shell> is none of its choices", "Choose one of bash, zsh, fish"],
  // Commands.
  [["tset", "--json", "--secret", secret], "Word 1 is no command", "Did you mean test?"],
  [[secret], "Word 1 is no command", "The commands are test, "],
  [["--json", "test"], "--json is no option before a command", "Write the command first"],
  [
    ["--token", secret],
    "Word 1 is no option before a command",
    "Write the command first, as in referral-auth test --token",
  ],
  [[`--token=${secret}`, "test"], "Word 1 is no option before a command", "Write the command first"],
  [["--versoin"], "--versoin is no option", "Did you mean --version?"],
  [["help", "nonsense"], "Word 2 is no command", "The commands are test, header, config, emulator"],
])("%j: %s; %s", async (args, message, hint) => {
  const { exitCode, stderr, stdout } = await runInProcess(args);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`Error: ${message}`);
  expect(stderr.replace(/\s+/g, " ")).toContain(` try ${hint}`);
});
