import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { plain, rcOf } from "../../e2e/profiles.ts";
import { emulate, hangs, webPage } from "../../support/emulate.ts";
import { recipe, textOf } from "../../support/pages.ts";
import { leaks, planted } from "../../support/planted.ts";
import { textOfCases } from "../../support/texts.ts";
import { bash, machineWith, start } from "./machine.ts";

const [simplest] = parse(recipe("docs/ci.md", "GitHub Actions", "yaml")).jobs.credentials.steps;

/** The recipes that do something for each exit code, each as the script that a machine runs. */
const scripts = {
  "the shell script": recipe("docs/ci.md", "Shell", "bash"),
  "the job for one token": simplest.run,
  "the plugin for Nagios": textOf("examples/ci/check_referral"),
  "the program in Python": recipe("docs/promises.md", "For programs that call it", "python"),
};

/** What the API does; null if no setting names it. */
const answers: Readonly<Record<string, Parameters<typeof emulate>[0] | null>> = {
  "the API accepts": {},
  "the API refuses": { answer: 401 },
  "the API is overloaded": { answer: 503 },
  "another server answers": { answers: [webPage] },
  "the API is too slow": { answers: [hangs] },
  "the API is not named": null,
};

/** The exit code and how the lines of standard output begin that are no details of a report. */
async function endOf(name: string, script: string, options: Parameters<typeof emulate>[0] | null) {
  const api = await emulate(options ?? {});
  // The step of GitHub installs the package, which is there already.
  const machine = machineWith({ program: script }, { npm: "#!/bin/sh\n" });
  const ofGithub = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(machine.folder, "summary.md") };
  const given = {
    REFERRAL_TOKEN: planted.token,
    ...(options?.answers?.includes(hangs) && { REFERRAL_TIMEOUT: "2" }),
    ...(options && { REFERRAL_BASE_URL: api.url }),
    ...(script === simplest.run && ofGithub),
  };
  const run = await (name === "the program in Python"
    ? start(machine, "python3", ["program"], given)
    : bash(machine, script, given, name.startsWith("the plugin") ? [] : ["-e"]));
  expect(leaks(run.everything)).toEqual([]);
  // The verdict of each line is what a recipe acts on. The sentence behind it is one of the texts of `npm test`.
  const lines = run.stdout
    .split("\n")
    .filter((line) => /^\S/.test(line))
    .map((line) => line.replace(/^(::.*?::|\w+ +token:|Error:|.*'message':).*/, "$1"));
  return [run.exitCode, ...lines].join(" | ");
}

// The text is changed with `npx vitest run --mode recipes --update`, and read as a diff.
test("what follows from each exit code in the recipes of the pages is the text beside this test", async () => {
  const said: (readonly [string, string])[] = [];
  for (const [name, script] of Object.entries(scripts)) {
    const ends = Object.entries(answers).map(
      async ([when, options]) => [`${name}: ${when}`, await endOf(name, script, options)] as const,
    );
    said.push(...(await Promise.all(ends)));
  }
  await expect(textOfCases(said)).toMatchFileSnapshot("texts/verdicts.txt");
});

test("the shell script takes options, and names each account that failed", async () => {
  const api = await emulate();
  const profiles = { ...plain(2), p1: { token: "not-the-token" } };
  const machine = machineWith({
    "check.sh": scripts["the shell script"],
    ".referralrc": rcOf(api.url, profiles),
  });
  const run = await start(machine, "sh", ["check.sh", "--all"]);
  expect(run.exitCode).toBe(4);
  expect(run.stdout).toMatch(/^REJECTED +p1 /m);
  expect(run.stdout).not.toMatch(/^accepted/m);
});
