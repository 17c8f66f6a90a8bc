import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { plain, rcOf } from "../../e2e/profiles.ts";
import { emulate } from "../../support/emulate.ts";
import { folderWith } from "../../support/folder.ts";
import { recipe, textOf } from "../../support/pages.ts";
import { leaks } from "../../support/planted.ts";
import type { Run } from "../../support/run.ts";
import { bash, type Machine, machineWith, npmMachine, start, validators } from "./machine.ts";

type Texts = Readonly<Record<string, string>>;

interface Job {
  readonly permissions?: Texts;
  readonly "timeout-minutes"?: number;
  readonly uses?: string;
  readonly steps: ReadonlyArray<{ run?: string; uses?: string; with?: Texts; env?: Texts }>;
}

const files = readdirSync(new URL("../../../.github/workflows", import.meta.url));
const workflows = files.map((name) => [name, textOf(`.github/workflows/${name}`)] as const);
const simplest = recipe("docs/ci.md", "GitHub Actions", "yaml");
const checking = textOf("examples/ci/github-profiles.yml");
const emulating = textOf("examples/emulator/github.yml");

/** What action-validator says of a workflow: it holds the text against the schema of SchemaStore, as editors do. */
function validate(text: string): Promise<Run> {
  const file = join(folderWith({ "workflow.yml": text }), "workflow.yml");
  return start(machineWith(), join(validators, "node_modules/.bin/action-validator"), [file]);
}

// The schema is older than these two lines: the permission that actions/attest-build-provenance needs, and `command`.
const knownToSchema = (text: string): string =>
  text.replace(/^ +(?:attestations: write|command: .*)\n/gm, "");

test.each([
  ...workflows,
  ["docs/ci.md", simplest],
  ["examples/ci/github-profiles.yml", checking],
  ["examples/emulator/github.yml", emulating],
] as const)("%s has a workflow by GitHub's schema", async (_, text) => {
  expect(await validate(knownToSchema(text))).toMatchObject({ exitCode: 0, everything: "" });
});

test.each(workflows)("%s pins its actions, may only read, ends, and runs no text of an event", (_, text) => {
  const workflow: { permissions: Texts; jobs: Readonly<Record<string, Job>> } = parse(text);
  // The release calls the jobs of the other workflow.
  const jobs = Object.values(workflow.jobs).filter(({ uses }) => uses === undefined);
  const actions = text.split("\n").filter((line) => /^\s*(?:- )?uses:/.test(line));
  expect(actions.length).toBeGreaterThan(0);
  for (const line of actions.filter((one) => !one.includes("uses: ./")))
    expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  expect(workflow.permissions).toEqual({ contents: "read" });
  for (const job of jobs) expect(job["timeout-minutes"]).toBeGreaterThan(0);
  const scripts = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
});

test("the workflows are those for changes and for releases, and only the jobs that need it may write", () => {
  const writing = workflows.map(([name, text]) => {
    const jobs: Readonly<Record<string, Job>> = parse(text).jobs;
    const all = Object.entries(jobs).flatMap(([job, { permissions = {} }]) =>
      Object.entries(permissions).map(([scope, level]) => [`${job}: ${scope}`, level]),
    );
    return [name, all.filter(([, level]) => level === "write").map(([scope]) => scope)];
  });
  const image = ["image: packages", "image: id-token", "image: attestations"];
  const release = ["release: contents", "release: id-token", "release: attestations"];
  expect(writing.toSorted()).toEqual([
    ["ci.yml", []],
    ["release.yml", ["package: id-token", ...image, ...release]],
  ]);
});

test("what SECURITY.md says keeps names, URLs and the last four out of a public log and the job summary", async () => {
  const api = await emulate();
  const machine = machineWith();
  const summary = join(machine.folder, "summary.md");
  const token = "3f786850e387550fdab836ed7e6dc881de23001c";
  const given = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: token, GITHUB_ACTIONS: "true" };
  const told = [api.url, "001c"];
  const named = (text: string) => told.filter((one) => text.includes(one));
  const [quiet = "", toFile = ""] = recipe("SECURITY.md", "Out of a public log", "bash").trim().split("\n");
  for (const command of [quiet, toFile]) {
    const run = await bash(machine, command, { ...given, GITHUB_STEP_SUMMARY: summary });
    expect(run).toMatchObject({ exitCode: 4, everything: "" });
  }
  expect(named(readFileSync(join(machine.folder, "result.json"), "utf8"))).toEqual(told);
  expect(readdirSync(machine.folder)).toEqual(["result.json"]);

  // Without them, both are told.
  const run = await bash(machine, "referral-auth test", { ...given, GITHUB_STEP_SUMMARY: summary });
  expect(named(run.everything)).toEqual(told);
});

const job: Job = parse(checking).jobs.credentials;

/** Replaces expressions as the runner does before it starts a shell. Throws on one whose value is not given. */
function evaluate(text: string, values: Texts): string {
  return text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const value = values[expression];
    if (value === undefined) throw new Error(`The test does not know the recipe's ${expression}`);
    return value;
  });
}

/** Runs the steps of the job up to the first that fails, each as `bash -e {0}`, the default shell. */
async function runSteps(job: Job, machine: Machine, values: Texts): Promise<Run> {
  let run: Run = { exitCode: 0, stdout: "", stderr: "", everything: "" };
  const temporary = folderWith();
  const summary = { GITHUB_STEP_SUMMARY: join(machine.folder, "summary.md"), TMPDIR: temporary };
  for (const step of job.steps.filter(({ run }) => run !== undefined)) {
    const environment = Object.entries(step.env ?? {}).map(([name, text]) => [name, evaluate(text, values)]);
    const given = { CI: "true", GITHUB_ACTIONS: "true", ...summary, ...Object.fromEntries(environment) };
    run = await bash(machine, evaluate(step.run ?? "", values), given, ["-e"]);
    if (run.exitCode !== 0) break;
  }
  // A copy of the rc file would stay on the runner.
  expect(readdirSync(temporary).filter((name) => name.startsWith("tmp."))).toEqual([]);
  return run;
}

test("the job installs the package, checks its accounts, annotates those that failed and uploads its report", async () => {
  const api = await emulate();
  const { archive, ...machine } = await npmMachine();
  const upload = job.steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
  const away = { p3: { baseUrl: "http://127.0.0.1:1" } };
  const refused = { p2: { token: "not-the-token" } };

  // A refusal is red. No verdict is a warning beside a green step, as at GitLab.
  for (const [profiles, exitCode, annotations] of [
    [
      { ...plain(5), ...refused, ...away },
      4,
      ["::error title=referral-auth p2 token::", "::error title=referral-auth p3 token::"],
    ],
    [{ ...plain(5), ...away }, 0, ["::warning title=referral-auth p3 token::"]],
    [plain(5), 0, null],
  ] as const) {
    const values = { "vars.REFERRAL_AUTH_PACKAGE": archive, "secrets.REFERRALRC": rcOf(api.url, profiles) };
    const run = await runSteps(job, machine, values);
    const report = readFileSync(join(machine.folder, upload?.with?.path ?? ""), "utf8");
    expect(run.exitCode).toBe(exitCode);
    expect(run.stdout.match(/^::.*?::/gm)).toEqual(annotations);
    for (const name of Object.keys(profiles)) expect(report).toContain(`"referral-auth.${name}"`);
    expect(leaks(run.everything)).toEqual([]);
  }
  const summary = readFileSync(join(machine.folder, "summary.md"), "utf8");
  for (const name of ["p2", "p3"]) expect(summary).toContain(`| ${name} |`);
});
