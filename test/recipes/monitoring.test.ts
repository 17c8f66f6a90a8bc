import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { parse, stringify } from "yaml";
import { Interrupted } from "../../src/errors.ts";
import { install } from "../e2e/installed.ts";
import { plain, rcOf } from "../e2e/profiles.ts";
import { signed, success, trusting } from "../faults/authority.ts";
import { securing } from "../faults/peers.ts";
import { freePort } from "../interop/program.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { childNode, type GivenInProcess, runInProcess } from "../support/run.ts";
import { machineWith, start } from "./machine.ts";
import { recipe, recipes } from "./pages.ts";

/** Runs `test` on an rc file with this text. Gives the metrics that it writes. */
async function metricsOf(
  rc: string,
  more: readonly string[] = [],
  given: GivenInProcess = {},
): Promise<string> {
  const workingFolder = folderWith({ "rc.yaml": rc });
  const args = ["--all", "--config", "rc.yaml", "--quiet", "--metrics", "referral-auth.prom"];
  await runInProcess(["test", ...args, ...more], { ...given, workingFolder });
  return readFileSync(join(workingFolder, "referral-auth.prom"), "utf8");
}

test("promtool finds nothing wrong with the metrics, and node_exporter serves every sample of two jobs in one folder", async () => {
  const api = await emulate();
  const wrong = { token: "not-the-token" };
  const profiles = { good: {}, 'we"ird\\': wrong, "two\nlines": wrong, broken: { baseUrl: "ftp://x" } };
  const workingFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
  const texts: string[] = [];
  for (const shard of [1, 2]) {
    const file = `shard-${shard}.prom`;
    const args = ["test", "--all", "--quiet", "--metrics", file];
    await runInProcess(args, { workingFolder, homeFolder: workingFolder });
    texts.push(readFileSync(join(workingFolder, file), "utf8"));
  }
  for (const input of texts) {
    // Throws where promtool has anything to say.
    expect(execFileSync("promtool", ["check", "metrics"], { input }).toString()).toBe("");
  }

  const address = `127.0.0.1:${await freePort()}`;
  const collector = ["--collector.disable-defaults", "--collector.textfile"];
  const options = [`--collector.textfile.directory=${workingFolder}`, `--web.listen-address=${address}`];
  const exporter = spawn("prometheus-node-exporter", [...collector, ...options], { stdio: "ignore" });
  onTestFinished(() => void exporter.kill());
  const scrape = async () => (await fetch(`http://${address}/metrics`)).text();
  const scraped = await vi.waitFor(scrape, { timeout: 10_000, interval: 100 });

  expect(scraped).toContain("node_textfile_scrape_error 0\n");
  const namesOf = (metrics: string): readonly string[] =>
    metrics.split("\n").flatMap((line) => /^referral_auth_\w+/.exec(line) ?? []);
  expect(namesOf(scraped).toSorted()).toEqual(namesOf(texts.join("")).toSorted());
  expect(scraped).toContain('referral_auth_accepted{method="token",profile="good",report="shard-2"} 1\n');
});

const alerts = recipe("docs/many-accounts.md", "Alerts", "yaml");
const rules: ReadonlyArray<{ readonly alert: string }> = parse(alerts).groups[0].rules;

/** An alert of the page: its name, its labels and its summary. */
interface Alert {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
}

/**
 * Fails unless exactly this alert, or none, is raised this many hours after the first of three nights, each of which leaves these
 * metrics. The nights begin at the time 0.
 */
