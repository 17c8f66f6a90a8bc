import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { definitionOf } from "../../../src/settings/table.ts";
import { install } from "../../e2e/installed.ts";
import { plain, rcOf } from "../../e2e/profiles.ts";
import { emulate } from "../../support/emulate.ts";
import { folderWith } from "../../support/folder.ts";
import { recipe, recipes } from "../../support/pages.ts";
import { childNode } from "../../support/run.ts";
import { machineWith, start } from "./machine.ts";

const [service = "", timer = ""] = recipes("docs/many-accounts.md", "Systemd", "ini");

test("systemd takes the service and its timer, and finds them hardened", () => {
  const folder = folderWith({ "referral-auth.service": service, "referral-auth.timer": timer });
  const [unit = "", ...rest] = ["referral-auth.service", "referral-auth.timer"].map((name) =>
    join(folder, name),
  );
  execFileSync("systemd-analyze", ["verify", "--man=no", unit, ...rest], { stdio: "pipe" });
  // Fails above this level, of 100: an unhardened service has 96.
  execFileSync("systemd-analyze", ["security", "--offline=true", "--threshold=30", unit], { stdio: "pipe" });
  expect(service).toContain("\nDynamicUser=yes\n");
  // Only a refusal is a verdict that the metrics show: without a verdict the unit fails.
  expect(service).toContain("\nSuccessExitStatus=4\n");
});

test("a night ends in time even if the API never answers 10,000 accounts", () => {
  const night = recipe("docs/many-accounts.md", "Cron", "bash");
  const [, hours] = /^TimeoutStartSec=(\d+)h$/m.exec(service) ?? [];
  for (const command of [service, night]) {
    const [, concurrency] = /--concurrency (\d+)/.exec(command) ?? [];
    const seconds = (10_000 / Number(concurrency)) * Number(definitionOf("timeout").fallback);
    expect(seconds).toBeLessThan(Number(hours) * 3600);
  }
});

/** The system calls that these sets of systemd hold (`systemd-analyze syscall-filter`). */
function systemCallsOf(names: readonly string[]): ReadonlySet<string> {
  const dump = execFileSync("systemd-analyze", ["syscall-filter"], { encoding: "utf8", stdio: "pipe" });
  const sets = new Map(
    [...dump.matchAll(/^(@[\w-]+)\n((?: {4}.*\n)+)/gm)].map(([, name = "", lines = ""]) => [
      name,
      [...lines.matchAll(/^ {4}(@?[\w-]+)$/gm)].map(([, member = ""]) => member),
    ]),
  );
  const calls = new Set<string>();
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop())
    name.startsWith("@") ? pending.push(...(sets.get(name) ?? [])) : calls.add(name);
  return calls;
}

test("the service's filter allows every system call of a run", async () => {
  const api = await emulate();
  const machine = machineWith({
    "rc.yaml": rcOf(api.url, { ...plain(2), nowhere: { baseUrl: "https://x.invalid" } }),
  });
  const command = "referral-auth test --all --config rc.yaml --failed-only --metrics night.prom";
  const args = ["-f", "-c", "-U", "name", "-o", "calls", ...command.split(" ")];
  const run = await start(machine, "strace", args);
  expect(run, run.stderr).toMatchObject({ exitCode: 7 });

  const [, names = ""] = /^SystemCallFilter=(.*)$/m.exec(service) ?? [];
  const allowed = systemCallsOf(names.split(" "));
  // Node.js 20 calls it; a call outside of the filter would fail.
  expect([...allowed]).toContain("pkey_alloc");
  const called = readFileSync(join(machine.folder, "calls"), "utf8").match(/^[a-z]\w*$/gm) ?? [];
  expect(called.length).toBeGreaterThan(20);
  expect(called.filter((call) => !allowed.has(call) && !["syscall", "total"].includes(call))).toEqual([]);
});

test("the service's command reads the rc file that systemd hands over, and node_exporter can read its metrics", async () => {
  const api = await emulate();
  const machine = machineWith();
  const place = (name: string): string => join(machine.folder, name);
  // Another user can neither read this checkout nor the folder of the machine's programs.
  const launcher = join(install().folder, "bin/launch.cjs");
  const shim = `#!/bin/sh\nexec "${childNode}" "${launcher}" "$@"\n`;
  writeFileSync(place("referral-auth"), shim, { mode: 0o755 });
  // A user of its own, and the group of node_exporter; systemd hands root's file over with access for the user.
  const [user, group] = [64_123, 64_124];
  chmodSync(machine.folder, 0o755);
  writeFileSync(place("referralrc.yaml"), rcOf(api.url, { good: {} }), { mode: 0o440 });
  chownSync(place("referralrc.yaml"), 0, group);
  mkdirSync(place("metrics"));
  chownSync(place("metrics"), 0, group);
  chmodSync(place("metrics"), 0o2775);
  const setting = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(service)?.[1] ?? "";
  expect(setting("SupplementaryGroups")).toBe("prometheus");
  const command = setting("ExecStart")
    .replace("%d", machine.folder)
    .replace(setting("ReadWritePaths"), place("metrics"));
  const script = `umask ${setting("UMask")}; exec ${command}`;
  const ids = [`--reuid=${user}`, `--regid=${user}`, `--groups=${group}`];
  const path = { PATH: `${machine.folder}:/usr/bin:/bin` };
  const run = await start(machine, "setpriv", [...ids, "sh", "-c", script], path);
  expect(run, run.stderr).toMatchObject({
    exitCode: 0,
    stderr: "",
    stdout: expect.stringContaining("accepted"),
  });

  const file = place("metrics/referral-auth.prom");
  expect(statSync(file)).toMatchObject({ uid: user, gid: group });
  const reader = ["--reuid=64125", "--regid=64125", "--clear-groups", "cat", file];
  expect((await start(machine, "setpriv", reader)).stdout).toContain('profile="good"');
});
