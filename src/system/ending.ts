// Ends the process although something is still under way.

import { spawnSync } from "node:child_process";
import { isSea } from "node:sea";

/** Ends the process if a line is still being written: its reader reads no more. Whatever must not be lost has been waited for before. */
export function endDespiteWrites(code: number): void {
  // Opening both streams takes time, so ask first whether anything is written.
  if (!process.getActiveResourcesInfo().some((name) => name.endsWith("WriteWrap"))) return;
  if (process.stdout.writableLength + process.stderr.writableLength > 0) process.exit(code);
}

/**
 * Ends the process with this code if a name is still being looked up. `getaddrinfo` cannot be cancelled, and Node waits for it
 * however it ends: up to 40 s if DNS is dead. A program that only exits with the code takes the place of the process instead.
 * Returns if nothing is looked up, or where a process cannot be replaced: Node before 22.15, Windows, Node's permissions.
 */
export function endDespiteLookups(code: number): void {
  const { execve, execPath, platform } = process;
  if (!process.getActiveResourcesInfo().includes("GetAddrInfoReqWrap")) return;
  if (execve === undefined || platform === "win32") return;
  // A small image may have no shell. Node takes 40 ms more, and an executable is its own Node: see bin/executable.cjs.
  const itself = isSea() ? [`--exit-with=${code}`] : ["-e", `process.exitCode = ${code}`];
  const programs: ReadonlyArray<readonly [string, ...string[]]> = [
    ["/bin/sh", "-c", `exit ${code}`],
    [execPath, ...itself],
  ];
  try {
    // A shell complains about a working folder that was deleted.
    process.chdir("/");
    for (const [file, ...args] of programs) {
      // Run it first (3 ms): a program that cannot be executed would abort the process. Starting a child also lets the pipes
      // that this process shares with others block again, as Node does at its end; other programs would fail with EAGAIN.
      const { status } = spawnSync(file, args, { stdio: "inherit", env: {} });
      if (status === code) execve(file, [file, ...args], {});
    }
  } catch {
    // Node's permissions forbid it, so the process ends when the lookup does.
  }
}