function expectAlert(metrics: string, nights: number, hours: number, alert: Alert | null): void {
  const samples = [...metrics.matchAll(/^(referral_auth_\w+)(\{.*\}) (.*)$/gm)];
  const ended = Number(samples.find(([, name]) => name === "referral_auth_run_timestamp_seconds")?.[3] ?? 0);
  const day = 24 * 6;
  const series = samples.map(([, name = "", labels, value]) => {
    const values =
      name === "referral_auth_run_timestamp_seconds"
        ? Array.from({ length: 3 }, (_, night) => `${Math.min(night, nights - 1) * 86_400}x${day - 1}`).join(
            " ",
          )
        : `${name.endsWith("_timestamp_seconds") ? Number(value) - ended : value}x${3 * day}`;
    return { series: name + labels, values };
  });
  const expected = rules.map(({ alert: name }) => ({
    alertname: name,
    eval_time: `${hours}h`,
    exp_alerts:
      name === alert?.name ? [{ exp_labels: alert.labels, exp_annotations: { summary: alert.summary } }] : [],
  }));
  const tests = [{ interval: "10m", input_series: series, alert_rule_test: expected }];
  const folder = folderWith({
    "rules.yaml": alerts,
    "tests.yaml": stringify(
      { rule_files: ["rules.yaml"], evaluation_interval: "10m", tests },
      { lineWidth: 0 },
    ),
  });
  const args = ["test", "rules", "tests.yaml"];
  const said = spawnSync("promtool", args, { cwd: folder, encoding: "utf8" });
  expect(said.stdout + said.stderr).toContain("SUCCESS");
}

const refused = { acme: { token: "not-the-token" } };
const { username, secret } = planted;
const report = "referral-auth";
const interrupted = AbortSignal.abort(new Interrupted("SIGTERM"));

/** The metrics of a run over two accounts of an emulator with these options. */
const metricsAt = async (
  options: Parameters<typeof emulate>[0],
  profiles: Parameters<typeof rcOf>[1] = plain(2),
  ...more: readonly string[]
): Promise<string> => metricsOf(rcOf((await emulate(options)).url, profiles), more);

/** The metrics of a run at a server whose certificate expires after this many days. */
async function metricsWithCertificate(days: number): Promise<string> {
  const validTo = new Date(Date.now() + days * 86_400_000);
  const peer = await securing(signed({ validTo }), success);
  return metricsOf(rcOf(peer.url, plain(2)), trusting());
}

/** Every way in which a night can fail: a run that shows it, the alert, its further labels, and what it says. */
const ways: ReadonlyArray<
  readonly [string, () => Promise<string>, string, Readonly<Record<string, string>>, string]
