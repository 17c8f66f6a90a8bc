import { execFile } from "node:child_process";
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
