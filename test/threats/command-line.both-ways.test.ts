import { describe, expect, test } from "vitest";
import { curlFlags } from "../../src/commands/curl-flags.ts";
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

  const misspelt = "There is no such command: tset try Did you mean test?";
  test.each([
    [["tset", secret], misspelt],
    [["tset", "--json", "--token", secret], misspelt],
    [["tset", "--profile", "header"], misspelt],
    [["--json", "test"], "There is no such option before a command try"],
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

const ofCurl = curlFlags.flatMap(([flags, instead]) =>
  flags.split(" ").map((flag) => [flag, instead] as const),
);

test.each([...ofCurl, ["-vk", "--verbose"] as const, ["-sS", "--quiet"] as const])(
  "the error for curl's %s names it and says: %s, and never repeats its value",
  async (flag, instead) => {
    const long = flag.startsWith("--");
    const joined = long ? `${flag}=${secret}` : `${flag}${secret}`;
    const named = `The option ${long ? flag : flag.slice(0, 2)} of curl does not exist here`;
    for (const args of [[flag], [flag, secret], [joined]].flatMap((args) => [["test", ...args], args])) {
      const { exitCode, stderr, everything } = await runInProcess(args);
      expect([exitCode, everything.includes(secret.slice(0, 4))]).toEqual([2, false]);
      if (!args.includes(`${flag}${secret}`))
        expect(stderr.replace(/\s+/g, " ")).toMatch(new RegExp(`${named} try .*${instead}`));
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
