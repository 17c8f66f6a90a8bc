import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { linesOf } from "../e2e/accounts.ts";
import { rcOf } from "../e2e/profiles.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { bash, machineWith, start } from "./machine.ts";
import { textOf } from "./pages.ts";

const page = textOf("docs/many-accounts.md");

/** The blocks of this language below a heading of the page. Throws if there is none. */
function blocks(heading: string, language: string): readonly string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const found = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  if (found.length === 0) throw new Error(`no ${language} below ${heading}`);
  return found.map(([, , text = ""]) => text);
}

const recipe = (heading: string, language = "bash"): string => blocks(heading, language)[0] ?? "";

test("each block of the page is one that is tried", () => {
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    "SQLite",
    "PostgreSQL",
    "jq",
    "Several machines",
    "An Indexed Job of Kubernetes",
    "Metrics",
  ]);
});

const names = ["plain", 'quo"te', "back\\slash", "tab\tand\nline", "é😀"];

test("accounts come from SQLite, and jq lists those that were not accepted", async () => {
  const api = await emulate();
  const machine = machineWith();
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const rows = names.map((name, index) => `(${quoted(name)}, ${quoted(index === 1 ? "no" : planted.token)})`);
  const sql = `create table accounts (name, token); insert into accounts values ${rows.join(", ")};`;
  execFileSync("sqlite3", [join(machine.folder, "accounts.db")], { input: sql });

  const run = await bash(machine, recipe("SQLite"), { REFERRAL_BASE_URL: api.url }, ["-o", "pipefail"]);

  expect(run, run.stderr).toMatchObject({ exitCode: 4, stdout: "", stderr: "" });
  const results = linesOf(readFileSync(join(machine.folder, "results.jsonl"), "utf8"));
  expect(results.map(({ profile }) => profile).toSorted()).toEqual(names.toSorted());
  expect(leaks(JSON.stringify(results))).toEqual([]);
  const listed = await bash(machine, recipe("jq"));
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
  const run = await bash(machine, recipe("PostgreSQL"), { REFERRAL_BASE_URL: api.url }, ["-o", "pipefail"]);
  expect(run, run.stderr).toMatchObject({ exitCode: 0, stderr: "" });
  const results = linesOf(readFileSync(join(machine.folder, "results.jsonl"), "utf8"));
  expect(results.map(({ profile }) => profile).toSorted()).toEqual(names.toSorted());
});

test("GNU parallel checks each line of a stream once, in several runs", async () => {
  const api = await emulate();
  const machine = machineWith();
  const line = (index: number): string =>
    JSON.stringify({ profile: `account-${index}-${"x".repeat(200)}`, token: planted.token });
  const lines = Array.from({ length: 800 }, (_, index) => line(index));
  writeFileSync(join(machine.folder, "accounts.jsonl"), `${lines.join("\n")}\n`);

  const run = await bash(machine, recipe("Several machines"), { REFERRAL_BASE_URL: api.url });

  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  const results = linesOf(readFileSync(join(machine.folder, "results.jsonl"), "utf8"));
  expect(new Set(results.map(({ profile }) => profile)).size).toBe(800);
  expect(results).toHaveLength(800);
  expect(results.filter(({ line }) => line === 1).length).toBeGreaterThan(1);
});

test("the pods of an Indexed Job check each account once", async () => {
  const api = await emulate();
  const { spec } = parse(recipe("An Indexed Job of Kubernetes", "yaml"), { version: "1.1" });
  const [container] = spec.template.spec.containers;
  const [mount] = container.volumeMounts;
  const [volume] = spec.template.spec.volumes;
  expect(mount.name).toBe(volume.name);
  const lines = Array.from({ length: 10 }, (_, index) => ({ profile: `p${index}`, token: planted.token }));
  const text = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
  const folder = folderWith({ "accounts.jsonl": text });
  chmodSync(join(folder, "accounts.jsonl"), volume.secret.defaultMode);
  const [command = "", ...args]: string[] = container.command;
  const profiles: (string | null)[] = [];
  for (let index = 0; index < spec.completions; index += 1) {
    const here = args.map((arg) => arg.replaceAll(mount.mountPath, folder));
    const environment = { REFERRAL_BASE_URL: api.url, JOB_COMPLETION_INDEX: String(index) };
    const run = await start(machineWith(), command, here, environment);
    expect(run, run.stderr).toMatchObject({ exitCode: 0, stderr: "" });
    profiles.push(...linesOf(run.stdout).map(({ profile }) => profile));
  }
  expect(profiles.toSorted()).toEqual(lines.map(({ profile }) => profile).toSorted());
});

