import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { validateWorkflow as validate } from "./machine.ts";

const folder = fileURLToPath(new URL("../../.github/workflows", import.meta.url));
const files = readdirSync(folder);

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps: ReadonlyArray<{ readonly run?: string; readonly uses?: string }>;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

test("the workflows are those for changes and for releases", () => {
  expect(files.toSorted()).toEqual(["ci.yml", "release.yml"]);
});

describe.each(files)("%s", (name) => {
  const text = readFileSync(join(folder, name), "utf8");
  const workflow: Workflow = parse(text);
  const jobs = Object.values(workflow.jobs);

  test("is a workflow by GitHub's schema, and the schema would tell", async () => {
    // The validator's schema is older than this permission, which actions/attest-build-provenance needs.
    const known = text.replace(/^ +attestations: write\n/gm, "");
    expect(await validate(known)).toMatchObject({ exitCode: 0, everything: "" });

    const wrong = await validate(known.replace("timeout-minutes", "timeout-seconds"));
    expect(wrong.exitCode).toBe(1);
    expect(wrong.everything).toContain("timeout-seconds");
  });

  test("names every action by the commit, with its version beside it", () => {
    const actions = text.split("\n").filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(actions.length).toBeGreaterThan(0);
    for (const line of actions) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("reads the repository alone where a job asks for no more, and every job has an end", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    for (const job of jobs) expect(job["timeout-minutes"]).toBeGreaterThan(0);
  });

  test("puts no text of an event into a script, where it would be run", () => {
    const scripts = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
  });

  test("runs what `.ci/run` runs before anything is built on it", () => {
    const first = jobs[0]?.steps.map(({ run }) => run);
    expect(first).toContain("bash .ci/run");
  });
});

test("only the job that needs a permission of writing has it", () => {
  const { jobs }: Workflow = parse(readFileSync(join(folder, "release.yml"), "utf8"));
  const writing = Object.entries(jobs).map(([name, { permissions = {} }]) => [
    name,
    Object.keys(permissions).filter((scope) => permissions[scope] === "write"),
  ]);
  expect(Object.fromEntries(writing)).toEqual({
    build: [],
    package: ["id-token"],
    image: ["packages", "id-token", "attestations"],
    release: ["contents", "id-token", "attestations"],
  });
});
