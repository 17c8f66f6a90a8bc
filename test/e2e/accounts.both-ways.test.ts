import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";

const { token, username, secret } = planted;
const textOf = (lines: readonly (object | string)[]): string =>
  lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

describe.each(ways)("--accounts, %s,", (_, run) => {
  test("checks each line, and --ndjson prints each result with its line and profile, in 7-bit ASCII", async () => {
    const { url: baseUrl } = await emulate();
    const lines = [
      { profile: "é\u2028::error::", baseUrl, token },
      "",
      "{broken",
      { profile: "same", baseUrl, token: "wrong" },
      { profile: "same", baseUrl, token },
      { baseUrl, username, secret },
    ];

    const workingFolder = folderWith({ accounts: textOf(lines) });
    const args = ["test", "--accounts", "accounts", "--ndjson", "--concurrency", "1"];
    const { exitCode, stdout, stderr, checks } = await run(args, { workingFolder });

    expect([exitCode, stderr]).toEqual([4, ""]);
    expect(checks.map(({ line, profile, outcome }) => [line, profile, outcome])).toEqual([
      [1, "é\u2028::error::", "accepted"],
      [3, null, "not-checked"],
      [4, "same", "rejected"],
      [5, "same", "accepted"],
      [6, null, "accepted"],
    ]);
    expect(stdout).toMatch(/^[\x20-\x7e\n]*$/);
    expect(stdout).not.toContain("::");
  });

  test("- reads standard input; what a line sets counts above the environment, and its secret with the rc file's username", async () => {
    const api = await emulate();
    const homeFolder = folderWith({ ".referralrc": { baseUrl: "http://127.0.0.1:1", username, token } });
    const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: token };
    const stdin = `${textOf([{ secret }])}\n\n${textOf([{ profile: "none" }])}`;

    const args = ["test", "--accounts", "-", "--concurrency", "1", "--json"];
    const { stderr, document } = await run(args, { homeFolder, environment, stdin });

    expect(stderr).toBe("");
    const request = { credential: expect.stringContaining("line 1 of") };
    const checks = [
      { line: 1, outcome: "accepted", request },
      { line: 3, outcome: "not-checked" },
    ];
    expect(document).toMatchObject({ exitCode: 3, linesRead: 3, notChecked: 0, checks });
  });
});

// test/report/documents has how a report names an account.
test("accounts keep their line whose name came before, or is the same as another behind a mask", async () => {
  const masked = ["one-secret", "two-secret"].map((own) => ({ profile: `my ${own}`, token: own }));
  const lines = [...masked, { profile: "same", token }, { profile: "same", token }];
  const args = ["test", "--accounts", "-", "--base-url", "http://127.0.0.1:1", "--junit", "report.xml"];
  const { everything, file } = await runInProcess(args, {
    workingFolder: folderWith(),
    stdin: textOf(lines),
  });
  const xml = file("report.xml") ?? "";
  expect(xml.match(/(?<=classname="referral-auth\.)[^"]*/g)?.toSorted()).toEqual([
    "my [secret] (line 1)",
    "my [secret] (line 2)",
    "same",
    "same (line 4)",
  ]);
  expect(everything + xml).not.toMatch(/one-secret|two-secret/);
});

describe.skipIf(process.platform === "win32")("--accounts", () => {
  test("refuses a file that others can read, and sends nothing", async () => {
    const api = await emulate();
    const file = join(folderWith({ accounts: { baseUrl: api.url, token } }), "accounts");
    chmodSync(file, 0o644);
    expect((await runInProcess(["test", "--accounts", file])).exitCode).toBe(3);
    expect(api.log).toEqual([]);
  });
});
