import { describe, expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { validatorOf } from "../support/schema.ts";
import { accountsFile, linesOf } from "./accounts.ts";

const { token } = planted;

describe.each(ways)("--accounts, %s,", (_, run) => {
  test("checks each line, and --ndjson prints each result with its line and profile", async () => {
    const api = await emulate();
    const lines = [
      { profile: "good", baseUrl: api.url, token },
      "",
      "{broken",
      { profile: "same", baseUrl: api.url, token: "wrong" },
      { profile: "same", baseUrl: api.url, token },
      { baseUrl: api.url, username: planted.username, secret: planted.secret },
    ];

    const result = await run(["test", "--accounts", accountsFile(lines), "--ndjson", "--concurrency", "1"]);

    expect(result).toMatchObject({ exitCode: 4, stderr: "" });
    expect(linesOf(result.stdout).map(({ line, profile, outcome }) => [line, profile, outcome])).toEqual([
      [1, "good", "accepted"],
      [3, null, "not-checked"],
      [4, "same", "rejected"],
      [5, "same", "accepted"],
      [6, null, "accepted"],
    ]);
    expect(leaks(result.everything)).toEqual([]);
  });

  test("- reads standard input, with a byte order mark and the line ends of Windows", async () => {
    const api = await emulate();
    const stdin = `\ufeff${JSON.stringify({ profile: "a", token })}\r\n\r\n${JSON.stringify({ profile: "b", token })}`;

    const args = ["test", "--accounts", "-", "--base-url", api.url, "--concurrency", "1", "--json"];
    const result = await run(args, { stdin });

    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(result.stdout)).toMatchObject({
      linesRead: 3,
      notChecked: 0,
      checks: [{ line: 1 }, { line: 3 }],
    });
  });
});

describe("what a line sets counts:", () => {
  test("above the environment and the rc file, and only the username comes from there", async () => {
    const api = await emulate();
    const homeFolder = folderWith({
      ".referralrc": { baseUrl: "http://127.0.0.1:1", username: planted.username, token: planted.token },
    });
    const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: token };
    const file = accountsFile([{ secret: planted.secret }, { profile: "none" }]);

    const result = await runInProcess(["test", "--accounts", file, "--ndjson"], { homeFolder, environment });

    const [first, second] = linesOf(result.stdout).toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
    expect(first).toMatchObject({ outcome: "accepted" });
    expect(first?.request.credential).toContain("secret in line 1 of --accounts");
    expect(second).toMatchObject({ outcome: "not-checked" });
    expect(leaks(result.everything)).toEqual([]);
  });

  test("it is not sent to the base URL of a found file", async () => {
    const api = await emulate();
    const workingFolder = folderWith({ ".referralrc": { baseUrl: api.url } });

    const result = await runInProcess(["test", "--accounts", "-", "--ndjson"], {
      workingFolder,
      stdin: JSON.stringify({ token }),
    });

    expect(result.exitCode).toBe(3);
    expect(linesOf(result.stdout)[0]?.findings[0]?.message).toContain("line 1 of --accounts");
    expect(api.log).toEqual([]);
  });

  test("a secret that is given as the name is masked", async () => {
    const api = await emulate();
    const stdin = JSON.stringify({ profile: `my ${token}`, baseUrl: api.url, token });
    const result = await runInProcess(["test", "--accounts", "-", "--ndjson"], { stdin });
    expect(linesOf(result.stdout)[0]).toMatchObject({ profile: "my [secret]" });
    const wrong = await runInProcess(["test", "--accounts", "-", "--ndjson"], {
      stdin: JSON.stringify({ profile: token, token }),
    });
    expect(leaks(wrong.everything)).toEqual([]);
  });
});

test("each line of --ndjson fits the schema of a check, in 7-bit ASCII", async () => {
  const api = await emulate();
  const stdin = [
    { profile: "é\u2028\u202e", baseUrl: api.url, token },
    { profile: "::error::", baseUrl: "http://127.0.0.1:1", token },
  ].map((line) => JSON.stringify(line));
  const result = await runInProcess(["test", "--accounts", "-", "--ndjson"], { stdin: stdin.join("\n") });
  expect(result.stdout).toMatch(/^[\x20-\x7e\n]*$/);
  expect(result.stdout).not.toContain("::");
  const validate = validatorOf("result");
  const checks = linesOf(result.stdout);
  const document = {
    schemaVersion: 1,
    checks,
    ok: false,
    exitCode: 7,
    notChecked: 0,
    linesRead: 2,
    error: null,
  };
  expect([validate(document), validate.errors]).toEqual([true, null]);
  const [refused] = checks.filter(({ outcome }) => outcome === "unreachable");
  expect(refused?.failure).toEqual({
    step: "connect",
    code: "ECONNREFUSED",
    message: expect.stringContaining("nothing listens"),
  });
});
