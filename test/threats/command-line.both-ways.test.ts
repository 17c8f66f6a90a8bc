import { describe, expect, test } from "vitest";
import { firstGuesses } from "../../src/commands/first-guesses.ts";
import { definitionOf, flagOf, settingNames } from "../../src/settings/table.ts";
import { leaks, planted } from "../support/planted.ts";
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
      const { exitCode, stderr, everything } = await run(["test", ...more, ...args]);
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/(?:^|\n)Error: \S/)]);
      expect(leaks(everything)).toEqual([]);
    }
  });

  const misspelt = "There is no command tset try Did you mean test?";
  test.each([
    [["tset", secret], misspelt],
    [["tset", "--json", "--token", secret], misspelt],
    [["tset", "--profile", "header"], misspelt],
    [["--json", "test"], "There is no option --json before a command try"],
    [["--token", secret], "Write the command first, as in referral-auth test --token"],
    [["--token", secret, "test"], "Write the command first"],
    [[`--token=${secret}`], "Write the command first"],
    [["--versoin"], "Did you mean --version?"],
    [[secret], "There is no such command try"],
    [["--", secret], ""],
    [["help", secret], "There is no such command try"],
  ])("without a command, %j exits 2 with advice and repeats no value", async (args, says) => {
    const { exitCode, stderr, everything } = await run(args);
    expect(exitCode, everything).toBe(2);
    expect(stderr.replace(/\s+/g, " ")).toContain(says);
    expect(leaks(everything)).toEqual([]);
  });
});

const guesses = firstGuesses.flatMap(([flags, ours, instead = `Use ${ours}`]) =>
  flags.split(" ").map((flag) => [flag, instead] as const),
);

test.each([...guesses, ["-ik", "Use --verbose"] as const, ["-sS", "Use --quiet"] as const])(
  "the error for the first guess %s names it and says: %s, and never repeats its value",
  async (flag, instead) => {
    const long = flag.startsWith("--");
    const joined = long ? `${flag}=${secret}` : `${flag}${secret}`;
    const named = `no option ${long ? flag : flag.slice(0, 2)}(?: before a command)?`;
    for (const args of [[flag], [flag, secret], [joined]].flatMap((args) => [["test", ...args], args])) {
      const { exitCode, stderr, everything } = await runInProcess(args);
      expect([exitCode, everything.includes(secret.slice(0, 4))]).toEqual([2, false]);
      expect(stderr.replace(/\s+/g, " ")).toMatch(
        new RegExp(`${named} try ${instead.replaceAll(".", "\\.")} $`),
      );
    }
  },
);

test("every suggested flag exists, and no first guess is one of ours", () => {
  const others = ["--quiet", "--verbose", "--json", "--config", "--profile", "--version"];
  const flags = [...settingNames.map(flagOf), ...others];
  const named = firstGuesses.flatMap(([, ours, instead = ""]) => [
    ours,
    ...(instead.match(/--[a-z-]+/g) ?? []),
  ]);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((flag) => !flags.includes(flag))).toEqual([]);
  expect(guesses.filter(([flag]) => flags.includes(flag))).toEqual([]);
  expect(new Set(guesses.map(([flag]) => flag)).size).toBe(guesses.length);
});

const known = { REFERRAL_SECRET: "correct-horse", REFERRAL_TOKEN: "x-battery-x" };
test.each([
  // What is named: a long option of lower-case letters and hyphens, of at most 24 characters.
  [["test", "--bogus"], "This command has no option --bogus", "See referral-auth help test"],
  [["header", "--timeout", "5"], "This command has no option --timeout", "See referral-auth help header"],
  [
    ["emulator", "--password", "x"],
    "This command has no option --password",
    "See referral-auth help emulator",
  ],
  [["test", "--bogus=pl4in"], "This command has no option --bogus", "See referral-auth help test"],
  [["--bogus"], "There is no option --bogus before a command", "See referral-auth help"],
  [["test", "--diagnos"], "This command has no option --diagnos", "Did you mean --diagnose?"],
  [["test", "--tokn", "x"], "This command has no option --tokn", "Did you mean --token?"],
  // What may be a secret is not: other characters, what is attached, what follows --token, and what is known to be one.
  [["test", "--BOGUS"], "This command has no such option", "See referral-auth help test"],
  [["test", "--bogus4"], "This command has no such option", "See referral-auth help test"],
  [["test", "-y"], "This command has no such option", "See referral-auth help test"],
  [["test", "--abcdefghijklmnopqrstuvw"], "This command has no such option", "See referral-auth help test"],
  [["test", "--tokenhunter"], "This command has no such option", "See referral-auth help test"],
  [["test", "--token", "--hunter"], "This command has no such option", "See referral-auth help test"],
  [["test", "--correct-horse"], "This command has no such option", "See referral-auth help test"],
  [["test", "--my-correct-horse"], "This command has no such option", "See referral-auth help test"],
  [["test", "--battery"], "This command has no such option", "See referral-auth help test"],
  [
    ["test", "--secret", "a-stapler", "--stapler"],
    "This command has no such option",
    "See referral-auth help test",
  ],
  [["test", "-pS3CRET"], "This command has no option -p", "Use --secret-file with --username: "],
  // Words that belong to no option, and arguments that are missing.
  [["test", "north"], "The word north belongs to no option", "Did you mean --profile north?"],
  [
    ["test", "north", "--all"],
    "The word north belongs to no option",
    "Did you mean --profile north without --all?",
  ],
  [["test", "north", "--secret", "north"], "A word belongs to no option", "Write --profile before the name"],
  [["config", "N0rth"], "A word belongs to no option", "Write --profile before the name of a profile"],
  [
    ["test", "--base-url", "x", "--token", "x", "extra"],
    "A word after the value of --token belongs to no option",
    "If the value contains spaces, put it in quotes",
  ],
  [
    ["header", "--username=x", "extra"],
    "A word after the value of --username belongs to no option",
    "If the value contains spaces, put it in quotes",
  ],
  [["test", "--base-url", "--token", "x"], "--base-url needs a value", "Write the value after it"],
  [["test", "--base-url"], "--base-url <url> needs a value", "Write the value after it"],
  [["test", "https://a.example"], "A URL is given without an option", "Write the base URL after --base-url"],
  [["completion"], "The argument <shell> is missing", "Choose one of bash, zsh, fish"],
  [["completion", "csh"], "The argument <shell> is none of its choices", "Choose one of bash, zsh, fish"],
  [["completion", "bash", "zsh"], "There are more arguments than this command takes", "Choose one shell"],
  [["help", "test", "x"], "There are more arguments than this command takes", "See referral-auth help help"],
  [
    ["help", "nonsense"],
    "There is no command nonsense",
    "The commands are test, header, config, emulator, completion, help",
  ],
  [["north", "--secret", "north"], "There is no such command", "The commands are test, "],
  [["tset", "--secret", "tset"], "There is no such command", "Did you mean test?"],
  [[], "No command is given", "Run referral-auth test, or see referral-auth help"],
])("%j: %s; %s", async (args, message, hint) => {
  const { exitCode, stderr, stdout } = await runInProcess(args, { environment: known });
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`Error: ${message}\n  try       ${hint}`);
});
