import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { rcOf } from "./profiles.ts";

describe("reports for CI", () => {
  const profiles = { good: {}, "we<ird\u202e&\n::error::": { token: "no" }, broken: { baseUrl: "ftp://x" } };

  test("--junit writes one case per check: a refusal is a failure, any other failed check an error", async () => {
    const api = await emulate();
    const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
    const workingFolder = folderWith();

    const result = await runInProcess(["test", "--all", "--junit", "report.xml", "--quiet"], {
      homeFolder,
      workingFolder,
    });

    const xml = readFileSync(join(workingFolder, "report.xml"), "utf8");
    expect(result).toMatchObject({ exitCode: 4, everything: "" });
    expect(xml).toContain('<testsuite name="referral-auth" tests="3" failures="1" errors="1" skipped="0"');
    expect(xml.match(/<testcase /g)).toHaveLength(3);
    expect(xml).toContain('classname="referral-auth.we&lt;ird\\u{202e}&amp;\\n\\x3a:error\\x3a:"');
    expect(xml).toContain('<error type="not-checked"');
    // A reader of the report alone sees what was sent where, and what the server said.
    expect(xml).toMatch(
      /\nthe server says &quot;[^\n]+&quot;\nGET http:\/\/\S+ with the token [^\n]*<\/failure>/,
    );
    expect(leaks(xml)).toEqual([]);
  });

  test("under GitHub Actions each failed check has an annotation and a row in the summary", async () => {
    const api = await emulate();
    const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
    const folder = folderWith({ "summary.md": "# before\n" });

    const result = await runInProcess(["test", "--all"], {
      homeFolder,
      environment: { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(folder, "summary.md") },
    });

    const commands = result.stdout.split("\n").filter((line) => line.trimStart().startsWith("::"));
    expect(commands).toHaveLength(2);
    expect(commands.every((line) => /^::error title=[^:,]*::\S.*; try: \S/.test(line))).toBe(true);
    expect(commands[0]).toContain('; the server says "');
    // A possible cause is never stated as a fact.
    expect(commands[0]).toContain(
      "; possible: the token has 2 characters; the documented form has 40 hexadecimal ones",
    );
    const summary = readFileSync(join(folder, "summary.md"), "utf8");
    expect(summary).toMatch(/^# before\n### referral-auth: 1 accepted, 1 rejected, 1 not-checked\n/);
    expect(summary).not.toContain("we<ird");
    expect(summary).toContain(" | possible&#58; the token has 2 characters&#59; the documented form has 40 ");
    expect(summary.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(3);
  });

  test.each([
    ["the same words", "report"],
    ["another spelling", "./inside/../report"],
    ["an absolute path", "{folder}/report"],
    ["a folder that is a link", "folder/report"],
    ["a link to a file", "link"],
    ["a link to a file that does not exist yet", "early", "later"],
  ])(
    "two reports to one file by %s are a usage error, and nothing is sent",
    async (_, one, other = "report") => {
      const api = await emulate();
      const folder = folderWith({ report: "old", "inside/kept": "" });
      symlinkSync(".", join(folder, "folder"));
      symlinkSync("report", join(folder, "link"));
      symlinkSync("later", join(folder, "early"));
      const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: planted.token };
      const paths = [one.replace("{folder}", folder), other];

      for (const [junit = "", metrics = ""] of [paths, paths.toReversed()]) {
        const run = await runInProcess(["test", "--junit", junit, "--metrics", metrics], {
          workingFolder: folder,
          environment,
        });
        expect(run).toMatchObject({
          exitCode: 2,
          stdout: "",
          stderr:
            "Error: --junit and --metrics name the same file\n  try       Write each report to a file of its own\n",
        });
      }
      expect(api.log).toEqual([]);
      expect(readFileSync(join(folder, "report"), "utf8")).toBe("old");
    },
  );

  test.each(["accounts", "config", "token-file", "secret-file", "ca-cert"])(
    "a report does not replace the file that --%s names",
    async (flag) => {
      const workingFolder = folderWith({ input: planted.token });
      const run = await runInProcess(["test", `--${flag}`, "input", "--junit", "./input"], { workingFolder });
      expect(run).toMatchObject({ exitCode: 2, stdout: "" });
      expect(run.stderr).toContain(`--${flag} and --junit name the same file`);
      expect(readFileSync(join(workingFolder, "input"), "utf8")).toBe(planted.token);
    },
  );

  test("two reports can go to the same device", async () => {
    const api = await emulate();
    const run = await runInProcess(["test", "--junit", "/dev/null", "--metrics", "/dev/null"], {
      environment: { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: planted.token },
    });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("one account without a profile is reported too; without a finding, the summary says what to do", async () => {
    const folder = folderWith();

    const result = await runInProcess(["test", "--junit", "report.xml"], {
      workingFolder: folder,
      environment: {
        REFERRAL_BASE_URL: "http://127.0.0.1:1",
        REFERRAL_TOKEN: planted.token,
        GITHUB_ACTIONS: "true",
        GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
      },
    });

    expect(result.exitCode).toBe(7);
    const xml = readFileSync(join(folder, "report.xml"), "utf8");
    expect(xml).toContain('<testcase classname="referral-auth.default" name="token"');
    expect(xml).toMatch(/<error type="unreachable" message="[^"]*ECONNREFUSED[^"]*">Check the port/);
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toMatch(
      /^\|\s+\| token \| unreachable \| .*ECONNREFUSED.* \| Check the port/m,
    );
  });

  test("a summary of accepted checks has no table; without GITHUB_STEP_SUMMARY there is no summary", async () => {
    const api = await emulate();
    const folder = folderWith();
    const environment = {
      REFERRAL_BASE_URL: api.url,
      REFERRAL_TOKEN: planted.token,
      GITHUB_ACTIONS: "true",
    };

    expect(await runInProcess(["test"], { environment, workingFolder: folder })).toMatchObject({
      exitCode: 0,
    });
    expect(readdirSync(folder)).toEqual([]);

    const GITHUB_STEP_SUMMARY = join(folder, "summary.md");
    await runInProcess(["test"], { environment: { ...environment, GITHUB_STEP_SUMMARY } });
    expect(readFileSync(GITHUB_STEP_SUMMARY, "utf8")).toBe("### referral-auth: 1 accepted\n\n");
  });

  test("the table of the summary ends after 200 rows and says how many rows are left out", async () => {
    const wrong = Array.from({ length: 203 }, (_, index) => [`p${index}`, { baseUrl: "ftp://x" }]);
    const homeFolder = folderWith({ ".referralrc": rcOf("https://a.example", Object.fromEntries(wrong)) });
    const file = join(folderWith(), "summary.md");

    await runInProcess(["test", "--all", "--quiet"], {
      homeFolder,
      environment: { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: file },
    });

    const summary = readFileSync(file, "utf8");
    expect(summary.match(/^\| p\d+ \|/gm)).toHaveLength(200);
    expect(summary).toContain("\n3 more are not shown.\n");
  });
});
