import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf } from "../../e2e/accounts.ts";
import { plain, rcOf } from "../../e2e/profiles.ts";
import { emulate } from "../../support/emulate.ts";
import { recipe } from "../../support/pages.ts";
import { planted } from "../../support/planted.ts";
import { bash, machineWith, resultsOf } from "./machine.ts";

test("all profiles are checked, and the second of seven machines checks its part", async () => {
  const api = await emulate();
  const machine = machineWith({ ".referralrc": rcOf(api.url, plain(8)) });
  const run = await bash(machine, recipe("docs/many-accounts.md", "Many accounts", "bash"), {}, ["-e"]);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(api.log).toHaveLength(9);
  expect(readFileSync(join(machine.folder, "report.xml"), "utf8")).toContain('tests="8"');
});

const names = ["plain", 'quo"te', "back\\slash", "tab\tand\nline", "é😀"];
/** Results of `--ndjson` with these outcomes, in an order of their own. */
const resultsWith = (outcomes: Readonly<Record<string, string>>): string =>
  Object.entries(outcomes)
    .map(([profile, outcome]) => `${JSON.stringify({ profile, method: "token", outcome })}\n`)
    .join("");

test("comm tells which accounts fail since yesterday, and jq checks those again that failed or have no result", async () => {
  const api = await emulate();
  const [plainName, quote, slash, tab, foreign] = names as [string, string, string, string, string];
  const accountLines = names.map((profile) => `${JSON.stringify({ profile, token: planted.token })}\n`);
  const machine = machineWith({
    "accounts.jsonl": accountLines.join(""),
    "yesterday.jsonl": resultsWith({ [quote]: "rejected", [slash]: "accepted" }),
    "results.jsonl": resultsWith({
      [foreign]: "timeout",
      [slash]: "accepted",
      [tab]: "rejected",
      [quote]: "rejected",
    }),
  });

  const failing = await bash(machine, recipe("docs/many-accounts.md", "New failures", "bash"));
  expect(linesOf(failing.stdout)).toEqual([
    [tab, "token", "rejected"],
    [foreign, "token", "timeout"],
  ]);

  const again = recipe("docs/many-accounts.md", "The same accounts again", "bash");
  const run = await bash(machine, again, { REFERRAL_BASE_URL: api.url });
  expect(run, run.stderr).toMatchObject({ exitCode: 0, everything: "" });
  const checked = linesOf(readFileSync(join(machine.folder, "again.jsonl"), "utf8"));
  expect(checked.map(({ profile }) => profile).toSorted()).toEqual(
    [plainName, quote, tab, foreign].toSorted(),
  );
});

test("sorted, the metrics of two equal nights are equal, and a difference is one account's", async () => {
  const api = await emulate();
  const line = (profile: string, token: string) => `${JSON.stringify({ profile, token })}\n`;
  const accountsWith = (changed: string): string =>
    Array.from({ length: 40 }, (_, index) => line(`a${index}`, index === 7 ? changed : planted.token)).join(
      "",
    );
  const machine = machineWith();
  const night = async (changed: string, file: string) => {
    writeFileSync(join(machine.folder, "accounts.jsonl"), accountsWith(changed), { mode: 0o600 });
    const given = { REFERRAL_BASE_URL: api.url };
    await bash(
      machine,
      "referral-auth test --accounts accounts.jsonl --quiet --metrics referral-auth.prom",
      given,
    );
    const text = readFileSync(join(machine.folder, "referral-auth.prom"), "utf8");
    writeFileSync(join(machine.folder, file), text);
  };
  const compare = () => bash(machine, recipe("docs/many-accounts.md", "Two nights", "bash"));
  await night(planted.token, "yesterday.prom");
  await night(planted.token, "referral-auth.prom");
  expect(await compare()).toMatchObject({ exitCode: 0, everything: "" });

  await night("wrong", "referral-auth.prom");
  const { exitCode, stdout } = await compare();
  expect(exitCode).toBe(1);
  expect(stdout.match(/^[<>].*/gm)).toEqual([
    expect.stringMatching(/^<.*profile="a7".*outcome="accepted"/),
    expect.stringMatching(/^>.*profile="a7".*outcome="rejected"/),
  ]);
});

test.each([",", ";"])("accounts come from a sheet of Excel, saved as CSV with %s", async (comma) => {
  const api = await emulate();
  const cells = (row: readonly string[]): string =>
    row.map((cell) => (/[",;\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(comma);
  const sheet = ["plain", 'quo"te', "com,ma; semicolon", "Süd", "na", "null"];
  const rows = sheet.map((name, index) => [
    name,
    index === 0 ? "0".repeat(40) : planted.token,
    index === 1 ? api.url : "",
  ]);
  const csv = [["profile", "token", "baseUrl"], ...rows].map((row) => `${cells(row)}\r\n`).join("");
  const machine = machineWith({ "accounts.csv": `\ufeff${csv}` });

  const script = recipe("docs/many-accounts.md", "Excel", "bash");
  const lines = await resultsOf(machine, { REFERRAL_BASE_URL: api.url }, script, 4);

  const outcomes = sheet.map((name, index) => [name, index === 0 ? "rejected" : "accepted"]);
  expect(lines.map(({ profile, outcome }) => [profile, outcome]).toSorted()).toEqual(outcomes.toSorted());
});

test("GNU parallel checks each line of a stream once, in several runs", async () => {
  const api = await emulate();
  const line = (index: number): string =>
    JSON.stringify({ profile: `account-${index}-${"x".repeat(200)}`, token: planted.token });
  const accounts = Array.from({ length: 800 }, (_, index) => `${line(index)}\n`);
  const machine = machineWith({ "accounts.jsonl": accounts.join("") });

  const script = recipe("docs/many-accounts.md", "Several machines", "bash");
  const lines = await resultsOf(machine, { REFERRAL_BASE_URL: api.url }, script, 0, expect.any(String));

  expect(new Set(lines.map(({ profile }) => profile)).size).toBe(800);
  expect(lines).toHaveLength(800);
  expect(lines.filter(({ line }) => line === 1).length).toBeGreaterThan(1);
});
