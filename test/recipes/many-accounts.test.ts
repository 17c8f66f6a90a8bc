import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { stringify } from "yaml";
import { linesOf } from "../e2e/accounts.ts";
import { plain, rcOf } from "../e2e/profiles.ts";
import { freePort } from "../interop/program.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { bash, type Machine, machineWith } from "./machine.ts";
import { recipe, recipes } from "./pages.ts";

/** Runs a recipe that checks a stream of accounts. Gives the results that it leaves in the file. */
async function resultsOf(
  machine: Machine,
  baseUrl: string,
  script: string,
  exitCode: number,
  stderr: unknown = "",
) {
  const given = { REFERRAL_BASE_URL: baseUrl };
  const run = await bash(machine, script, given, ["-o", "pipefail"]);
  expect(run, run.stderr).toMatchObject({ exitCode, stdout: "", stderr });
  const text = readFileSync(join(machine.folder, "results.jsonl"), "utf8");
  expect(leaks(run.stderr + text)).toEqual([]);
  return linesOf(text);
}

test("all profiles are checked, and the second of seven machines checks its part", async () => {
  const api = await emulate();
  const machine = machineWith({ ".referralrc": rcOf(api.url, plain(8)) });
  const run = await bash(machine, recipe("docs/many-accounts.md", "Many accounts", "bash"), {}, ["-e"]);
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

  const script = recipe("docs/many-accounts.md", "SQLite", "bash");
  const lines = await resultsOf(machine, api.url, script, 4);

  expect(lines.map(({ profile }) => profile).toSorted()).toEqual(names.toSorted());
  const listed = await bash(machine, recipe("docs/many-accounts.md", "jq", "bash"));
  expect(listed).toMatchObject({ exitCode: 0, stdout: 'rejected\t2\tquo"te\n' });
});

test("accounts come from PostgreSQL's text format", async () => {
  const api = await emulate();
  // COPY doubles each backslash (PostgreSQL, "COPY", Text Format).
  const copied = names.map(
    (profile) => `${JSON.stringify({ profile, token: planted.token }).replaceAll("\\", "\\\\")}\n`,
  );
  const psql =
    '#!/bin/sh\ncase "$*" in *"copy (select json_build_object("*") to stdout"*) cat "$HOME/copied" ;; esac\n';
  const machine = machineWith({ copied: copied.join("") }, { psql });

  const script = recipe("docs/many-accounts.md", "PostgreSQL", "bash");
  const lines = await resultsOf(machine, api.url, script, 0);

  expect(lines.map(({ profile }) => profile).toSorted()).toEqual(names.toSorted());
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
  const lines = await resultsOf(machine, api.url, script, 4);

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
  const lines = await resultsOf(machine, api.url, script, 0, expect.any(String));

  expect(new Set(lines.map(({ profile }) => profile)).size).toBe(800);
  expect(lines).toHaveLength(800);
  expect(lines.filter(({ line }) => line === 1).length).toBeGreaterThan(1);
});

test("promtool finds nothing wrong with the metrics, and node_exporter serves every sample of the file", async () => {
  const api = await emulate();
  const folder = folderWith();
  const wrong = { token: "not-the-token" };
  const profiles = { good: {}, 'we"ird\\': wrong, "two\nlines": wrong, broken: { baseUrl: "ftp://x" } };
  const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
  const file = join(folder, "referral-auth.prom");
  await runInProcess(["test", "--all", "--quiet", "--metrics", file], { homeFolder });
  const text = readFileSync(file, "utf8");

  // Throws where promtool has anything to say.
  expect(execFileSync("promtool", ["check", "metrics"], { input: text }).toString()).toBe("");

  const address = `127.0.0.1:${await freePort()}`;
  const collector = ["--collector.disable-defaults", "--collector.textfile"];
  const options = [`--collector.textfile.directory=${folder}`, `--web.listen-address=${address}`];
  const exporter = spawn("prometheus-node-exporter", [...collector, ...options], { stdio: "ignore" });
  onTestFinished(() => void exporter.kill());
  const scrape = async () => (await fetch(`http://${address}/metrics`)).text();
  const scraped = await vi.waitFor(scrape, { timeout: 10_000, interval: 100 });

  expect(scraped).toContain("node_textfile_scrape_error 0\n");
  const namesOf = (metrics: string): readonly string[] =>
    metrics.split("\n").flatMap((line) => /^referral_auth_\w+/.exec(line) ?? []);
  expect(namesOf(scraped).toSorted()).toEqual(namesOf(text).toSorted());
  expect(scraped).toContain('referral_auth_accepted{method="token",profile="good"} 1\n');
});

const outcome = (name: string) => ({
  series: `referral_auth_outcome{profile="acme",method="token",outcome="${name}"}`,
  values: "1x3000",
});
const refusedAlert = {
  exp_labels: { profile: "acme", method: "token", outcome: "rejected" },
  exp_annotations: { summary: "The API refused the credential of acme." },
};
const lateAlert = { exp_annotations: { summary: "The credentials were not checked for a day and a half." } };

test("the alerts are raised by a refused credential and by runs that stopped, and by nothing else", () => {
  const run = { series: "referral_auth_run_timestamp_seconds", values: "0x3000" };
  const refused = { alertname: "ReferralCredentialRefused", eval_time: "1h" };
  const checked = { alertname: "ReferralCredentialsNotChecked" };
  const alerts = [
    { ...refused, exp_alerts: [refusedAlert] },
    { ...checked, eval_time: "35h", exp_alerts: [] },
    { ...checked, eval_time: "37h", exp_alerts: [lateAlert] },
  ];
  const tests = [
    { interval: "1m", input_series: [outcome("rejected"), run], alert_rule_test: alerts },
    {
      interval: "1m",
      input_series: [outcome("accepted")],
      alert_rule_test: [{ ...refused, exp_alerts: [] }],
    },
  ];
  const folder = folderWith({
    "rules.yaml": recipe("docs/many-accounts.md", "Metrics", "yaml"),
    "tests.yaml": stringify({ rule_files: ["rules.yaml"], evaluation_interval: "1m", tests }),
  });
  const said = execFileSync("promtool", ["test", "rules", "tests.yaml"], { cwd: folder }).toString();
  expect(said).toContain("SUCCESS");
});

test("systemd takes the service and its timer, whose command writes the metrics", async () => {
  const [service = "", timer = ""] = recipes("docs/many-accounts.md", "Metrics", "ini");
  const folder = folderWith({ "referral-auth.service": service, "referral-auth.timer": timer });
  const units = ["referral-auth.service", "referral-auth.timer"].map((name) => join(folder, name));
  execFileSync("systemd-analyze", ["verify", "--man=no", ...units], { stdio: "pipe" });

  const api = await emulate();
  const machine = machineWith({ "rc.yaml": rcOf(api.url, { good: {} }) });
  const script = /^ExecStart=(.*)$/m
    .exec(service)?.[1]
    ?.replace("/etc/referral/referralrc.yaml", "rc.yaml")
    .replace("/var/lib/prometheus/node-exporter/", "");
  expect(await bash(machine, `${script}\n`)).toMatchObject({ exitCode: 0, everything: "" });
  expect(readFileSync(join(machine.folder, "referral-auth.prom"), "utf8")).toContain('profile="good"');
});
