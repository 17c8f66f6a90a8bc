import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { plain } from "../e2e/profiles.ts";
import { emulate } from "../support/emulate.ts";
import { leaks, planted } from "../support/planted.ts";
import { bash, machineWith, start } from "./machine.ts";
import { blocksOf, ciStep, tabledCommands, textOf, typed } from "./pages.ts";

const [readme, contributing] = [textOf("README.md"), textOf("CONTRIBUTING.md")];
const username = "me@example.com";

/** Commands that take minutes: the function of `.ci/run` that runs each, and what stands there. */
const inCi: Readonly<Record<string, readonly [step: string, text: string]>> = {
  "npm ci && npm test": ["readme_test", "npm ci && npm test"],
  "npm run check": ["readme_test", "npm test"],
  "npx vitest run": ["readme_test", "npm test"],
  "npx vitest run --coverage": ["readme_test", "npm test"],
  "npx vitest run test/e2e": ["end_to_end", "npx vitest run test/e2e"],
  "npx vitest run --mode interop": ["interoperability", "npx vitest run --mode interop"],
  "npx vitest run --mode recipes": ["recipes", "npx vitest run --mode recipes"],
  "npx vitest run --mode image": ["image", "npx vitest run --mode image"],
  "npx vitest run --mode windows": ["windows", "npx vitest run --mode windows"],
};

/** Commands for a checkout that run here, in a fresh one and in this order; the others need what the first installs. */
const inClone = [
  "npm ci && npm start",
  "npm pack && npm install --global ./referral-auth-*.tgz",
  "PROPERTY_RUNS=10000 npx vitest run test/properties",
];

/** Where the rest is: in the first of these, or in the second, which is all of them. */
const coveredElsewhere = ["npm ci", "bash .ci/run"];

/** The first lines of blocks that show what is printed, or where things are. */
const shown = [
  "REJECTED  wsse: the API refused this credential",
  "proved    accepted with `digest: base64-nonce`",
];

const blocks = [...blocksOf(readme), ...blocksOf(contributing)];
const indented = blocks.filter(({ fenced, lines }) => !fenced && !shown.includes(lines[0]?.trim() ?? ""));
const commands = [...indented.flatMap(({ lines }) => lines.map(typed)), ...tabledCommands(contributing)];

/** What a user types who reads the README from top to bottom, in one shell. */
const session = blocksOf(readme)
  .filter((block) => indented.some(({ lines }) => lines[0] === block.lines[0]))
  .flatMap(({ lines }) => lines.map(typed))
  .filter((line) => /\breferral-auth\b|^export /.test(line));

const clone = realpathSync(mkdtempSync(join(tmpdir(), "referral-auth-clone-")));
afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** Runs a command for a checkout in the clone, with this user's own npm, whose global packages go into the clone as well. */
const runInClone = (command: string) => {
  const environment = { ...process.env, npm_config_prefix: join(clone, "global") } as Record<string, string>;
  return start({ folder: clone, environment }, "bash", ["-c", command]);
};

test("every command of the two pages is run: in the session, in a clone, by .ci/run, or as a recipe", () => {
  const known = [...session, ...inClone, ...Object.keys(inCi), ...coveredElsewhere];

  expect(commands.filter((command) => !known.includes(command))).toEqual([]);
  expect(known.filter((command) => !commands.includes(command))).toEqual([]);
  expect(shown.filter((line) => !blocks.some(({ lines }) => lines[0]?.trim() === line))).toEqual([]);
  expect(session.length).toBeGreaterThan(8);
});

test("every recipe in bash is run by the tests of recipes, as it stands", () => {
  const recipes = textOf("test/recipes/shell.test.ts");
  const headings = blocks.filter(({ fenced }) => fenced).map(({ heading }) => heading);

  expect(headings.length).toBeGreaterThan(2);
  for (const heading of headings) expect(recipes).toContain(`recipe("${heading}", "bash")`);
});

test.each(Object.entries(inCi))("%s is run by .ci/run", (_, [step, text]) => {
  expect(ciStep(step)).toContain(text);
});

test("the properties are tried by .ci/run as often as CONTRIBUTING says, in each of its steps", () => {
  const often = /PROPERTY_RUNS=\d+/.exec(inClone.at(-1) ?? "")?.[0];

  expect(textOf(".ci/run").split("\n")).toContain(`export ${often}`);
});

test("npm test is what CONTRIBUTING says it is: lint, types, build, and the tests with what they cover", () => {
  const { scripts } = JSON.parse(textOf("package.json"));

  expect(scripts.test).toBe("npm run check");
  expect(scripts.check).toMatch(/npm run --silent lint && .* types && .* build && vitest run --coverage$/);
});

test("the commands for a checkout work in a fresh clone", { timeout: 300_000 }, async () => {
  execFileSync("git", ["clone", "--quiet", fileURLToPath(new URL("../..", import.meta.url)), clone]);
  for (const command of inClone) {
    // A tenth of the cases tell as well whether the command works.
    const run = await runInClone(command.replace("PROPERTY_RUNS=10000", "PROPERTY_RUNS=1000"));
    expect(run, `${command}\n${run.everything}`).toMatchObject({ exitCode: 0 });
  }
  expect((await runInClone("global/bin/referral-auth --version")).exitCode).toBe(0);
});

test("the commands for users work one after the other in one shell", async () => {
  const api = await emulate({ credentials: { ...planted, username } });
  const profiles = { ...plain(5), north: {}, south: {} };
  const machine = machineWith(
    {
      ".referralrc": JSON.stringify({ baseUrl: api.url, token: planted.token, profiles }),
      ".config/fish/completions/other.fish": "",
    },
    { pass: `#!/bin/sh\n[ "$*" = "show referral" ] && echo '${planted.secret}'\n` },
  );
  const script = session
    .join("\n")
    .replace("https://api.example.com/v1", api.url)
    .replace("REFERRAL_TOKEN=…", `REFERRAL_TOKEN=${planted.token}`);
  expect(script).not.toMatch(/…|api\.example/);

  const run = await bash(machine, script, {}, ["-e", "-o", "pipefail", "-v"]);

  expect(run.exitCode, run.everything).toBe(0);
  // One by each of the first two commands, seven profiles, the second of seven, two by name; the last asks its own.
  expect(api.log).toHaveLength(12);
  expect(readFileSync(join(machine.folder, "report.xml"), "utf8")).toContain('tests="7" failures="0"');
  expect(leaks(run.stdout)).toEqual([]);
  const complete = await bash(machine, ". ~/.bashrc && complete -p referral-auth");
  expect(complete.stdout).toBe("complete -F _referral_auth referral-auth\n");
  expect(readFileSync(join(machine.folder, ".config/fish/completions/referral-auth.fish"), "utf8")).toContain(
    "complete -c referral-auth",
  );
});