> = [
  [
    "a refused credential",
    () => metricsAt({}, { ...plain(2), ...refused }),
    "ReferralCredentialRefused",
    { profile: "acme", method: "token", outcome: "rejected", finding: "rejected" },
    "The API refused the token credential of acme.",
  ],
  [
    "a wrong clock that fails every account",
    async () => {
      const api = await emulate({ clockOffsetSeconds: -3600 });
      return metricsOf(JSON.stringify({ baseUrl: api.url, username, secret, profiles: plain(3) }));
    },
    "ReferralClockWrong",
    {},
    "referral-auth: this machine's clock is wrong.",
  ],
  [
    "an API that refuses connections",
    () => metricsOf(rcOf("http://127.0.0.1:1", plain(2))),
    "ReferralApiUnreachable",
    {},
    "referral-auth: the API gave 2 checks no verdict for a day and a half.",
  ],
  [
    "an API that hangs",
    () => metricsAt({ answer: "slow" }, plain(2), "--timeout", "0.2"),
    "ReferralApiUnreachable",
    {},
    "referral-auth: the API gave 2 checks no verdict for a day and a half.",
  ],
  [
    "a server that fails",
    () => metricsAt({ answer: 500 }),
    "ReferralApiUnreachable",
    {},
    "referral-auth: the API gave 2 checks no verdict for a day and a half.",
  ],
  [
    "a web page",
    () => metricsAt({ answer: "html" }),
    "ReferralApiUnexpected",
    {},
    "referral-auth: something other than the API answered 2 checks.",
  ],
  [
    "a limited rate",
    () => metricsAt({ answer: 429 }),
    "ReferralRateLimited",
    {},
    "referral-auth: the API asked for a pause, and 2 checks have no verdict.",
  ],
  [
    "checks that were not sent after a pause",
    async () => (await metricsAt({ answer: 429 })).replaceAll('finding="rate-limit"', 'finding="not-sent"'),
    "ReferralRateLimited",
    {},
    "referral-auth: the API asked for a pause, and 2 checks have no verdict.",
  ],
  [
    "a certificate that expires in six days",
    () => metricsWithCertificate(6),
    "ReferralCertificateExpires",
    {},
    "referral-auth: the API's certificate expires within a week, or is not valid.",
  ],
  [
    "a certificate that has expired",
    () => metricsWithCertificate(-1),
    "ReferralCertificateExpires",
    {},
    "referral-auth: the API's certificate expires within a week, or is not valid.",
  ],
  [
    "an rc file that is broken",
    () => metricsOf("profiles: ["),
    "ReferralSettingsBroken",
    {},
    "referral-auth: settings are missing or wrong, or there is no account.",
  ],
  [
    "an rc file without accounts",
    () => metricsOf("profiles: {}"),
    "ReferralSettingsBroken",
    {},
    "referral-auth: settings are missing or wrong, or there is no account.",
  ],
  [
    "a mistake in one of two accounts",
    () => metricsAt({}, { good: {}, broken: { baseUrl: "ftp://x" } }),
    "ReferralSettingsBroken",
    {},
    "referral-auth: settings are missing or wrong, or there is no account.",
  ],
  [
    "SIGTERM",
    async () => metricsOf(rcOf((await emulate()).url, plain(2)), [], { interrupted }),
    "ReferralRunInterrupted",
    {},
    "referral-auth: a signal ended the run.",
  ],
  [
    "a report that cannot be written",
    () => metricsAt({}, plain(2), "--junit", "rc.yaml/report.xml"),
    "ReferralRunFailed",
    {},
    "referral-auth: a bug, or a report that could not be written.",
  ],
];

test.each(ways)("%s raises exactly one alert, which names it", async (_, run, name, more, summary) => {
  expectAlert(await run(), 3, 37, { name, labels: { report, ...more }, summary });
});

const missing = {
  name: "ReferralRunMissing",
  labels: { report },
  summary: "referral-auth: no run has ended for a day and a half.",
};

test("nights that stopped and a file that never appeared raise one alert, and good nights none", async () => {
  const good = await metricsAt({});
  expectAlert(good, 1, 35, null);
  expectAlert(good, 1, 37, missing);
  expectAlert("", 1, 1, missing);
  expectAlert(good, 3, 60, null);
  expectAlert(await metricsWithCertificate(30), 3, 60, null);
  // A shard that holds no account has nothing to tell.
  expectAlert(await metricsAt({}, plain(2), "--shard", "3/3"), 3, 60, null);
});

test("an API that is unreachable for one night alone raises no alert, and every rule has its way", async () => {
  const metrics = await metricsOf(rcOf("http://127.0.0.1:1", plain(2)));
  expectAlert(metrics, 2, 35, null);
  const raised = new Set([...ways.map(([, , name]) => name), missing.name]);
  expect(raised).toEqual(new Set(rules.map(({ alert }) => alert)));
});

const [service = "", timer = ""] = recipes("docs/many-accounts.md", "A night with systemd", "ini");

test("systemd takes the service and its timer, and finds them hardened", () => {
  const folder = folderWith({ "referral-auth.service": service, "referral-auth.timer": timer });
  const [unit = "", ...rest] = ["referral-auth.service", "referral-auth.timer"].map((name) =>
    join(folder, name),
  );
  execFileSync("systemd-analyze", ["verify", "--man=no", unit, ...rest], { stdio: "pipe" });
  // Fails above this level, of 100: an unhardened service has 96.
  execFileSync("systemd-analyze", ["security", "--offline=true", "--threshold=30", unit], { stdio: "pipe" });
  expect(service).toContain("\nDynamicUser=yes\n");
  // Only a refusal is a verdict that the metrics show: without a verdict the unit fails.
  expect(service).toContain("\nSuccessExitStatus=4\n");
});

