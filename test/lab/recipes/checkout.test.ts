import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf, textOf } from "../../support/pages.ts";
import { start } from "./machine.ts";

/** Commands for a checkout that run here, in a fresh one and in this order; the others need what the first installs. */
const inClone = [
  "npm ci && npm start",
  "npm pack && npm install --global ./referral-auth-*.tgz",
  "npx vitest run test/e2e",
  "npm run near -- src/check/judge/judge.ts",
];

/** Where the rest is: in the first of these, or in the second, which is all of them. */
const coveredElsewhere = ["npm ci", "bash .ci/run"];

/** What `.ci/run` runs for these two; the others stand there as they are. */
const inCiAs: Readonly<Record<string, string>> = {
  "npx vitest run": "npm test",
  "npx vitest run --coverage": "npm test -- --coverage",
};

/** The commands of the functions that are steps of `.ci/run`. */
function ciSteps(): string {
  const text = textOf(".ci/run");
  const called = [...text.matchAll(/^(?:for .* do )?step "[^"]*" (\w+)/gm)].map(([, name]) => name);
  const bodies = [...text.matchAll(/^(\w+)\(\) \{(?: (.*); \}|\n([\s\S]*?)^\})$/gm)];
  return bodies.map(([, name, line, lines]) => (called.includes(name) ? (line ?? lines) : "")).join("\n");
}

test("every command for a checkout is run: in a clone, or by .ci/run", () => {
  const typed = ["README.md", "CONTRIBUTING.md"]
    .flatMap(blocksOf)
    .filter(({ heading, language }) => language === "" || (heading === "Install" && language === "bash"))
    .flatMap(({ text }) => text.trimEnd().split("\n"))
    .map((line) => line.replace(/ {2,}# .*$/, "").trim());
  const listed = [...textOf("CONTRIBUTING.md").matchAll(/^- `([^`]+)`: /gm)].map(([, command]) => command);
  const commands = new Set([...typed, ...listed]);

  for (const command of [...inClone, ...coveredElsewhere]) expect(commands.delete(command)).toBe(true);
  expect(commands.size).toBeGreaterThan(10);
  for (const command of commands) expect(ciSteps()).toContain(inCiAs[command ?? ""] ?? command);
});

test("npm test is what CONTRIBUTING says it is: build, lint, types and tests", () => {
  const { scripts } = JSON.parse(textOf("package.json"));
  expect(scripts.test).toBe("npm run check --");
  expect(scripts.check).toMatch(/^npm run --silent build && .* lint && .* types && vitest run$/);
});

test("the commands for a checkout work in a fresh clone", { timeout: 300_000 }, async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "referral-auth-clone-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("git", ["clone", "--quiet", fileURLToPath(new URL("../../..", import.meta.url)), folder]);
  // This user's own npm, whose global packages go into the clone as well.
  const environment = { ...process.env, npm_config_prefix: join(folder, "global") } as Record<string, string>;
  for (const command of [...inClone, "global/bin/referral-auth --version"]) {
    const run = await start({ folder, environment }, "bash", ["-c", command]);
    expect(run, `${command}\n${run.everything}`).toMatchObject({ exitCode: 0 });
  }
});
