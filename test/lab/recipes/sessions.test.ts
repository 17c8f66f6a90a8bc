import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { authorityCertificate } from "../../faults/authority.ts";
import { emulate } from "../../support/emulate.ts";
import { folderWith } from "../../support/folder.ts";
import { type Block, blocksOf, recipe, textOf, userPages } from "../../support/pages.ts";
import { leaks, planted } from "../../support/planted.ts";
import { validatorOf } from "../../support/schema.ts";
import { bash, type Machine, machineWith } from "./machine.ts";

/** These pages have recipes, with tests of their own. */
const recipePages = ["docs/ci.md", "docs/emulator.md", "docs/many-accounts.md"];
const documentedUrl = "https://api.example.com/v1";
const account = { ...planted, username: "me@example.com", token: "3f786850e387550fdab836ed7e6dc881de23001b" };
const secrets = [account.secret, account.token];

/** Everything in bash on a page. */
const sessionOf = (page: string): string =>
  blocksOf(page)
    .filter(({ language }) => language === "bash")
    .map(({ text }) => text)
    .join("");

/** A page's first block in YAML that uses this word. */
const rcWith = (page: string, word: string): string =>
  blocksOf(page).find(({ language, text }) => language === "yaml" && text.includes(word))?.text ?? "";

/** A machine with all the files that the pages name, and with this rc file if there is one. */
function machineFor(rc: string | null): Machine {
  const pass = `#!/bin/sh\n[ "$1" = show ] || exit 1\ncase $2 in referral/secret) echo '${account.secret}' ;; referral/*) echo ${account.token} ;; esac\n`;
  const files = { "secret.txt": account.secret, "company-ca.pem": authorityCertificate };
  return machineWith(
    { ...(rc !== null && { ".referralrc": rc }), ".config/fish/completions/other.fish": "", ...files },
    { pass },
  );
}

/** What a user gets who types everything on a page from top to bottom, in one shell. */
async function typedFrom(page: string, rc: string, hasAccount: boolean) {
  const api = await emulate({ accounts: [account] });
  const machine = machineFor(rc.replace(documentedUrl, api.url));
  // The address of an example answers nothing.
  const resolved = `localhost:${new URL(api.url).port}:127.0.0.1 --base-url ${api.url.replace("127.0.0.1", "localhost")}`;
  const script = sessionOf(page)
    .replace(documentedUrl, api.url)
    .replace("api.example.com:443:192.0.2.7", resolved);
  const { token: REFERRAL_TOKEN, username: REFERRAL_USERNAME, secret: REFERRAL_SECRET } = account;
  const given = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN, REFERRAL_USERNAME, REFERRAL_SECRET };
  const run = await bash(machine, script, hasAccount ? given : {}, ["-e", "-o", "pipefail"]);
  expect(run.exitCode, run.everything).toBe(0);
  expect(leaks(run.everything, secrets)).toEqual([]);
  return { machine, requests: api.log.length };
}

test("the commands of the README work one after the other, with the rc file that it shows", async () => {
  const { machine, requests } = await typedFrom("README.md", rcWith("README.md", "profiles"), false);

  // The token, WSSE twice, the one without credentials that --diagnose adds, one profile, both profiles.
  expect(requests).toBe(7);
  expect(readFileSync(join(machine.folder, "report.xml"), "utf8")).toContain('tests="2" failures="0"');
});

test("the commands of the README can be pasted into zsh, which takes no # for a comment", async () => {
  const api = await emulate({ accounts: [account] });
  const machine = machineFor(rcWith("README.md", "profiles").replace(documentedUrl, api.url));
  const folder = folderWith({ session: sessionOf("README.md").replace(documentedUrl, api.url) });
  const run = await bash(machine, `zsh -f -i < ${folder}/session`);
  expect([run.exitCode, api.log.length], run.everything).toEqual([0, 7]);
});