/** A file of metrics of a run over four accounts, two of them refused, and the folder that it is in. */
async function metrics(): Promise<{ readonly folder: string; readonly text: string }> {
  const api = await emulate();
  const folder = folderWith();
  const wrong = { token: "not-the-token" };
  const profiles = { good: {}, 'we"ird\\': wrong, "two\nlines": wrong, broken: { baseUrl: "ftp://x" } };
  const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
  const file = join(folder, "referral-auth.prom");
  await runInProcess(["test", "--all", "--quiet", "--metrics", file], { homeFolder });
  return { folder, text: readFileSync(file, "utf8") };
}

test("promtool finds nothing wrong with the metrics", async () => {
  const { text } = await metrics();
  // Throws where promtool has anything to say.
  expect(execFileSync("promtool", ["check", "metrics"], { input: text }).toString()).toBe("");
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("node_exporter serves every sample of the file", async () => {
  const { folder, text } = await metrics();
  const port = await freePort();
  const exporter = spawn(
    "prometheus-node-exporter",
    [
      "--collector.disable-defaults",
      "--collector.textfile",
      `--collector.textfile.directory=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  onTestFinished(() => void exporter.kill());
  const scrape = () => fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text());
  let scraped = "";
  for (let attempt = 0; scraped === "" && attempt < 100; attempt += 1)
    scraped = await scrape().catch(() => delay(100).then(() => ""));

  expect(scraped).toContain("node_textfile_scrape_error 0\n");
  const samples = text.split("\n").filter((line) => line.startsWith("referral_auth_"));
  const nameOf = (sample: string): string => sample.slice(0, sample.search(/[{ ]/));
  const count = (lines: readonly string[], name: string): number =>
    lines.filter((line) => nameOf(line) === name).length;
  for (const name of new Set(samples.map(nameOf)))
    expect([name, count(scraped.split("\n"), name)]).toEqual([name, count(samples, name)]);
  expect(scraped).toContain('referral_auth_accepted{method="token",profile="good"} 1\n');
});

test("the alerts are raised by a refused credential and by runs that stopped, and by nothing else", async () => {
  const rules = recipe("Metrics", "yaml");
  const series = (outcome: string) => ({
    series: `referral_auth_outcome{profile="acme",method="token",outcome="${outcome}"}`,
    values: "1x3000",
  });
  const refused = {
    exp_labels: { profile: "acme", method: "token", outcome: "rejected" },
    exp_annotations: { summary: "The API refused the credential of acme." },
  };
  const late = { exp_annotations: { summary: "The credentials were not checked for a day and a half." } };
  const run = { series: "referral_auth_run_timestamp_seconds", values: "0x3000" };
  const alert = (alertname: string, time: string, alerts: readonly object[]) => ({
    eval_time: time,
    alertname,
    exp_alerts: alerts,
  });
  const [credential, checked] = ["ReferralCredentialRefused", "ReferralCredentialsNotChecked"] as const;
  const tests = {
    rule_files: ["rules.yaml"],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: [series("rejected"), run],
        alert_rule_test: [
          alert(credential, "1h", [refused]),
          alert(checked, "35h", []),
          alert(checked, "37h", [late]),
        ],
      },
      {
        interval: "1m",
        input_series: [series("accepted")],
        alert_rule_test: [alert(credential, "1h", [])],
      },
    ],
  };
  const folder = folderWith({ "rules.yaml": rules, "tests.yaml": stringify(tests) });
  expect(execFileSync("promtool", ["test", "rules", "tests.yaml"], { cwd: folder }).toString()).toContain(
    "SUCCESS",
  );
});

test("systemd takes the service and its timer, whose command writes the metrics", async () => {
  const [service = "", timer = ""] = blocks("Metrics", "ini");
  const folder = folderWith({ "referral-auth.service": service, "referral-auth.timer": timer });
  const units = ["referral-auth.service", "referral-auth.timer"].map((name) => join(folder, name));
  execFileSync("systemd-analyze", ["verify", "--man=no", ...units], { stdio: "pipe" });

  const api = await emulate();
  const machine = machineWith({ "rc.yaml": rcOf(api.url, { good: {} }) });
  const command = /^ExecStart=(.*)$/m.exec(service)?.[1] ?? "";
  const script = command
    .replace("/etc/referral/referralrc.yaml", "rc.yaml")
    .replace("/var/lib/prometheus/node-exporter/", "");
  expect(await bash(machine, `chmod 600 rc.yaml\n${script}\n`)).toMatchObject({
    exitCode: 0,
    everything: "",
  });
  expect(readFileSync(join(machine.folder, "referral-auth.prom"), "utf8")).toContain('profile="good"');
});
