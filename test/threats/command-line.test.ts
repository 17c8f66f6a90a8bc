import { describe, expect, test } from "vitest";
import { curlFlags } from "../../src/commands/curl-flags.ts";
import { definitionOf, flagOf, type SettingName, settingNames } from "../../src/settings/table.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";

const { secret } = planted;
const commands = ["test", "header", "config", "emulator"];

const isNumberOrChoice = (name: SettingName): boolean =>
  ["number", "choice"].includes(definitionOf(name).kind);

/** Usage errors with a secret in them. */
const mistakes: ReadonlyArray<readonly [string, readonly string[]]> = [
  ["a misspelt flag with =", [`--tokenn=${secret}`]],
  ["a misspelt flag and a value", ["--tokenn", secret]],
  ["a flag that runs into its value", [`--token${secret}`]],
  ["a short flag with its value", [`-t${secret}`]],
  ["a value that begins with a dash", ["--token", `-${secret}`]],
  ["a value that begins with two dashes", ["--token", `--${secret}`]],
  ["a secret that begins with a dash", ["--wsse", `-${secret}`]],
  ["a secret as a flag", [`--${secret}`]],
  ["a secret as a flag that is switched off", [`--no-${secret}`]],
  ["a secret as a flag with a value", [`--${secret}=x`]],
  ["a value for a flag that takes none", [`--wsse=${secret}`]],
  ["a value for a flag that takes none, JSON", [`--json=${secret}`]],
  ["an argument", [secret]],
  ["two arguments", ["x", secret]],
  ["an argument behind --", ["--token", "--", secret, secret]],
];
const valueMistakes: ReadonlyArray<readonly [string, readonly string[]]> = [
  ...settingNames
    .filter(isNumberOrChoice)
    .map(flagOf)
    .flatMap((flag) => [
      [`${flag}, apart`, [flag, secret, "--token=x", "--base-url=http://127.0.0.1:1"]] as const,
      [`${flag}, with =`, [`${flag}=${secret}`, "--token=x", "--base-url=http://127.0.0.1:1"]] as const,
    ]),
  ["a token given twice", ["--token", secret, "--token", secret]],
  ["a token given twice, once by file", ["--token", secret, "--token-file", "x"]],
  ["a secret given twice", ["--secret", secret, "--secret-file", "x"]],
  ["a path of the rc file given twice", ["--config", secret, "--config", secret]],
  ["a shard given twice", ["--all", "--shard", "1/2", "--shard", "1/2"]],
  ["a report given twice", ["--junit", secret, "--junit", secret]],
  ["an empty path of a report", ["--junit", "", "--token", secret]],
  ["a value missing at the end", ["--token", secret, "--username"]],
  ["a profile and all", ["--token", secret, "--profile", secret, "--all"]],
];

describe.each(commands)("%s with", (command) => {
  // The emulator takes any value for its --token, and arguments are a command to run.
  const possible =
    command === "emulator"
      ? mistakes.filter(([name]) => !/^(?:a value that|an arg|two arg)/.test(name))
      : mistakes;
  test.each(possible)("%s exits 2 and repeats none of it", async (_, args) => {
    for (const more of [[], ["--json"]]) {
      const environment = { GITHUB_ACTIONS: "true" };
      const run = await runInProcess([command, ...more, ...args], { environment });
      expect(run.exitCode, run.everything).toBe(2);
      expect(run.stderr).toMatch(/^Error: \S/);
      expect(run.everything).not.toContain(secret.slice(0, 10));
    }
  });
});

const ofCurl = curlFlags.flatMap(([flags, instead]) =>
  flags.split(" ").map((flag) => [flag, instead] as const),
);

test.each([...ofCurl, ["-vk", "--verbose"] as const, ["-sS", "--quiet"] as const])(
  "the error for curl's %s names it and says: %s, and never repeats its value",
  async (flag, instead) => {
    const long = flag.startsWith("--");
    const values = [[flag], [flag, secret], [long ? `${flag}=${secret}` : `${flag}${secret}`]];
    for (const args of values.flatMap((value) => [["test", ...value], value, ["test", "--json", ...value]])) {
      const run = await runInProcess(args);
      expect(run.exitCode, run.everything).toBe(2);
      expect(run.everything).not.toContain(secret.slice(0, 4));
      if (!args.includes(`${flag}${secret}`)) {
        expect(run.stderr).toContain(
          `The option ${long ? flag : flag.slice(0, 2)} of curl does not exist here`,
        );
        expect(run.stderr.replace(/\s+/g, " ")).toContain(instead);
      }
    }
  },
);

test("every suggested flag exists, and no flag of curl is one of ours", () => {
  const flags = [...settingNames.map(flagOf), "--quiet", "--verbose", "--json", "--config"];
  const named = curlFlags.flatMap(([, instead]) => instead.match(/--[a-z-]+/g) ?? []);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((flag) => !flags.includes(flag))).toEqual([]);
  expect(ofCurl.filter(([flag]) => flags.includes(flag))).toEqual([]);
});

describe.each(ways)("test, %s, with", (_way, run) => {
  test.each(valueMistakes)("%s exits 2 and repeats none of it", async (_, args) => {
    for (const more of [[], ["--json"]]) {
      const result = await run(["test", ...more, ...args]);
      expect(result.exitCode, result.everything).toBe(2);
      expect(result.stderr).toMatch(/(?:^|\n)Error: \S/);
      expect(leaks(result.everything)).toEqual([]);
    }
  });

  test.each([
    ["an argument too many", ["tset", secret]],
    ["an unknown option", ["tset", "--json", "--token", secret]],
    ["the name of another command", ["tset", "--profile", "header"]],
  ])("a misspelt command is recognized before %s", async (_, args) => {
    const result = await run(args);
    expect(result.stderr).toContain("There is no such command: tset");
    expect(result.stderr).toContain("Did you mean test?");
    expect(leaks(result.everything)).toEqual([]);
  });

  test("an option before the command is not reported as a misspelt option of the command", async () => {
    const result = await run(["--json", "test"]);
    expect(result.stderr).toMatch(/^Error: There is no such option before a command\n/m);
    const token = await run(["--token", secret]);
    expect(token.stderr).toContain("Write the command first, as in referral-auth test --token");
    expect(leaks(token.everything)).toEqual([]);
    expect((await run(["--versoin"])).stderr).toContain("Did you mean --version?");
  });

  test.each([
    ["a misspelt command", ["tset", secret]],
    ["a secret as the command", [secret]],
    ["a flag before the command", ["--token", secret, "test"]],
    ["a flag with = and no command", [`--token=${secret}`]],
    ["a secret behind --", ["--", secret]],
    ["help for no command", ["help", secret]],
  ])("%s exits 2 and repeats none of it", async (_, args) => {
    const result = await run(args);
    expect(result.exitCode, result.everything).toBe(2);
    expect(leaks(result.everything)).toEqual([]);
  });
});
