import { spawn } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith, namedPipe } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { accountsFile, linesOf } from "./accounts.ts";

const { token } = planted;

describe("wrong usage:", () => {
  test.each([
    [["--accounts", "x", "--all"]],
    [["--accounts", "x", "--profile", "a"]],
    [["--accounts", "x", "--accounts", "y"]],
    [["--accounts", ""]],
    [["--accounts", "-", "--token-file", "-"]],
    [["--accounts", "-", "--secret-file", "-"]],
    [["--json", "--ndjson"]],
  ])("%j", async (args) => {
    expect(await runInProcess(["test", ...args])).toMatchObject({ exitCode: 2 });
  });

  test("REFERRAL_PROFILE does not choose a profile beside --accounts", async () => {
    const api = await emulate();
    const environment = { REFERRAL_PROFILE: "absent", REFERRAL_BASE_URL: api.url };
    const stdin = JSON.stringify({ token });
    expect(await runInProcess(["test", "--accounts", "-"], { environment, stdin })).toMatchObject({
      exitCode: 0,
    });
  });
});

describe("the file", () => {
  test.skipIf(process.platform === "win32").each([0o644, 0o640, 0o602])(
    "of mode %o is refused, and nothing is sent",
    async (mode) => {
      const api = await emulate();
      const file = accountsFile([{ baseUrl: api.url, token }]);
      chmodSync(file, mode);
      const ownedByRoot = statSync(file).uid === 0;
      const result = await runInProcess(["test", "--accounts", file, "--json"]);
      // The group may read a file of root: Kubernetes mounts secrets like this.
      expect(result.exitCode).toBe(mode === 0o640 && ownedByRoot ? 0 : 3);
      if (result.exitCode === 3) expect(api.log).toEqual([]);
    },
  );

  test.each([
    ["does not exist", () => "/nowhere/accounts"],
    ["is a folder", () => folderWith()],
    ["holds no account", () => accountsFile(["", " "])],
  ])("that %s ends the run with 3, and its path is not quoted", async (_, make) => {
    const file = make();
    for (const form of [[], ["--json"], ["--ndjson"]]) {
      const result = await runInProcess(["test", "--accounts", file, ...form]);
      expect(result.exitCode).toBe(3);
      expect(result.stderr).toMatch(/^Error: --accounts /);
      expect(result.everything).not.toContain(file);
    }
  });

  test.skipIf(process.platform === "win32")(
    "may be a named pipe, which is read while it is written",
    async () => {
      const api = await emulate();
      const pipe = namedPipe();
      const line = JSON.stringify({ baseUrl: api.url, token });
      const script = `exec 3> "$PIPE"; echo "$LINE" >&3; sleep 0.2; echo "$LINE" >&3`;
      spawn("/bin/sh", ["-c", script], { env: { PATH: process.env.PATH, PIPE: pipe, LINE: line } });
      const result = await runInProcess(["test", "--accounts", pipe, "--ndjson"]);
      expect(result.exitCode).toBe(0);
      expect(linesOf(result.stdout)).toHaveLength(2);
    },
  );
});
