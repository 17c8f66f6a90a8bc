import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runAsChild } from "../support/run.ts";

/** A batch file, whose lines end as Windows ends them. */
const batch = (lines: readonly string[]): string => ["@echo off", ...lines, ""].join("\r\n");

describe("emulator -- command", () => {
  test("starts a program by its name, with the variables of the emulator, and exits as it did", async () => {
    const workingFolder = folderWith({ "job.cmd": batch(["echo %REFERRAL_USERNAME%", "exit /b 7"]) });
    const run = await runAsChild(["emulator", "cmd", "/d", "/c", "job.cmd"], { workingFolder });
    expect(run).toMatchObject({ exitCode: 7, stderr: "" });
    expect(run.stdout).toMatch(/^emulator-[0-9a-f]+@example\.com\r?\n$/);
  });

  test("starts a batch file by cmd, and says so where it was left out", async () => {
    const workingFolder = folderWith({ "job.cmd": batch(["echo got %1", "exit /b 5"]) });

    const byCmd = await runAsChild(["emulator", "--", "cmd", "/d", "/c", "job.cmd", "word"], {
      workingFolder,
    });
    expect(byCmd).toMatchObject({ exitCode: 5, stdout: "got word\r\n", stderr: "" });

    const alone = await runAsChild(["emulator", "--", ".\\job.cmd"], { workingFolder });
    expect(alone).toMatchObject({ exitCode: 126, stdout: "" });
    expect(alone.stderr).toContain("cmd /c .\\job.cmd");
  });

  test("exits 130 for a command that Ctrl-C ended, which is STATUS_CONTROL_C_EXIT to Windows", async () => {
    const workingFolder = folderWith({ "job.cmd": batch([`exit ${0xc000013a | 0}`]) });
    const run = await runAsChild(["emulator", "--", "cmd", "/d", "/c", "job.cmd"], { workingFolder });
    expect(run).toMatchObject({ exitCode: 130, stdout: "", stderr: "" });
  });

  test("exits 127 where there is no such command", async () => {
    const run = await runAsChild(["emulator", "--", "no-such-command"]);
    expect(run).toMatchObject({ exitCode: 127, stdout: "" });
    expect(run.stderr).toContain('The command "no-such-command" was not found');
  });
});

test("a secret comes by a pipe, and the result goes into one", async () => {
  const program = "%GIVEN_PROGRAM%";
  const workingFolder = folderWith({
    "token.txt": `${planted.token}\r\n`,
    "job.cmd": batch([`type token.txt | "${program}" header --token --token-file - | find "X-Auth"`]),
  });
  const run = await runAsChild(["emulator", "--", "cmd", "/d", "/c", "job.cmd"], { workingFolder });
  expect(run.stdout.trim()).toBe(`X-Auth-Token: ${planted.token}`);
});
