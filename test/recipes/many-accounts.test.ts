import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf } from "../e2e/accounts.ts";
import { plain, rcOf } from "../e2e/profiles.ts";
import { emulate } from "../support/emulate.ts";
import { leaks, planted } from "../support/planted.ts";
import { bash, machineWith } from "./machine.ts";
import { headingsOf, recipe } from "./pages.ts";

const page = "docs/many-accounts.md";

test("each block of the page is one that is tried", () => {
  expect(headingsOf(page)).toEqual([
    "Accounts as a stream",
    "SQLite",
    "PostgreSQL",
    "Excel",
    "jq",
    "Several machines",
    "Metrics",
  ]);
});

test("all profiles are checked, and the second of seven machines checks its part", async () => {
  const api = await emulate();
  const machine = machineWith({ ".referralrc": rcOf(api.url, plain(8)) });
  const run = await bash(machine, recipe(page, "Many accounts", "bash"), {}, ["-e"]);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(api.log).toHaveLength(9);
  expect(readFileSync(join(machine.folder, "report.xml"), "utf8")).toContain('tests="8"');
});

const names = ["plain", 'quo"te', "back\\slash", "tab\tand\nline", "é😀"];

test("accounts come from SQLite, and jq lists those that were not accepted", async () => {
  const api = await emulate();
  const machine = machineWith();
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const rows = names.map((name, index) => `(${quoted(name)}, ${quoted(index === 1 ? "no" : planted.token)})`);
  const sql = `create table accounts (name, token); insert into accounts values ${rows.join(", ")};`;
  execFileSync("sqlite3", [join(machine.folder, "accounts.db")], { input: sql });

  const run = await bash(machine, recipe(page, "SQLite", "bash"), { REFERRAL_BASE_URL: api.url }, [
    "-o",
    "pipefail",
  ]);

  expect(run, run.stderr).toMatchObject({ exitCode: 4, stdout: "", stderr: "" });
  const results = linesOf(readFileSync(join(machine.folder, "results.jsonl"), "utf8"));
  expect(results.map(({ profile }) => profile).toSorted()).toEqual(names.toSorted());
  expect(leaks(JSON.stringify(results))).toEqual([]);
  const listed = await bash(machine, recipe(page, "jq", "bash"));
  expect(listed).toMatchObject({ exitCode: 0, stdout: 'rejected\t2\tquo"te\n' });
});

test("accounts come from PostgreSQL's text format", async () => {
  const api = await emulate();
  const copied = names.map((profile) =>
    // COPY doubles each backslash (PostgreSQL, "COPY", Text Format).
    JSON.stringify({ profile, token: planted.token }).replaceAll("\\", "\\\\"),
  );
  const machine = machineWith(
    { copied: `${copied.join("\n")}\n` },
    {
      psql: '#!/bin/sh\ncase "$*" in *"copy (select json_build_object("*") to stdout"*) cat "$HOME/copied" ;; esac\n',
    },
  );
  const run = await bash(machine, recipe(page, "PostgreSQL", "bash"), { REFERRAL_BASE_URL: api.url }, [
    "-o",
    "pipefail",
  ]);
  expect(run, run.stderr).toMatchObject({ exitCode: 0, stderr: "" });
  const results = linesOf(readFileSync(join(machine.folder, "results.jsonl"), "utf8"));
  expect(results.map(({ profile }) => profile).toSorted()).toEqual(names.toSorted());
});

test.each([",", ";"])(
  "accounts come from a sheet of Excel, saved as CSV with %s between the cells",
  async (comma) => {
    const api = await emulate();
    const cells = (row: readonly string[]): string =>
      row.map((cell) => (/[",;\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(comma);
    const [digits, sheet] = ["0".repeat(40), ["plain", 'quo"te', "com,ma; semicolon", "Süd", "na", "null"]];
    const rows = sheet.map((name, index) => [
      name,
      index === 0 ? digits : planted.token,
      index === 1 ? api.url : "",
    ]);
    const csv = [["profile", "token", "baseUrl"], ...rows].map((row) => `${cells(row)}\r\n`).join("");
    const machine = machineWith({ "accounts.csv": `\ufeff${csv}` });
    const run = await bash(machine, recipe(page, "Excel", "bash"), { REFERRAL_BASE_URL: api.url }, [
      "-o",
      "pipefail",
    ]);
    expect(run, run.stderr).toMatchObject({ exitCode: 4, stdout: "", stderr: "" });
    const results = linesOf(readFileSync(join(machine.folder, "results.jsonl"), "utf8"));
    expect(new Map(results.map(({ profile, outcome }) => [profile, outcome]))).toEqual(
      new Map(sheet.map((name, index) => [name, index === 0 ? "rejected" : "accepted"])),
    );
  },
);

test("GNU parallel checks each line of a stream once, in several runs", async () => {
  const api = await emulate();
  const machine = machineWith();
  const line = (index: number): string =>
    JSON.stringify({ profile: `account-${index}-${"x".repeat(200)}`, token: planted.token });
  const lines = Array.from({ length: 800 }, (_, index) => line(index));
  writeFileSync(join(machine.folder, "accounts.jsonl"), `${lines.join("\n")}\n`);

  const run = await bash(machine, recipe(page, "Several machines", "bash"), { REFERRAL_BASE_URL: api.url });

  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  const results = linesOf(readFileSync(join(machine.folder, "results.jsonl"), "utf8"));
  expect(new Set(results.map(({ profile }) => profile)).size).toBe(800);
  expect(results).toHaveLength(800);
  expect(results.filter(({ line }) => line === 1).length).toBeGreaterThan(1);
});
