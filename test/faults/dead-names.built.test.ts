import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { started } from "../support/child.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { built, childHome, childNode, launcher } from "../support/run.ts";

const isReplaceable = execFileSync(childNode, ["-p", "typeof process.execve"]).toString() === "function\n";

/** Keeps libuv's only thread busy, and leaves a file once a name is looked up. */
const hang = `
const [fs, dns] = [require("node:fs"), require("node:dns")];
fs.open(__dirname + "/pipe", () => {});
const { lookup } = dns;
dns.lookup = (...args) => {
  lookup(...args);
  fs.writeFileSync(__dirname + "/looked-up", "");
};`;

/** Starts `script`, in which "$@" is a check of a name whose lookup never ends: a pipe without a writer keeps libuv's only thread. */
function start(script: string, args: readonly string[]) {
  const folder = folderWith({ "hang.cjs": hang });
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const node = [childNode, "--require", join(folder, "hang.cjs"), launcher];
  const check = ["test", "--base-url", "https://api.example.com", ...args];
  const { child, ended } = started(["/bin/sh", "-c", script, "sh", ...node, ...check], {
    cwd: folder,
    env: { ...childHome, PATH: process.env.PATH, REFERRAL_TOKEN: planted.token, UV_THREADPOOL_SIZE: "1" },
    detached: true,
  });
  onTestFinished(() => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  });
  child.stdin?.end(planted.token);
  return { child, ended, lookedUp: join(folder, "looked-up") };
}

describe.runIf(isReplaceable)("while a lookup hangs", { timeout: 20_000 }, () => {
  test("a run ends after its deadline, with its code and its report", async () => {
    const run = await start('exec "$@"', ["--timeout", "1"]).ended;
    expect(run).toMatchObject({ exitCode: 8, signal: null, stderr: "" });
    expect(run.stdout).toMatch(/^TIMEOUT .*DNS gave no answer for [\w.]+$/m);
  });

  const signals = [
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const;
  // Each waits, so `npm test` tries one.
  test.each(built ? signals : signals.slice(2))(
    "a run ends after %s, with its code",
    async (signal, exitCode) => {
      const { child, ended, lookedUp } = start('exec "$@"', []);
      while (!existsSync(lookedUp)) await delay(20);
      child.kill(signal);
      const stdout = "interrupted: 0 accepted, 1 not checked\n";
      expect(await ended).toEqual({ exitCode, signal: null, stdout, stderr: "" });
    },
  );

  test("a run in a folder that was deleted says nothing of it", async () => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const run = await start(script, ["--timeout", "1", "--quiet"]).ended;
    expect(run).toEqual({ exitCode: 8, signal: null, stdout: "", stderr: "" });
  });

  test.runIf(built)("a program without permission to start others waits, and does not say so", async () => {
    const script =
      'node=$1; shift; "$node" --permission --allow-fs-read="*" "$@" & sleep 3; echo late > pipe; wait $!';
    const run = await start(script, ["--timeout", "1", "--quiet"]).ended;
    expect(run).toMatchObject({ signal: null, stdout: "", stderr: "" });
    // From Node 25 on, the lookup needs a permission as well.
    expect([7, 8]).toContain(run.exitCode);
  });

  test.runIf(process.platform === "linux")("the pipes of its caller block again", async () => {
    const flags = "for each in 0 1 2; do grep flags /proc/self/fdinfo/$each; done";
    const { stdout } = await start(`"$@"; ${flags}`, ["--timeout", "1", "--quiet", "--token-file", "-"])
      .ended;
    const nonBlocking = 0o4000;
    const found = stdout.match(/(?<=flags:\s*)\d+/g)?.map((each) => Number.parseInt(each, 8) & nonBlocking);
    expect(found).toEqual([0, 0, 0]);
  });
});
