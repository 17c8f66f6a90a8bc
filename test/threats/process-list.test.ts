import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { childHome, childNode, emptyFolder, launcher, runAsChild } from "../support/run.ts";
import { serve } from "../support/serve.ts";

/** The arguments of a process as any user of the machine can read them. */
function commandLine(pid: number): string {
  return process.platform === "linux"
    ? readFileSync(`/proc/${pid}/cmdline`, "utf8")
    : execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
}

test.each([
  ["--token", [`--token=${planted.token}`]],
  ["--token, apart", ["--token", planted.token]],
  ["--secret", ["--username", planted.username, "--secret", planted.secret]],
])("while a request is under way, the process list does not hold what %s said", async (_, args) => {
  let arrived: () => void = () => {};
  const request = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  // The server stays silent, so that the program waits.
  const api = await serve(() => arrived());
  const child = spawn(childNode, [launcher, "test", "--base-url", api.url, ...args], {
    cwd: emptyFolder,
    env: childHome,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  await request;

  const shown = commandLine(child.pid as number);
  expect(leaks(shown)).toEqual([]);
  expect(shown).toContain("referral-auth");

  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  expect(await closed).toBe(143);
  expect(stderr).toMatch(/^Warning: --(?:token|secret) on the command line can be seen in process lists/);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(leaks(stderr)).toEqual([]);
});

test.each([
  ["--token-file", ["--token-file", "-"]],
  ["--token without a value", ["--token"]],
])("%s brings no warning", async (_, args) => {
  const environment = args.length === 1 ? { REFERRAL_TOKEN: planted.token } : {};
  const run = await runAsChild(["test", "--base-url", "http://127.0.0.1:1", ...args], {
    environment,
    stdin: "x\n",
  });
  expect(run).toMatchObject({ exitCode: 7, stderr: "" });
});
