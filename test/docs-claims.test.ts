import { expect, test } from "vitest";
import { outcomes } from "../src/check/outcome.ts";
import { marks } from "../src/check/read/gateway.ts";
import { exitCodeOf } from "../src/exit-codes.ts";
import type { PlannedAnswer } from "../src/library/emulator.ts";
import { definitionOf, settingNames } from "../src/settings/table.ts";
import { signed, success, trusting } from "./faults/authority.ts";
import { securing } from "./faults/peers.ts";
import { emulate, webPage } from "./support/emulate.ts";
import { folderWith } from "./support/folder.ts";
import { findingIds, pages, recipe, recipes, tableBelow, textOf } from "./support/pages.ts";
import { planted } from "./support/planted.ts";
import { runInProcess } from "./support/run.ts";

test("docs/promises.md says to repeat what another attempt can change, and nothing that can be a refusal", () => {
  const codes = Object.values(outcomes).flatMap(({ code, mayChange }) => (mayChange ? `${code}` : []));
  const { rejected, unexpected } = exitCodeOf;
  const rule = `**Never repeat ${rejected} or ${unexpected}**: refusals may count as failed logins. Repeat `;
  expect(textOf("docs/promises.md")).toContain(
    `${rule}${new Intl.ListFormat("en-GB").format(codes.toSorted())} later`,
  );
});

test("docs/diagnosis.md names every gateway whose marks are known", () => {
  const named = Object.values(marks).map(({ name }) => name);
  expect(new Set(named).size).toBeGreaterThan(10);
  const page = textOf("docs/diagnosis.md").replace(/\s+/g, " ");
  expect(named.filter((name) => !page.includes(name))).toEqual([]);
});

test("the picture of the README leads to every code of a check that was made", () => {
  const picture = recipe("README.md", "Exit codes", "text");
  const { failed, "not-checked": notChecked, ...made } = exitCodeOf;
  expect(Object.values(made)).not.toContain(failed);
  expect(Object.values(made)).not.toContain(notChecked);
  const shown = [...picture.matchAll(/(?:-> |, )(\d) /g)].map(([, code]) => Number(code));
  expect(new Set(shown)).toEqual(new Set(Object.values(made)));
});

/** Flags of other programs that the pages name. */
const foreignFlags = ["collector", "coverage", "fail", "global", "mode", "prefix"];

const variables = settingNames.flatMap((name) => definitionOf(name).variables);
const otherNames = ["PROFILE", "CONFIG", "AUTH_PACKAGE", "AUTH_EXECUTABLE"].map((name) => `REFERRAL_${name}`);

