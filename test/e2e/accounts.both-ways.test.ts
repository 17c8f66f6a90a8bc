import { spawn } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith, namedPipe } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { accountsFile } from "./accounts.ts";

const { token, username, secret } = planted;
const textOf = (lines: readonly object[]): string => lines.map((line) => JSON.stringify(line)).join("\n");

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

    const args = ["test", "--accounts", accountsFile(lines), "--ndjson", "--concurrency", "1"];
    const { exitCode, stdout, stderr, checks } = await run(args);

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

test("JUnit and metrics name an account by its name, and by its line where there is none or the line is wrong, or the same one before or behind a mask", async () => {
  const [a, wrong] = [
    { profile: "a", token },
    { profile: "wrong", token: 1 },
  ];
  const masked = ["one-secret", "two-secret"].map((own) => ({ profile: `my ${own}`, token: own }));
  const named = [{ ...a, profile: "b" }, { ...wrong, profile: "b" }, ...masked];
  const stdin = textOf([a, { token }, { x: 1 }, wrong, a, ...named]);
  const files = ["--junit", "report.xml", "--metrics", "run.prom"];

  const args = ["test", "--accounts", "-", "--base-url", "http://127.0.0.1:1", ...files];
  const { everything, file } = await runInProcess(args, { workingFolder: folderWith(), stdin });
  const [xml = "", metrics = ""] = ["report.xml", "run.prom"].map((name) => file(name) ?? "");

  const twice = ["my [secret] (line 8)", "my [secret] (line 9)"];
  const inJunit = ["a", "a (line 5)", "b", "line 2", "line 3", "line 4", "line 7", ...twice];
  expect(xml.match(/(?<=classname="referral-auth\.)[^"]*/g)?.toSorted()).toEqual(inJunit);
  const labels =
    /^referral_auth_accepted\{report="[^"]*",profile="([^"]*)",method="[^"]*"(?:,line="(\d+)")?\}/gm;
  const found = [...metrics.matchAll(labels)].map(([, name, line]) => [name, line].join("#"));
  const inMetrics = ["#2", "#3", "#4", "#7", "a#", "a#5", "b#", "my [secret]#8", "my [secret]#9"];
  expect(found.toSorted()).toEqual(inMetrics);
  expect(everything + xml).not.toMatch(/one-secret|two-secret/);
});

test.skipIf(process.platform === "win32").each([0o644, 0o640, 0o602])(
  "a file of mode %o is refused, and nothing is sent",
  async (mode) => {
    const api = await emulate();
    const file = accountsFile([{ baseUrl: api.url, token }]);
    chmodSync(file, mode);
    // The group may read a file of root: Kubernetes mounts secrets like this.
    const isRefused = mode !== 0o640 || statSync(file).uid !== 0;
    expect((await runInProcess(["test", "--accounts", file])).exitCode).toBe(isRefused ? 3 : 0);
    expect(api.log).toHaveLength(isRefused ? 0 : 1);
  },
);

test.each([
  ["that does not exist", () => "/nowhere/accounts"],
  ["that is a folder", () => folderWith()],
])("a file %s ends the run with 3, and its path is not quoted", async (_, make) => {
  const file = make();
  const result = await runInProcess(["test", "--accounts", file]);
  expect(result).toMatchObject({ exitCode: 3, stdout: "" });
  expect(result.stderr).toMatch(/^Error: --accounts /);
  expect(result.stderr).not.toContain(file);
});

test.skipIf(process.platform === "win32")("a named pipe is read while it is written", async () => {
  const api = await emulate();
  const pipe = namedPipe();
  const line = JSON.stringify({ baseUrl: api.url, token });
  // The second line is written once the first is reported.
  const script = `exec 3> "$PIPE"; echo "$LINE" >&3; read -r _; echo "$LINE" >&3`;
  const writer = spawn("/bin/sh", ["-c", script], {
    env: { PATH: process.env.PATH, PIPE: pipe, LINE: line },
  });
  const { exitCode, checks } = await runInProcess(["test", "--accounts", pipe, "--ndjson"], {
    broken: ({ stdout }) => ({
      stdout: {
        isTerminal: false,
        write: async (text) => {
          await stdout.write(text);
          writer.stdin.end("\n");
        },
      },
    }),
  });
  expect(exitCode).toBe(0);
  expect(checks).toHaveLength(2);
});
