import { describe, expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";

const { token, username, secret } = planted;

describe.each(ways)("--accounts of CSV, %s,", (_, run) => {
  test("checks each row, and its number is that of the spreadsheet", async () => {
    const { url } = await emulate();
    const rows = [
      "Name;Token;E-Mail;Secret;Notes",
      `token;${token};;;`,
      ";;;;",
      `wrong;not-the-token;;;"two\r\nlines"`,
      `wsse;NULL;${username};${secret};`,
      "broken;#N/A;;;",
      "none;;;;",
    ];
    const workingFolder = folderWith({ "accounts.csv": `\ufeff${rows.join("\r\n")}\r\n` });
    const args = ["test", "--accounts", "accounts.csv", "--base-url", url, "--json", "--concurrency", "1"];
    const { stderr, document, checks } = await run(args, { workingFolder });
    expect(stderr).toBe('Warning: columns of accounts.csv that are not known are ignored: "Notes"\n');
    expect(checks.map(({ line, profile, outcome }) => [line, profile, outcome])).toEqual([
      [2, "token", "accepted"],
      [4, "wrong", "rejected"],
      [5, "wsse", "accepted"],
      [6, "broken", "not-checked"],
      [7, "none", "not-checked"],
    ]);
    expect(document).toMatchObject({ exitCode: 4, linesRead: 7, notChecked: 0, notRead: false });
    expect(JSON.stringify(checks)).toContain("token in row 4 of accounts.csv");
  });

  test("shows no name that has the form of a token or holds one, and checks the row", async () => {
    const { url } = await emulate();
    const rows = [
      `south|${token}`,
      token,
      `${token},${token}`,
      `"south ${token}",${token}`,
      `north,${token}`,
    ];
    const stdin = ["profile,token", ...rows, ""].join("\n");
    const args = ["test", "--accounts", "-", "--base-url", url, "--json", "--concurrency", "1"];
    const { everything, checks } = await run(args, { stdin });
    expect(leaks(everything)).toEqual([]);
    expect(checks.map(({ line, profile, outcome }) => [line, profile, outcome])).toEqual([
      [2, null, "not-checked"],
      [3, null, "not-checked"],
      [4, null, "accepted"],
      [5, null, "accepted"],
      [6, "north", "accepted"],
    ]);
    expect(checks[0]?.findings).toMatchObject([
      {
        message:
          "row 2 of standard input has one cell, which is no credential, and the header has several columns",
        fix: "Separate its cells as the header does, by a comma",
      },
    ]);
  });
});

/** Secrets of rows behind a mistake, which no output may show. The row before it is checked, and refused. */
const behind = [1, 2, 3].map((number) => `t0ken-${number}-${"a1b2c3d4".repeat(3)}`);
const [first = "", second = "", third = ""] = behind;

/** Where a mistake stands, in a file of these columns. A property in test/settings/account-files.test.ts has all places. */
const mistakes: Readonly<Record<string, string>> = {
  "a mark closes in a username below": `id;username;secret\n1;"a@example.com;${first}\n2;b@example.com";${second}\n3;c@example.com;${third}\n`,
  "rows have another separator": `profile;token\nnorth,${first}\nsouth\t${second}\n"east,${third}"\n`,
  "a JSON line is broken": `{"profile":"north","token":"${first}"}\n{"profile":"south,"token":"${second}"}\n${third}\n`,
};

test.each(Object.entries(mistakes))("where %s, no output shows a token", async (_, content) => {
  const { url } = await emulate();
  const workingFolder = folderWith({ "accounts.csv": content });
  const files = ["--junit", "report.xml", "--metrics", "night.prom"];
  const environment = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: `${workingFolder}/summary.md` };
  for (const format of [[], ["--json"], ["--ndjson"], ["--verbose"], ["--diagnose"]]) {
    const args = ["test", "--accounts", "accounts.csv", "--base-url", url, ...files, ...format];
    const run = await runInProcess(args, { workingFolder, environment });
    expect(run.exitCode).toBeGreaterThan(2);
    const texts = ["report.xml", "night.prom", "summary.md"].map((name) => run.file(name) ?? "");
    const all = [run.stdout, run.stderr, ...texts].join("\n");
    expect(all).not.toMatch(/t0ken-\d|a1b2c3d4a1b2/);
  }
});
