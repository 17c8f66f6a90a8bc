import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { authorityCertificate } from "../faults/authority.ts";
import { packed } from "../package/packed.ts";
import { emulate } from "../support/emulate.ts";
import { leaks, planted } from "../support/planted.ts";
import { validatorOf } from "../support/schema.ts";
import { bash, type Machine, machineWith, start } from "./machine.ts";
import { blocksOf, recipe, textOf, userPages } from "./pages.ts";

/** These pages have recipes, with tests of their own. */
const recipePages = ["docs/ci.md", "docs/emulator.md", "docs/many-accounts.md"];
const documentedUrl = "https://api.example.com/v1";
const account = { ...planted, username: "me@example.com", token: "3f786850e387550fdab836ed7e6dc881de23001b" };
const secrets = [account.secret, account.token];

/** Everything in bash on a page, except the installation, which runs in a clone. */
const sessionOf = (page: string): string =>
  blocksOf(page)
    .filter(({ language, heading }) => language === "bash" && heading !== "Install")
    .map(({ text }) => text)
    .join("");

/** A page's first block in YAML that uses this word. */
const rcWith = (page: string, word: string): string =>
  blocksOf(page).find(({ language, text }) => language === "yaml" && text.includes(word))?.text ?? "";

/** A machine with all the files that the pages name. */
function machineFor(rc: string): Machine {
  const pass = `#!/bin/sh\n[ "$1" = show ] || exit 1\ncase $2 in referral/secret) echo '${account.secret}' ;; referral/*) echo ${account.token} ;; esac\n`;
  const files = { "secret.txt": account.secret, "company-ca.pem": authorityCertificate };
  return machineWith({ ".referralrc": rc, ".config/fish/completions/other.fish": "", ...files }, { pass });
}

/** What a user gets who types everything on a page from top to bottom, in one shell. */
async function typedFrom(page: string, rc: string, hasAccount: boolean) {
  const api = await emulate({ accounts: [account] });
  const machine = machineFor(rc.replace(documentedUrl, api.url));
  const script = sessionOf(page).replace(documentedUrl, api.url);
  const { token: REFERRAL_TOKEN, username: REFERRAL_USERNAME, secret: REFERRAL_SECRET } = account;
  const given = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN, REFERRAL_USERNAME, REFERRAL_SECRET };
  const run = await bash(machine, script, hasAccount ? given : {}, ["-e", "-o", "pipefail"]);
  expect(run.exitCode, run.everything).toBe(0);
  expect(leaks(run.everything, secrets)).toEqual([]);
  return { stdout: run.stdout.replaceAll(api.url, documentedUrl), machine, requests: api.log.length };
}

test("the commands of the README work one after the other, with the rc file that it shows", async () => {
  const { stdout, machine, requests } = await typedFrom("README.md", rcWith("README.md", "profiles"), false);

  // The token, WSSE twice, the one without credentials that --diagnose adds, one profile, both profiles, curl. The
  // emulator's own requests are not counted.
  expect(requests).toBe(8);
  expect(readFileSync(join(machine.folder, "report.xml"), "utf8")).toContain('tests="2" failures="0"');
  expect(stdout.replace(/ in \d+ ms/g, " in 48 ms")).toContain(recipe("README.md", "Check a token", "text"));
  const complete = await bash(machine, ". ~/.bashrc && complete -p referral-auth");
  expect(complete.stdout).toBe("complete -F _referral_auth referral-auth\n");
  const fish = join(machine.folder, ".config/fish/completions/referral-auth.fish");
  expect(readFileSync(fish, "utf8")).toContain("complete -c referral-auth");
});

const otherPages = userPages.filter(
  (page) => page !== "README.md" && !recipePages.includes(page) && sessionOf(page) !== "",
);

test.each(otherPages)("the commands of %s work one after the other", async (page) => {
  await typedFrom(page, rcWith(page, "pass") || "{}\n", true);
});

