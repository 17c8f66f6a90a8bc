import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { Interrupted } from "../../../src/errors.ts";
import { exitCodeOf } from "../../../src/exit-codes.ts";
import { plain, rcOf } from "../../e2e/profiles.ts";
import { signed, success, trusting } from "../../faults/authority.ts";
import { securing } from "../../faults/peers.ts";
import { emulate } from "../../support/emulate.ts";
import { folderWith } from "../../support/folder.ts";
import { textOf } from "../../support/pages.ts";
import { planted } from "../../support/planted.ts";
import { type GivenInProcess, runInProcess } from "../../support/run.ts";

type Texts = Readonly<Record<string, string>>;

const alerts = textOf("examples/night/alerts.yml");
const rules: ReadonlyArray<{ readonly alert: string; readonly annotations: { readonly summary: string } }> =
  parse(alerts).groups[0].rules;

/** The alert of this name, with the label `report` and these. Its summary counts two checks. */
function alertOf(name: string, more: Texts) {
  const labels: Texts = { report: "referral-auth", ...more };
  const template = rules.find(({ alert }) => alert === name)?.annotations.summary ?? "";
  const summary = template
    .replace("{{ $value }}", "2")
    .replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label) => labels[label] ?? "");
  return { exp_labels: labels, exp_annotations: { summary } };
}

/**
 * Fails unless exactly the alert of this name, or none, is raised this many hours after the first of three nights. The nights begin
 * at the time 0; each leaves these metrics, and from the number `nights` on they end no more.
 */
function expectAlert(
  metrics: string,
  nights: number,
  hours: number,
  name: string | null,
  more: Texts = {},
): void {
  const samples = [...metrics.matchAll(/^(referral_auth_\w+)(\{.*\}) (.*)$/gm)];
  const timestamp = "referral_auth_run_timestamp_seconds";
  const ended = Number(samples.find(([, sample]) => sample === timestamp)?.[3] ?? 0);
  const day = 24 * 6;
  const run = [0, 1, 2].map((night) => `${Math.min(night, nights - 1) * 86_400}x${day - 1}`).join(" ");
  const series = samples.map(([, sample = "", labels, value]) => {
    const constant = sample.endsWith("_timestamp_seconds") ? Number(value) - ended : value;
    return { series: sample + labels, values: sample === timestamp ? run : `${constant}x${3 * day}` };
  });
  const expected = rules.map(({ alert }) => ({
    alertname: alert,
    eval_time: `${hours}h`,
    exp_alerts: alert === name ? [alertOf(name, more)] : [],
  }));
  const tests = [{ interval: "10m", input_series: series, alert_rule_test: expected }];
  const document = { rule_files: ["rules.yaml"], evaluation_interval: "10m", tests };
  const folder = folderWith({ "rules.yaml": alerts, "tests.yaml": stringify(document, { lineWidth: 0 }) });
  const said = spawnSync("promtool", ["test", "rules", "tests.yaml"], { cwd: folder, encoding: "utf8" });
  expect(said.stdout + said.stderr).toContain("SUCCESS");
}

/** Runs `test` on an rc file with this text. Gives the metrics that it writes. */
async function metricsOf(
  rc: string,
  more: readonly string[] = [],
  given: GivenInProcess = {},
): Promise<string> {
  const workingFolder = folderWith({ "rc.yaml": rc });
  const args = ["--all", "--config", "rc.yaml", "--quiet", "--metrics", "referral-auth.prom"];
  const { stderr } = await runInProcess(["test", ...args, ...more], { ...given, workingFolder });
  expect(stderr).toMatch(
    /^$|^Error: |^http\S+ (?:gets no further request|asks for a pause)\b|^interrupted: |^Warning: /,
  );
  return readFileSync(join(workingFolder, "referral-auth.prom"), "utf8");
}

const { username, secret } = planted;
const away = rcOf("http://127.0.0.1:1", plain(2));
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