/** The system calls that these sets of systemd hold (`systemd-analyze syscall-filter`). */
function systemCallsOf(names: readonly string[]): ReadonlySet<string> {
  const dump = execFileSync("systemd-analyze", ["syscall-filter"], { encoding: "utf8", stdio: "pipe" });
  const sets = new Map(
    [...dump.matchAll(/^(@[\w-]+)\n((?: {4}.*\n)+)/gm)].map(([, name = "", lines = ""]) => [
      name,
      [...lines.matchAll(/^ {4}(@?[\w-]+)$/gm)].map(([, member = ""]) => member),
    ]),
  );
  const calls = new Set<string>();
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop())
    name.startsWith("@") ? pending.push(...(sets.get(name) ?? [])) : calls.add(name);
  return calls;
}

test("the service's filter allows every system call of a run", async () => {
  const api = await emulate();
  const machine = machineWith({
    "rc.yaml": rcOf(api.url, { ...plain(2), nowhere: { baseUrl: "https://x.invalid" } }),
  });
  const command = "referral-auth test --all --config rc.yaml --quiet --metrics night.prom";
  const args = ["-f", "-c", "-U", "name", "-o", "calls", ...command.split(" ")];
  const run = await start(machine, "strace", args);
  expect(run, run.stderr).toMatchObject({ exitCode: 7 });

  const [, names = ""] = /^SystemCallFilter=(.*)$/m.exec(service) ?? [];
  const allowed = systemCallsOf(names.split(" "));
  // Node.js 20 calls it; a call outside of the filter would fail.
  expect([...allowed]).toContain("pkey_alloc");
  const called = readFileSync(join(machine.folder, "calls"), "utf8").match(/^[a-z]\w*$/gm) ?? [];
  expect(called.length).toBeGreaterThan(20);
  expect(called.filter((call) => !allowed.has(call) && !["syscall", "total"].includes(call))).toEqual([]);
});

test("the service's command reads the rc file that systemd hands over, and node_exporter can read its metrics", async () => {
  const api = await emulate();
  const machine = machineWith();
  const place = (name: string): string => join(machine.folder, name);
  // Another user can neither read this checkout nor the folder of the machine's programs.
  const launcher = join(install().folder, "bin/launch.cjs");
  const shim = `#!/bin/sh\nexec "${childNode}" "${launcher}" "$@"\n`;
  writeFileSync(place("referral-auth"), shim, { mode: 0o755 });
  // A user of its own, and the group of node_exporter; systemd hands root's file over with access for the user.
  const [user, group] = [64_123, 64_124];
  chmodSync(machine.folder, 0o755);
  writeFileSync(place("referralrc.yaml"), rcOf(api.url, { good: {} }), { mode: 0o440 });
  chownSync(place("referralrc.yaml"), 0, group);
  mkdirSync(place("metrics"));
  chownSync(place("metrics"), 0, group);
  chmodSync(place("metrics"), 0o2775);
  const setting = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(service)?.[1] ?? "";
  expect(setting("SupplementaryGroups")).toBe("prometheus");
  const command = setting("ExecStart")
    .replace("%d", machine.folder)
    .replace(setting("ReadWritePaths"), place("metrics"));
  const script = `umask ${setting("UMask")}; exec ${command}`;
  const ids = [`--reuid=${user}`, `--regid=${user}`, `--groups=${group}`];
  const path = { PATH: `${machine.folder}:/usr/bin:/bin` };
  const run = await start(machine, "setpriv", [...ids, "sh", "-c", script], path);
  expect(run, run.stderr).toMatchObject({ exitCode: 0, everything: "" });

  const file = place("metrics/referral-auth.prom");
  expect(statSync(file)).toMatchObject({ uid: user, gid: group });
  const reader = ["--reuid=64125", "--regid=64125", "--clear-groups", "cat", file];
  expect((await start(machine, "setpriv", reader)).stdout).toContain('profile="good"');
});
