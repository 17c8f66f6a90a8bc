import { execFile } from "node:child_process";
import { expect } from "vitest";
import { folderWith } from "../support/folder.ts";
import { childNode, launcher, type Run } from "../support/run.ts";

/** Runs a shell script in which `$RUN` is the program. */
export function inShell(
  script: string,
  environment: Readonly<Record<string, string | undefined>>,
  workingFolder: string,
): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(
      "/bin/sh",
      ["-c", script.replaceAll("$RUN", '"$NODE" "$PROGRAM"')],
      {
        cwd: workingFolder,
        env: { PATH: process.env.PATH, NODE: childNode, PROGRAM: launcher, ...environment },
      },
      (_error, stdout, stderr) =>
        resolve({ exitCode: child.exitCode ?? -1, stdout, stderr, everything: stdout + stderr }),
    );
    child.stdin?.end();
  });
}

/** Runs a shell script whose check is not made for a mistake in the settings, and expects this in its message. */
export async function expectMistake(script: string, message: string): Promise<void> {
  const environment = { HOME: "/nowhere", REFERRAL_BASE_URL: "http://127.0.0.1:1" };
  const run = await inShell(script, environment, folderWith());
  expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "" });
  expect(run.stderr).toContain(message);
}
