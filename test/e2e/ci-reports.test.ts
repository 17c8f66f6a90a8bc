import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { rcOf } from "./profiles.ts";

/** Runs `test` as a job of GitHub Actions; its report and its summary are in the folder. */
async function inJob(args: readonly string[], files: Readonly<Record<string, unknown>>, variables = {}) {
  const folder = folderWith(files);
  const environment = {
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
    ...variables,
  };
  const given = { homeFolder: folder, workingFolder: folder, environment };
  const { stdout, stderr, exitCode } = await runInProcess(["test", ...args], given);
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { exitCode, stdout, stderr, read };
}

test("JUnit has a case, an annotation and the summary a row for each failed check: a refusal is a failure, any other an error", async () => {
  const api = await emulate();
  const profiles = { good: {}, "we<ird\u202e&\n::error::": { token: "no" }, broken: { baseUrl: "ftp://x" } };
  const files = { ".referralrc": rcOf(api.url, profiles), "summary.md": "# before\n" };

  const { exitCode, stdout, read } = await inJob(["--all", "--junit", "report.xml"], files);

  expect(exitCode).toBe(4);
  const xml = read("report.xml");
  expect(xml).toContain('<testsuite name="referral-auth" tests="3" failures="1" errors="1" skipped="0"');
  expect(xml.match(/<testcase /g)).toHaveLength(3);
  expect(xml).toContain('classname="referral-auth.we&lt;ird\\u{202e}&amp;\\n\\x3a:error\\x3a:"');
  expect(xml).toContain('<error type="not-checked"');
  // A reader of the report alone sees what was sent where, and what the server said.
  expect(xml).toMatch(
    /\nthe server says &quot;[^\n]+&quot;\nGET http:\/\/\S+ with the token [^\n]*\nchecked \d{4}-[^\n]*Z<\/failure>/,
  );

  const commands = stdout.split("\n").filter((line) => line.trimStart().startsWith("::"));
  expect(commands).toHaveLength(2);
  expect(commands.every((line) => /^::error title=[^:,]*::\S.*; try: \S/.test(line))).toBe(true);
  expect(commands[0]).toContain('; the server says "');
  // A possible cause is never stated as a fact.
  const form = "the token has 2 characters; the documented form has 40 hexadecimal ones";
  expect(commands[0]).toContain(`; possible: ${form}`);

  const summary = read("summary.md");
  expect(summary).toMatch(/^# before\n### referral-auth: 1 accepted, 1 rejected, 1 not-checked\n/);
  expect(summary).not.toContain("we<ird");
  expect(summary).toContain(` | possible&#58; ${form}`);
  expect(summary.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(3);
});

test("one account without a profile is reported too; without a finding, the summary says what to do", async () => {
  const { exitCode, read } = await inJob(
    ["--junit", "report.xml"],
    {},
    { REFERRAL_BASE_URL: "http://127.0.0.1:1", REFERRAL_TOKEN: planted.token },
  );
  expect(exitCode).toBe(7);
  expect(read("report.xml")).toContain('<testcase classname="referral-auth.default" name="token"');
  expect(read("report.xml")).toMatch(
    /<error type="unreachable" message="[^"]*ECONNREFUSED[^"]*">Check the host and the port/,
  );
  expect(read("summary.md")).toMatch(
    /^\|\s+\| token \| unreachable \| .*ECONNREFUSED.* \| Check the host and the port/m,
  );
});

test("a summary of accepted checks has no table; two reports can go to the same device", async () => {
  const { url: REFERRAL_BASE_URL } = await emulate();
  const variables = { REFERRAL_BASE_URL, REFERRAL_TOKEN: planted.token };
  const args = ["--junit", "/dev/null", "--metrics", "/dev/null"];
  const { exitCode, stderr, read } = await inJob(args, {}, variables);
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(read("summary.md")).toBe("### referral-auth: 1 accepted\n\n");
  expect(await inJob([], {}, { ...variables, GITHUB_STEP_SUMMARY: "" })).toMatchObject({ exitCode: 0 });
});

test("the table of the summary ends after 200 rows and says how many rows are left out", async () => {
  const wrong = Array.from({ length: 203 }, (_, index) => [`p${index}`, { baseUrl: "ftp://x" }]);
  const rc = rcOf("https://a.example", Object.fromEntries(wrong));
  const summary = (await inJob(["--all", "--quiet"], { ".referralrc": rc })).read("summary.md");
  expect(summary.match(/^\| p\d+ \|/gm)).toHaveLength(200);
  expect(summary).toContain("\n3 more are not shown.\n");
});
