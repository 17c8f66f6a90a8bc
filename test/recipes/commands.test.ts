import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { start } from "./machine.ts";
import { blocksOf, ciStep, tabledCommands, textOf, typed } from "./pages.ts";

/** Commands that take minutes: the function of `.ci/run` that runs each, and what stands there. */
const inCi: Readonly<Record<string, readonly [step: string, text: string]>> = {
  "npm ci && npm test": ["readme_test", "npm ci && npm test"],
  "npm test": ["readme_test", "npm test"],
  "npx vitest run": ["readme_test", "npm test"],
  "npx vitest run --coverage": ["readme_test", "npm test -- --coverage"],
  "npx vitest run --mode built": ["built", "npx vitest run --mode built"],
  "npx vitest run --mode properties": ["properties", "npx vitest run --mode properties"],
  "npx vitest run --mode executable": ["executable_end_to_end", "npx vitest run --mode executable"],
  "npx vitest run --mode interop": ["interoperability", "npx vitest run --mode interop"],
  "npx vitest run --mode projects": ["projects", "npx vitest run --mode projects"],
  "npx vitest run --mode recipes": ["recipes", "npx vitest run --mode recipes"],
  "npx vitest run --mode image": ["image", "npx vitest run --mode image"],
  "npx vitest run --mode windows": ["windows", "npx vitest run --mode windows"],
};

/** Commands for a checkout that run here, in a fresh one and in this order; the others need what the first installs. */
const inClone = [
  "npm ci && npm start",
  "npm pack && npm install --global ./referral-auth-*.tgz",
  "npx vitest run test/e2e",
  "npm run near -- src/check/judge.ts",
];

/** Where the rest is: in the first of these, or in the second, which is all of them. */
const coveredElsewhere = ["npm ci", "bash .ci/run"];

const indented = ["README.md", "CONTRIBUTING.md"].flatMap(blocksOf).filter(({ language }) => language === "");
const installation = blocksOf("README.md").filter(({ heading }) => heading === "Install");
const commands = [
  ...[...indented, ...installation].flatMap(typed),
  ...tabledCommands(textOf("CONTRIBUTING.md")),
];

const clone = realpathSync(mkdtempSync(join(tmpdir(), "referral-auth-clone-")));
afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** Runs a command for a checkout in the clone, with this user's own npm, whose global packages go into the clone as well. */
const runInClone = (command: string) => {
  const environment = { ...process.env, npm_config_prefix: join(clone, "global") } as Record<string, string>;
  return start({ folder: clone, environment }, "bash", ["-c", command]);
};

test("every command for a checkout is run: in a clone, or by .ci/run", () => {
  const known = [...inClone, ...Object.keys(inCi), ...coveredElsewhere];

  expect(commands.filter((command) => !known.includes(command))).toEqual([]);
  expect(known.filter((command) => !commands.includes(command))).toEqual([]);
});

test.each(Object.entries(inCi))("%s is run by .ci/run", (_, [step, text]) => {
  expect(ciStep(step)).toContain(text);
});

test("npm test is what CONTRIBUTING says it is: lint, types, build and tests", () => {
  const { scripts } = JSON.parse(textOf("package.json"));

  expect(scripts.test).toBe("npm run check");
  expect(scripts.check).toMatch(/npm run --silent lint && .* types && .* build && vitest run$/);
});

test("the commands for a checkout work in a fresh clone", { timeout: 300_000 }, async () => {
  execFileSync("git", ["clone", "--quiet", fileURLToPath(new URL("../..", import.meta.url)), clone]);
  for (const command of inClone) {
    const run = await runInClone(command);
    expect(run, `${command}\n${run.everything}`).toMatchObject({ exitCode: 0 });
  }
  expect((await runInClone("global/bin/referral-auth --version")).exitCode).toBe(0);
});
