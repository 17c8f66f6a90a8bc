import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { leaks } from "../support/planted.ts";
import type { Run } from "../support/run.ts";
import { accountNames, rcWith } from "./accounts.ts";
import { type Machine, machineWith, machineWithNpm, start, validators } from "./machine.ts";
import { recipe } from "./pages.ts";

const pipeline = recipe("docs/ci.md", "GitLab CI", "yaml");

/** gitlab-ci-local holds the file against GitLab's own schema, expands it, and runs its jobs in this machine's shell. */
async function gitlab(
  machine: Machine,
  file: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Run> {
  writeFileSync(join(machine.folder, ".gitlab-ci.yml"), file);
  for (const command of [
    ["init", "--quiet"],
    ["remote", "add", "origin", "git@gitlab.com:some/project.git"],
  ]) {
    await start(machine, "git", command);
  }
  return start(machine, join(validators, "node_modules/.bin/gitlab-ci-local"), args, more);
}

test("the job is one by GitLab's schema, and the schema would tell", async () => {
  const listed = await gitlab(machineWith(), pipeline, ["--list-csv"]);
  expect(listed.exitCode).toBe(0);
  expect(listed.stdout).toContain("credentials: [4/4]");

  const wrong = await gitlab(machineWith(), pipeline.replace("junit:", "junitt:"), ["--list-csv"]);
  expect(wrong.exitCode).toBe(1);
  expect(wrong.everything).toContain("'junitt' property is not expected");
});

test("every parallel job installs the package and checks its accounts, whoever can read the file variable", async () => {
  const api = await emulate();
  const { archive, ...machine } = await machineWithNpm();
  const file = join(machine.folder, "variable");
  // GitLab's runner writes it so in containers: "umask 0000", says its feature flag FF_DISABLE_UMASK_FOR_DOCKER_EXECUTOR.
  writeFileSync(file, rcWith(api.url, { third: { token: "not-the-token" } }));
  chmodSync(file, 0o666);

  const run = await gitlab(
    machine,
    pipeline,
    ["--force-shell-executor", "--concurrency", "1", "--shell-isolation"],
    { REFERRAL_AUTH_PACKAGE: archive, REFERRALRC: file },
  );

  expect(run.exitCode).toBe(1);
  expect(run.everything).toMatch(/PASS .*credentials: \[1\/4\]/);
  expect(run.everything).toMatch(/PASS .*credentials: \[2\/4\]/);
  expect(run.everything).toMatch(/FAIL .*credentials: \[3\/4\]/);
  expect(run.everything).toMatch(/PASS .*credentials: \[4\/4\]/);
  expect(api.log).toHaveLength(accountNames.length);
  expect(leaks(run.everything)).toEqual([]);
});
