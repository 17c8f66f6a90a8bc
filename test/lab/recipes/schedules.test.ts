import { chmodSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { plain, rcOf } from "../../e2e/profiles.ts";
import { emulate } from "../../support/emulate.ts";
import { folderWith } from "../../support/folder.ts";
import { recipe, textOf } from "../../support/pages.ts";
import { leaks } from "../../support/planted.ts";
import type { Run } from "../../support/run.ts";
import { bash, type Machine, machineWith, npmMachine, start, validators } from "./machine.ts";

const pipeline = textOf("examples/ci/gitlab-profiles.yml");
const accounts = { ...plain(5), p2: { token: "not-the-token" } };

/** gitlab-ci-local holds the file against GitLab's own schema, expands it, and runs its jobs in this machine's shell. */
async function gitlab(
  machine: Machine,
  file: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Run> {
  writeFileSync(join(machine.folder, ".gitlab-ci.yml"), file);
  await bash(machine, "git init --quiet && git remote add origin git@gitlab.com:some/project.git");
  return start(machine, join(validators, "node_modules/.bin/gitlab-ci-local"), args, more);
}

const scheduled = ["--variable", "CI_PIPELINE_SOURCE=schedule"];

test("the jobs for GitLab are some by GitLab's schema, and the schema would tell", async () => {
  for (const file of [pipeline, recipe("docs/ci.md", "GitLab CI", "yaml")]) {
    const listed = await gitlab(machineWith(), file, ["--list-csv", ...scheduled]);
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout).toContain("credentials");
  }

  const wrong = await gitlab(machineWith(), pipeline.replace("junit:", "junitt:"), ["--list-csv"]);
  expect(wrong.exitCode).toBe(1);
  expect(wrong.everything).toContain("'junitt' property is not expected");
});

test("the job for GitLab installs the package and checks its accounts, whoever can read the file variable", async () => {
  const api = await emulate();
  const { archive, ...machine } = await npmMachine();
  const file = join(machine.folder, "variable");
  // GitLab's runner writes it so in containers: "umask 0000", says its feature flag FF_DISABLE_UMASK_FOR_DOCKER_EXECUTOR.
  const p3 = { baseUrl: "http://127.0.0.1:1" };
  writeFileSync(file, rcOf(api.url, { ...accounts, p3 }));
  chmodSync(file, 0o666);

  const args = ["--force-shell-executor", ...scheduled];
  const variables = { REFERRAL_AUTH_PACKAGE: archive, REFERRALRC: file };
  const temporary = folderWith();
  const run = await gitlab(machine, pipeline, args, { ...variables, TMPDIR: temporary });

  expect(run.everything).toMatch(/FAIL .*credentials/);
  for (const name of ["REJECTED", "UNREACHABLE"])
    expect(run.everything).toMatch(new RegExp(`${name} .*p[23] `));
  expect(api.log).toHaveLength(Object.keys(accounts).length - 1);
  // A copy of the variable would stay on the runner.
  expect(readdirSync(temporary).filter((name) => name.startsWith("tmp."))).toEqual([]);
  expect(leaks(run.everything)).toEqual([]);
});

// Kubernetes reads YAML 1.1, in which 0400 is octal.
const manifest = parse(textOf("examples/ci/kubernetes.yml"), { version: "1.1" });
/** The faults that the API's published schema finds, and then the compiler: the schema alone allows unknown fields. */
async function faultsOf(document: object): Promise<string> {
  const models = join(validators, "node_modules/kubernetes-models/batch/v1/index.js");
  const { CronJob } = await import(pathToFileURL(models).href);
  try {
    new CronJob(document).validate();
  } catch (error) {
    return String(error);
  }
  const machine = machineWith({
    "manifest.ts": `import type { ICronJob } from "kubernetes-models/batch/v1";\nexport const it: ICronJob = ${JSON.stringify(document)};\n`,
  });
  symlinkSync(join(validators, "node_modules"), join(machine.folder, "node_modules"));
  const compiler = new URL("../../../node_modules/.bin/tsc", import.meta.url).pathname;
  const args = ["--noEmit", "--strict", "--skipLibCheck", "--module", "preserve", "manifest.ts"];
  return (await start(machine, compiler, args)).stdout;
}

test.each([
  ["", {}],
  ["timetable", { timetable: "" }],
])("the CronJob is one by the API's schema, which would tell: %j", async (fault, more) => {
  const faults = await faultsOf({ ...manifest, spec: { ...manifest.spec, ...more } });
  expect(faults).toEqual(fault === "" ? "" : expect.stringContaining(fault));
});
