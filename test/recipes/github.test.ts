import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { emulate } from "../support/emulate.ts";
import { leaks } from "../support/planted.ts";
import type { Run } from "../support/run.ts";
import { accountNames, rcWith } from "./accounts.ts";
import { bash, type Machine, machineWithNpm, validateWorkflow } from "./machine.ts";
import { recipe } from "./pages.ts";

const workflow = recipe("docs/ci.md", "GitHub Actions", "yaml");

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

const job: {
  readonly steps: readonly Step[];
  readonly strategy: { readonly matrix: { readonly shard: number[] } };
} = parse(workflow).jobs.credentials;

test("the workflow is one by GitHub's schema, and the schema would tell", async () => {
  expect(await validateWorkflow(workflow)).toMatchObject({ exitCode: 0, everything: "" });

  const wrong = await validateWorkflow(workflow.replace("timeout-minutes", "timeout-seconds"));
  expect(wrong.exitCode).toBe(1);
  expect(wrong.everything).toContain("timeout-seconds");
});

/** Replaces expressions as the runner does before it starts a shell. Throws on one whose value is not given. */
function evaluate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const value = values[expression];
    if (value === undefined)
      throw new Error(`The recipe has an expression that the test does not know: ${expression}`);
    return value;
  });
}

/** Runs the steps of one machine of the matrix up to the first that fails, each as `bash -e {0}`, the default shell. */
async function runSteps(machine: Machine, values: Readonly<Record<string, string>>): Promise<Run> {
  let run: Run = { exitCode: 0, stdout: "", stderr: "", everything: "" };
  const summary = { GITHUB_STEP_SUMMARY: join(machine.folder, "summary.md") };
  for (const step of job.steps.filter(({ run }) => run !== undefined)) {
    const environment = Object.entries(step.env ?? {}).map(([name, text]) => [name, evaluate(text, values)]);
    const given = { CI: "true", GITHUB_ACTIONS: "true", ...summary, ...Object.fromEntries(environment) };
    run = await bash(machine, evaluate(step.run ?? "", values), given, ["-e"]);
    if (run.exitCode !== 0) break;
  }
  return run;
}

test("every machine of the matrix installs the package and checks its accounts; a refused one is annotated", async () => {
  const api = await emulate();
  const { archive, ...machine } = await machineWithNpm();
  const runs: Run[] = [];
  const reports: string[] = [];

  for (const shard of job.strategy.matrix.shard) {
    runs.push(
      await runSteps(machine, {
        "matrix.shard": String(shard),
        "vars.REFERRAL_AUTH_PACKAGE": archive,
        "secrets.REFERRALRC": rcWith(api.url, { third: { token: "not-the-token" } }),
      }),
    );
    reports.push(readFileSync(join(machine.folder, "referral-auth.xml"), "utf8"));
  }

  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 4, 0]);
  expect(runs.map(({ stdout }) => stdout.includes("::error title=referral-auth third token::"))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  for (const name of accountNames) {
    expect(reports.filter((report) => report.includes(`"referral-auth.${name}"`))).toHaveLength(1);
  }
  expect(readFileSync(join(machine.folder, "summary.md"), "utf8")).toContain("| third |");
  expect(leaks(runs.map(({ everything }) => everything).join())).toEqual([]);
});

test("the report that is uploaded is the one that is written", () => {
  const upload = job.steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));

  expect(job.steps.some(({ run }) => run?.includes(`--junit ${upload?.with?.path}`))).toBe(true);
});