test.each(recipePages)("every recipe of %s has a heading of its own, and a test that runs it", (page) => {
  const tests = readdirSync(new URL(".", import.meta.url)).map((name) => textOf(`test/recipes/${name}`));
  const used = blocksOf(page).map(({ heading, language }) => `("${page}", "${heading}", "${language}")`);
  for (const words of used) expect(tests.join("")).toContain(words);
  const inBash = used.filter((words) => words.includes('"bash"'));
  expect(inBash).toEqual([...new Set(inBash)]);
});

test("every document that a page shows fits its schema, and the password managers that nobody ran are named", () => {
  const shown = ["README.md", "docs/settings.md"]
    .flatMap(blocksOf)
    .filter(({ language }) => language === "yaml");
  expect(shown.length).toBeGreaterThan(4);
  const result = JSON.parse(recipe("docs/promises.md", "JSON", "json"));
  const documents = [
    ...shown.map(({ text }) => ["referralrc", parse(text)] as const),
    ["result", result],
  ] as const;
  for (const [schema, document] of documents) {
    const validate = validatorOf(schema);
    expect([validate(document), validate.errors]).toEqual([true, null]);
  }
  for (const program of ["op", "vault"])
    expect(textOf("docs/settings.md")).toContain(`the tests have no \`${program}\``);
});

test("the programs in TypeScript run beside the installed package", async () => {
  const api = await emulate({ accounts: [account] });
  const programs = blocksOf("docs/library.md").filter(({ language }) => language === "ts");
  expect(programs).toHaveLength(2);
  const { consumer, remove } = packed();
  onTestFinished(remove);
  const environment = { TOKEN: account.token, SECRET: account.secret };
  for (const { text } of programs) {
    writeFileSync(join(consumer, "program.mts"), text.replace(documentedUrl, api.url));
    const run = await start({ folder: consumer, environment }, process.execPath, ["program.mts"]);
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  }
  expect(api.log).toHaveLength(3);
});

test.each([
  ["Diagnosis", { clockOffsetSeconds: -400 }, ""],
  ["`--diagnose`", { digest: "base64-nonce" }, "--diagnose"],
] as const)("docs/diagnosis.md shows below %s what the tool prints", async (heading, server, option) => {
  const api = await emulate({ accounts: [account], ...server });
  const command = `referral-auth test --wsse --username ${account.username} --secret-file secret.txt ${option}`;
  const given = { REFERRAL_BASE_URL: api.url, REFERRAL_DIGEST: "text-nonce" };
  const run = await bash(machineFor("{}\n"), command, given);

  expect(run.exitCode).toBe(4);
  const printed = run.stdout
    .replace(api.url, documentedUrl)
    .replace(/ in \d+ ms/, " in 48 ms")
    .replace(/20\S+Z$/m, "2026-11-22T17:30:12.345Z");
  expect(printed).toContain(recipe("docs/diagnosis.md", heading, "text"));
});

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
  const tabled = [...textOf("CONTRIBUTING.md").matchAll(/^\| `([^`]+)` \|/gm)].map(([, command]) => command);
  const commands = new Set([...typed, ...tabled]);

  for (const command of [...inClone, ...coveredElsewhere]) expect(commands.delete(command)).toBe(true);
  expect(commands.size).toBeGreaterThan(10);
  for (const command of commands) expect(ciSteps()).toContain(inCiAs[command ?? ""] ?? command);
});

test("npm test is what CONTRIBUTING says it is: lint, types, build and tests", () => {
  const { scripts } = JSON.parse(textOf("package.json"));
  expect(scripts.test).toBe("npm run check");
  expect(scripts.check).toMatch(/npm run --silent lint && .* types && .* build && vitest run$/);
});

test("the commands for a checkout work in a fresh clone", { timeout: 300_000 }, async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "referral-auth-clone-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("git", ["clone", "--quiet", fileURLToPath(new URL("../..", import.meta.url)), folder]);
  // This user's own npm, whose global packages go into the clone as well.
  const environment = { ...process.env, npm_config_prefix: join(folder, "global") } as Record<string, string>;
  for (const command of [...inClone, "global/bin/referral-auth --version"]) {
    const run = await start({ folder, environment }, "bash", ["-c", command]);
    expect(run, `${command}\n${run.everything}`).toMatchObject({ exitCode: 0 });
  }
});
