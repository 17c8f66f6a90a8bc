import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { rcOf } from "../e2e/profiles.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { bash, machineWith } from "./machine.ts";
import { recipe, recipes } from "./pages.ts";

const page = "docs/many-accounts.md";

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
  const rules = recipe(page, "Metrics", "yaml");
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
  const [service = "", timer = ""] = recipes(page, "Metrics", "ini");
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