test.each(pages)("every flag, variable and command that %s names exists", async (page) => {
  const help = async (...words: readonly string[]) => (await runInProcess(["help", ...words])).stdout;
  const commands = [...(await help()).matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name = ""]) => name);
  const texts = await Promise.all(commands.map((name) => help(...(name === "help" ? [] : [name]))));
  const flags = texts.join().match(/(?<=--)[a-z][\w-]*/g) ?? [];
  /** What this pattern finds on the page and is none of these. */
  const unknown = (pattern: RegExp, known: readonly string[]) =>
    (textOf(page).match(pattern) ?? []).filter((name) => !known.includes(name));

  expect(unknown(/(?<=`--)[a-z][\w-]*/g, [...flags, ...foreignFlags])).toEqual([]);
  expect(unknown(/\bREFERRAL_[A-Z_]+\b/g, [...variables, ...otherNames])).toEqual([]);
  expect(unknown(/(?<=(?<![\w/:-])referral-auth )[a-z]+/g, commands)).toEqual([]);
});

test("every finding and outcome that an alert names exists", () => {
  const rules = textOf("examples/night/alerts.yml");
  const patterns = [...rules.matchAll(/(finding|outcome)[!=]~?"([^"]+)"/g)];
  expect(patterns.length).toBeGreaterThan(5);
  for (const [, label, pattern = ""] of patterns)
    for (const one of pattern.split("|")) {
      const known = label === "finding" ? findingIds() : Object.keys(exitCodeOf);
      expect(
        known.some((name) => new RegExp(`^(?:${one})$`).test(name)),
        one,
      ).toBe(true);
    }
});

const account = { ...planted, username: "me@example.com", token: "3f786850e387550fdab836ed7e6dc881de23001b" };
const shownUrl = "https://api.example.com/v1";
const now = Date.parse("2026-11-22T17:30:12Z");
const behind = {
  status: 401,
  headers: { Date: new Date(now - 400_000).toUTCString() },
  body: { code: 401, message: "The credentials were not accepted." },
};
const wsseTest = `referral-auth test --wsse --username ${account.username} --secret-file secret.txt`;
const oneConvention = { digest: "base64-nonce" } as const;

test.each([
  [
    recipes("README.md", "referral-auth", "text")[1] ?? "",
    "referral-auth test",
    { REFERRAL_TOKEN: account.token.replace(/.$/, "c") },
    {},
  ],
  [recipe("README.md", "Check a token", "text"), "referral-auth test", { REFERRAL_TOKEN: account.token }, {}],
  [
    recipe("README.md", "Check a username and secret (WSSE)", "text"),
    `${wsseTest} --diagnose`,
    {},
    oneConvention,
  ],
  [recipe("docs/diagnosis.md", "Diagnosis", "text"), wsseTest, {}, { answers: [behind] }],
  [
    recipe("docs/diagnosis.md", "After a proof", "text"),
    `${wsseTest} --diagnose`,
    { REFERRAL_DIGEST: "text-nonce" },
    oneConvention,
  ],
] as const)("the pages show what the tool prints: %s", async (shown, command, set, server) => {
  const api = await emulate({ accounts: [account], ...server });
  const run = await runInProcess(command.split(" ").slice(1), {
    environment: { REFERRAL_BASE_URL: api.url, ...set },
    workingFolder: folderWith({ "secret.txt": account.secret }),
    ...("answers" in server && { now }),
  });

  const printed = run.stdout
    .replace(api.url, shownUrl)
    .replace(/\b\d+ ms\b/g, "48 ms")
    .replace(/\b20\d\d-\d\d-\d\dT\S+Z/g, "2026-11-22T17:30:12.345Z");
  expect(`$ ${command}\n${printed}`).toContain(shown);
});

test("the README shows the verdicts of `npm start`", async () => {
  const { scripts } = JSON.parse(textOf("package.json"));
  expect(scripts.start).toContain("launch.cjs emulator -- node bin/launch.cjs test");
  const api = await emulate();
  const { token: REFERRAL_TOKEN, username: REFERRAL_USERNAME, secret: REFERRAL_SECRET } = planted;
  const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN, REFERRAL_USERNAME, REFERRAL_SECRET };
  const { stdout } = await runInProcess(["test"], { environment });
  const verdicts = stdout.match(/^\S.*\n/gm)?.join("");
  expect(verdicts).toBe(recipe("README.md", "referral-auth", "text"));
});

/** What a server answers, by the row of "Why not curl?". In the others, its certificate has expired or nothing listens. */
const situations: Readonly<Record<string, PlannedAnswer>> = {
  "a wrong token": { status: 401 },
  "this clock is wrong (WSSE)": {},
  "the account is locked": { status: 423, body: { code: 423, message: "Account is locked" } },
  "a login page answers": webPage,
  "the server redirects to it": { status: 302, body: "", headers: { Location: "/login" } },
  "too many requests": { status: 429, headers: { "Retry-After": "30" } },
};

test.each(tableBelow("Why not curl?", "README.md"))(
  "where the README compares curl, the tool says what it quotes: %s",
  async (what = "", _curl, _code, says = "", code) => {
    const answer = situations[what];
    const expired = () => securing(signed({ validTo: new Date(Date.now() - 86_400_000) }), success);
    const clockOffsetSeconds = what.includes("clock") ? -400 : 0;
    const { url } = await (what.includes("certificate")
      ? expired()
      : emulate({ clockOffsetSeconds, answers: answer ? [answer] : [] }));
    const baseUrl = what.includes("nothing") ? "http://127.0.0.1:9" : url;
    const { token, username, secret } = planted;
    const credential = what.includes("WSSE")
      ? { REFERRAL_USERNAME: username, REFERRAL_SECRET: secret }
      : { REFERRAL_TOKEN: token };
    const environment = { REFERRAL_BASE_URL: baseUrl, ...credential };
    const { exitCode, stdout } = await runInProcess(["test", ...trusting()], { environment });
    expect(exitCode, stdout).toBe(Number(code));
    for (const text of says.match(/(?<=`)[^`]{3,}(?=`)/g) ?? []) expect(stdout).toContain(text);
  },
);