test("the commands that `help completion` shows switch it on", async () => {
  const machine = machineFor("{}\n");
  const { stdout: help } = await bash(machine, "referral-auth help completion");
  const [, bashLine = "", fishLines = ""] = /^ +bash +(.*)\n[\s\S]*^ +fish +(.*\n.*)$/m.exec(help) ?? [];
  expect(await bash(machine, `${bashLine}\n${fishLines}\n`, {}, ["-e"])).toMatchObject({ exitCode: 0 });
  const complete = await bash(machine, ". ~/.bashrc && complete -p referral-auth");
  expect(complete.stdout).toBe("complete -o default -F _referral_auth referral-auth\n");
  const fish = join(machine.folder, ".config/fish/completions/referral-auth.fish");
  expect(readFileSync(fish, "utf8")).toContain("complete -c referral-auth");
});

const otherPages = userPages.filter(
  (page) => page !== "README.md" && !recipePages.includes(page) && sessionOf(page) !== "",
);

test.each(otherPages)("the commands of %s work one after the other", async (page) => {
  await typedFrom(page, rcWith(page, "pass") || "{}\n", true);
});

const rcPages = ["README.md", "docs/settings.md"];
const programPage = "docs/library.md";

/** Whether `.ci/run` or a test takes all such blocks from the page. */
const isTaken = (page: string, { language, text }: Block): boolean =>
  (language === "" && /^ +npm /.test(text)) ||
  (language === "bash" && !recipePages.includes(page)) ||
  (language === "yaml" && rcPages.includes(page)) ||
  (language === "ts" && page === programPage);

test.each(userPages)("every other block of %s has a heading of its own and a test that names it", (page) => {
  const files = ["lab/recipes", "lab/projects", "."].flatMap((folder) =>
    readdirSync(new URL(`../../${folder}`, import.meta.url))
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => textOf(`test/${folder}/${name}`)),
  );
  const used = blocksOf(page)
    .filter((block) => !isTaken(page, block))
    .map(({ heading, language }) => `("${page}", "${heading}", "${language}")`);
  expect(used.filter((words) => !files.join("").includes(words))).toEqual([]);
  const inBash = used.filter((words) => words.includes('"bash"'));
  expect(inBash).toEqual([...new Set(inBash)]);
});

test("each command for support on Windows reads the credential, and writes a report that can be sent", async () => {
  const api = await emulate({ accounts: [planted] });
  const lines = recipe("docs/install.md", "Windows", "").trim().split("\n");
  for (const secret of [account.token, account.secret]) {
    const machine = machineWith({ credential: secret });
    const command = lines.shift()?.replace(documentedUrl, api.url);
    const run = await bash(machine, `${command} < credential`);
    const report = readFileSync(join(machine.folder, "report.txt"), "utf8");
    expect([run.exitCode, run.stdout], run.everything).toEqual([4, ""]);
    expect(report).toMatch(/^REJECTED/);
    expect(leaks(run.everything + report, secrets)).toEqual([]);
  }
  expect(lines).toEqual([]);
});

test("the lines of JSON that docs/many-accounts.md shows are lines of --accounts", async () => {
  const api = await emulate({ accounts: [account] });
  const lines = recipe("docs/many-accounts.md", "Lines of JSON", "json").replace("a-secret", account.secret);
  const machine = machineWith({ "accounts.jsonl": lines });
  const run = await bash(
    machine,
    "chmod 600 accounts.jsonl && referral-auth test --accounts accounts.jsonl",
    {
      REFERRAL_BASE_URL: api.url,
    },
  );
  expect(run.exitCode, run.everything).toBe(0);
  expect(api.log).toHaveLength(lines.trim().split("\n").length);
});

test("every document that a page shows fits its schema", () => {
  const shown = rcPages.flatMap(blocksOf).filter(({ language }) => language === "yaml");
  expect(shown.length).toBeGreaterThan(3);
  const result = JSON.parse(recipe("docs/promises.md", "JSON", "json"));
  const documents = [
    ...shown.map(({ text }) => ["referralrc", parse(text)] as const),
    ["result", result],
  ] as const;
  for (const [schema, document] of documents) {
    const validate = validatorOf(schema);
    expect([validate(document), validate.errors]).toEqual([true, null]);
  }
});
