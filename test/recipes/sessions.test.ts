import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { authorityCertificate } from "../faults/authority.ts";
import { packed } from "../package/packed.ts";
import { emulate } from "../support/emulate.ts";
import { leaks, planted } from "../support/planted.ts";
import type { Run } from "../support/run.ts";
import { validatorOf } from "../support/schema.ts";
import { bash, type Machine, machineWith, start } from "./machine.ts";
import { blocksOf, recipe, textOf, userPages } from "./pages.ts";

/** These pages have recipes, with tests of their own. */
const recipePages = ["docs/ci.md", "docs/emulator.md", "docs/many-accounts.md"];
const documentedUrl = "https://api.example.com/v1";
const account = { ...planted, username: "me@example.com", token: "3f786850e387550fdab836ed7e6dc881de23001b" };
const secrets = [account.secret, account.token];

/** Everything in bash on a page, except the installation, which test/recipes/commands.test.ts runs. */
const sessionOf = (page: string): string =>
  blocksOf(page)
    .filter(({ language, heading }) => language === "bash" && heading !== "Install")
    .map(({ text }) => text)
    .join("");

/** A page's first block in YAML that uses this word. */
const rcWith = (page: string, word: string): string =>
  blocksOf(page).find(({ language, text }) => language === "yaml" && text.includes(word))?.text ?? "";

/** A machine with all the files that the pages name. */
const machineFor = (rc: string): Machine =>
  machineWith(
    {
      ".referralrc": rc,
      ".config/fish/completions/other.fish": "",
      "secret.txt": account.secret,
      "company-ca.pem": authorityCertificate,
    },
    {
      pass: `#!/bin/sh\n[ "$1" = show ] || exit 1\ncase $2 in referral/secret) echo '${account.secret}' ;; referral/*) echo ${account.token} ;; esac\n`,
    },
  );

interface Session {
  readonly run: Run;
  readonly machine: Machine;
  readonly requests: number;
}

/** What a user gets who types everything on a page from top to bottom, in one shell. */
async function typedFrom(
  page: string,
  rc = "{}\n",
  more: Readonly<Record<string, string>> = {},
): Promise<Session> {
  const api = await emulate({ accounts: [account] });
  const machine = machineFor(rc.replace(documentedUrl, api.url));
  const script = sessionOf(page).replace(documentedUrl, api.url);
  const run = await bash(machine, script, more, ["-e", "-o", "pipefail"]);
  const stdout = run.stdout.replaceAll(api.url, documentedUrl);
  return { run: { ...run, stdout }, machine, requests: api.log.length };
}

/** The same with the account in the environment. */
async function typedWithAccount(page: string, rc?: string): Promise<Session> {
  const api = await emulate({ accounts: [account] });
  return typedFrom(page, rc, {
    REFERRAL_BASE_URL: api.url,
    REFERRAL_TOKEN: account.token,
    REFERRAL_USERNAME: account.username,
    REFERRAL_SECRET: account.secret,
  });
}

test("the commands of the README work one after the other, with the rc file that it shows", async () => {
  const { run, machine, requests } = await typedFrom("README.md", rcWith("README.md", "profiles"));

  expect(run.exitCode, run.everything).toBe(0);
  // The token, WSSE twice, the one without credentials that --diagnose adds, one profile, both profiles, curl. The
  // emulator's own requests are not counted.
  expect(requests).toBe(8);
  expect(readFileSync(join(machine.folder, "report.xml"), "utf8")).toContain('tests="2" failures="0"');
  expect(leaks(run.everything, secrets)).toEqual([]);
  const shown = recipe("README.md", "Check a token", "text");
  expect(run.stdout.replace(/ in \d+ ms/g, " in 48 ms")).toContain(shown);
  const complete = await bash(machine, ". ~/.bashrc && complete -p referral-auth");
  expect(complete.stdout).toBe("complete -F _referral_auth referral-auth\n");
  const fish = join(machine.folder, ".config/fish/completions/referral-auth.fish");
  expect(readFileSync(fish, "utf8")).toContain("complete -c referral-auth");
});

const otherPages = userPages.filter(
  (page) => page !== "README.md" && !recipePages.includes(page) && sessionOf(page) !== "",
);

test.each(otherPages)("the commands of %s work one after the other", async (page) => {
  const { run } = await typedWithAccount(page, rcWith(page, "pass"));

  expect(run.exitCode, run.everything).toBe(0);
  expect(leaks(run.everything, secrets)).toEqual([]);
});

test.each(recipePages)(
  "%s has one recipe in bash below each heading, which a test of its own runs",
  (page) => {
    const headings = blocksOf(page)
      .filter(({ language }) => language === "bash")
      .map(({ heading }) => heading);
    const tests = ["shell", "many-accounts", "emulator"]
      .map((name) => textOf(`test/recipes/${name}.test.ts`))
      .join("");

    expect(headings).toEqual([...new Set(headings)]);
    for (const heading of headings) expect(tests).toContain(`recipe(page, "${heading}", "bash")`);
  },
);

test("every rc file on a page fits the schema, and the password managers that nobody ran are named", () => {
  const validate = validatorOf("referralrc");
  const shown = ["README.md", "docs/settings.md"]
    .flatMap(blocksOf)
    .filter(({ language }) => language === "yaml");

  expect(shown.length).toBeGreaterThan(4);
  for (const { text } of shown) expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
  for (const program of ["op", "vault"])
    expect(textOf("docs/settings.md")).toContain(`the tests have no \`${program}\``);
});

test("the JSON document that is shown fits the schema", () => {
  const validate = validatorOf("result");
  const document = JSON.parse(recipe("docs/promises.md", "JSON", "json"));
  expect([validate(document), validate.errors]).toEqual([true, null]);
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
  ["Diagnosis", { clockOffsetSeconds: -400 }, []],
  ["`--diagnose`", { digest: "base64-nonce" }, ["--diagnose"]],
] as const)(
  "the report below %s in docs/diagnosis.md is what the tool prints",
  async (heading, server, args) => {
    const api = await emulate({ accounts: [account], ...server });
    const command = [
      "test",
      "--wsse",
      "--username",
      account.username,
      "--secret-file",
      "secret.txt",
      ...args,
    ];
    const run = await start(machineFor("{}\n"), "referral-auth", command, {
      REFERRAL_BASE_URL: api.url,
      REFERRAL_DIGEST: "text-nonce",
    });

    expect(run.exitCode).toBe(4);
    const printed = run.stdout.replace(api.url, documentedUrl).replace(/ in \d+ ms/, " in 48 ms");
    expect(printed).toContain(recipe("docs/diagnosis.md", heading, "text"));
  },
);