/** The metrics of a run over two accounts of WSSE, on a machine whose clock is an hour ahead. */
async function metricsOfWrongClock(): Promise<string> {
  const { url } = await emulate({ clockOffsetSeconds: -3600 });
  return metricsOf(JSON.stringify({ baseUrl: url, username, secret, profiles: plain(2) }));
}

/** A refusal in these words. */
const saying = (message: string) => ({ answers: [{ status: 401, body: { code: 401, message } }] });

const ofAcme = { profile: "acme", method: "token", outcome: "rejected" };

/** Every way in which a night can fail: a run that shows it, the alert, and its further labels. */
const ways: ReadonlyArray<readonly [string, () => Promise<string>, string, Texts]> = [
  [
    "a refused credential",
    () => metricsAt({}, { ...plain(2), acme: { token: "0".repeat(40) } }),
    "ReferralCredentialRefused",
    { ...ofAcme, finding: "rejected" },
  ],
  [
    "a refusal whose words tell of a lock",
    () => metricsAt(saying("This account is locked."), { acme: {} }),
    "ReferralCredentialRefused",
    { ...ofAcme, finding: "account-locked" },
  ],
  ["a 423", () => metricsAt({ answer: 423 }), "ReferralApiUnexpected", { finding: "account-locked" }],
  ["a wrong clock that fails every account", metricsOfWrongClock, "ReferralClockWrong", {}],
  ["an API that refuses connections", () => metricsOf(away), "ReferralApiDown", {}],
  ["a limited rate", () => metricsAt({ answer: 429 }), "ReferralApiDown", {}],
  [
    "one account of three without a verdict for days",
    () => metricsAt({}, { ...plain(2), acme: { baseUrl: "http://127.0.0.1:1" } }),
    "ReferralNoVerdict",
    { profile: "acme", method: "token" },
  ],
  [
    "a certificate that expires in six days",
    () => metricsWithCertificate(6),
    "ReferralCertificateExpires",
    {},
  ],
  ["an rc file that is broken", () => metricsOf("profiles: ["), "ReferralSettingsBroken", {}],
  [
    "SIGTERM",
    async () => metricsOf(rcOf((await emulate()).url, plain(2)), [], { interrupted }),
    "ReferralRunInterrupted",
    {},
  ],
  [
    "a report that cannot be written",
    () => metricsAt({}, plain(2), "--junit", "rc.yaml/report.xml"),
    "ReferralRunFailed",
    {},
  ],
];

test.each(ways)("%s raises exactly one alert, which names it", async (_, run, name, more) => {
  expectAlert(await run(), 3, 37, name, more);
});

test("nights that stopped and a file that never appeared raise one alert, and good nights none", async () => {
  const good = await metricsAt({});
  expectAlert(good, 1, 35, null);
  expectAlert(good, 1, 37, "ReferralRunMissing");
  expectAlert("", 1, 1, "ReferralRunMissing");
  expectAlert(good, 3, 60, null);
  expectAlert(await metricsWithCertificate(30), 3, 60, null);
});

test("every outcome that is no acceptance has a rule; code 1 tells a bug", () => {
  const named = [...alerts.matchAll(/outcome=~?"([^"]*)"/g)].flatMap(([, kinds = ""]) => kinds.split("|"));
  const kinds = Object.keys(exitCodeOf).filter((kind) => !named.includes(kind));
  expect(kinds).toEqual(["accepted", "failed"]);
});

test("one night of 503 for all alerts at once, one account without a verdict not yet, and every rule has its way", async () => {
  expectAlert(await metricsAt({ answer: 503 }), 1, 1, "ReferralApiDown");
  const one = { ...plain(2), acme: { baseUrl: "http://127.0.0.1:1" } };
  expectAlert(await metricsAt({}, one), 2, 35, null);
  const raised = new Set([...ways.map(([, , name]) => name), "ReferralRunMissing"]);
  expect(raised).toEqual(new Set(rules.map(({ alert }) => alert)));
});
