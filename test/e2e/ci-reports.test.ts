import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { accept, place, rcOf, refuse } from "./profiles.ts";

test("JUnit has a case, an annotation and the summary a row for each failed check: a refusal is a failure, any other an error", async () => {
  const { run, job } = await place({
    answer: (request, response) =>
      (request.headers["x-auth-token"] === planted.token ? accept : refuse)(request, response),
    profiles: { good: {}, "we<ird\u202e&\n::error::": { token: "no" }, broken: { baseUrl: "ftp://x" } },
    files: { "summary.md": "# before\n" },
  });

  const { exitCode, stdout, file } = await run(["--all", "--junit", "report.xml"], { environment: job });

  expect(exitCode).toBe(4);
  const xml = file("report.xml");
  expect(xml).toContain('<testsuite name="referral-auth" tests="3" failures="1" errors="1" skipped="0"');
  expect(xml?.match(/<testcase /g)).toHaveLength(3);
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

  const summary = file("summary.md");
  expect(summary).toMatch(/^# before\n### referral-auth: 1 accepted, 1 rejected, 1 not-checked\n/);
  expect(summary).not.toContain("we<ird");
  expect(summary).toContain(` | possible&#58; ${form}`);
  expect(summary?.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(3);
});

test("one account without a profile is reported too; without a finding, the summary says what to do", async () => {
  const { run, job } = await place({ url: "http://127.0.0.1:1" });
  const { exitCode, file } = await run(["--junit", "report.xml"], { environment: job });
  expect(exitCode).toBe(7);
  expect(file("report.xml")).toContain('<testcase classname="referral-auth.default" name="token"');
  expect(file("report.xml")).toMatch(
    /<error type="unreachable" message="[^"]*ECONNREFUSED[^"]*">Check the host and the port/,
  );
  expect(file("summary.md")).toMatch(
    /^\|\s+\| token \| unreachable \| .*ECONNREFUSED.* \| Check the host and the port/m,
  );
});

test("a summary of accepted checks has no table, and an empty name of its file means none", async () => {
  const { run, job } = await place();
  const accepted = { exitCode: 0, stderr: "" };
  const written = await run([], { environment: job });
  expect(written).toMatchObject(accepted);
  expect(written.file("summary.md")).toBe("### referral-auth: 1 accepted\n\n");
  expect(await run([], { environment: { ...job, GITHUB_STEP_SUMMARY: "" } })).toMatchObject(accepted);
});

test("the table of the summary ends after 200 rows and says how many rows are left out", async () => {
  const wrong = Array.from({ length: 203 }, (_, index) => [`p${index}`, { baseUrl: "ftp://x" }]);
  const rc = rcOf("https://a.example", Object.fromEntries(wrong));
  const { run, job } = await place({ files: { ".referralrc": rc } });
  const summary = (await run(["--all", "--quiet"], { environment: job })).file("summary.md");
  expect(summary?.match(/^\| p\d+ \|/gm)).toHaveLength(200);
  expect(summary).toContain("\n3 more are not shown.\n");
});
