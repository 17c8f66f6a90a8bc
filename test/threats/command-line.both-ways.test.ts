import { describe, expect, test } from "vitest";
import { definitionOf, flagOf, settingNames } from "../../src/settings/table.ts";
import { planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { textOfCases } from "../support/texts.ts";

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

/** Wrong command lines. What is said of each stands in command-line.txt: no value, and a name only where it cannot be one. */
const wrong: ReadonlyArray<readonly string[]> = [
  ["test", "--bogus"],
  ["test", "-k"],
  ["test", "-z"],
  ["header", "--timeout", "5"],
  ["emulator", "--password", "x"],
  ["test", "--bogus=pl4in"],
  ["test", "--abcdefghijklmnopqrstuvwx"],
  ["--bogus"],
  ["test", "--wsse=x"],
  ["test", "--diagnos"],
  ["test", "--url", "x"],
  ["test", "--tokn", "x"],
  ["test", `--tokenn=${secret}`],
  ["test", "--wsse", "--SECRETFILE"],
  ["test", "--BOGUS"],
  ["header", "--wsse", "--bogus4"],
  ["test", `-t${secret}`],
  ["test", `-p${secret}`],
  ["test", `-uuser:${secret}`],
  ["config", `-HX-Auth-Token:${secret}`],
  ["emulator", "-p8080"],
  ["emulator", "-k"],
  ["-v"],
  ["test", `-v${secret}`],
  ["test", "-token", secret],
  ["test", "\u2013wsse"],
  ["test", `-\u2013${secret}`],
  ["emulator", "\u2013port", "80"],
  ["emulator", "--port", "80\u00a0"],
  ["test", "\u2011k"],
  ["test\r"],
  ["test", "--json\r"],
  ["test", "\r"],
  ["test", `--tok\u200ben=${secret}`],
  ["test", "--resolve", "a.example:443:192.0.2.7\u200b"],
  ["test", "--noproxy", "x"],
  ["test", "--oauth2-bearer", secret],
  ["test", `-Uuser:${secret}`],
  ["\u2014help"],
  ["test", "--abcdefghijklmnopqrstuvwxy"],
  ["test", "--tokenhunter"],
  ["test", "--secret-hunter"],
  ["emulator", "-BOGUS"],
  ["-BOGUS"],
  ["test", "north"],
  ["config", "--all", "N0rth"],
  ["test", "--base-url", "x", "--token", "x", "extra"],
  ["header", "--username", "x", "x"],
  ["test", "https://a.example"],
  ["header", "https://a.example"],
  ["https://a.example"],
  ["test", "me@a.example"],
  ["test", "P@ss"],
  ["completion", "bash", "zsh"],
  ["help", "test", "x"],
  ["test", "--base-url", "--token", "x"],
  ["test", "--base-url"],
  ["completion"],
  ["completion", "csh"],
  ["tset", "--json", "--secret", secret],
  [secret],
  ["--json", "test"],
  ["--token", secret],
  [`--token=${secret}`, "test"],
  ["--versoin"],
  ["help", "nonsense"],
];

test("what is said of each wrong command line stands in its text", async () => {
  const said: Array<readonly [string, string]> = [];
  for (const args of wrong) {
    const { exitCode, stderr, stdout } = await runInProcess(args);
    expect([exitCode, stdout], args.join(" ")).toEqual([2, ""]);
    expect(stderr).not.toContain(secret.slice(0, 10));
    said.push([JSON.stringify(args), stderr.trimEnd()]);
  }
  await expect(textOfCases(said)).toMatchFileSnapshot("command-line.txt");
});
