// The metrics for Prometheus, in its text format. Their names and labels are a promise.

import { basename } from "node:path";
import { exitCodeOf } from "../exit-codes.ts";
import { escapeName } from "../redaction/escape.ts";
import type { AccountResult, FileReport, RunEnd } from "./report.ts";

const countedOutcomes = Object.keys(exitCodeOf) as ReadonlyArray<keyof typeof exitCodeOf>;

/** A label's value in the text format. Different texts stay different: node_exporter refuses a file that has a sample twice. */
const quoted = (text: string): string =>
  `"${escapeName(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** The labels of a check. The name identifies the account, and its place only where the name does not. */
function labelsOf({ profile, line, position, isRepeated, method }: AccountResult): string {
  const labels = `profile=${quoted(profile ?? "")},method=${quoted(method ?? "")}`;
  if (line !== null) return isRepeated || profile === null ? `${labels},line="${line}"` : labels;
  return isRepeated ? `${labels},number="${position}"` : labels;
}

/** The metrics of each check: its help, what reads the value (null if there is none), and what gives labels of its own. */
const checkMetrics: Readonly<
  Record<
    string,
    readonly [help: string, (check: AccountResult) => number | null, ((check: AccountResult) => string)?]
  >
> = {
  accepted: [
    "Whether the API accepted the credential: 1 or 0.",
    ({ outcome }) => +(outcome.kind === "accepted"),
  ],
  duration_seconds: [
    "How long the last request of the check took.",
    ({ attempts, durationMs }) => (attempts === 0 ? null : durationMs / 1000),
  ],
  clock_skew_seconds: [
    "How far this machine's clock is ahead of the server's.",
    ({ clock }) => clock?.skewSeconds ?? null,
  ],
  certificate_expiry_timestamp_seconds: [
    "When the server's certificate expires, in Unix time.",
    ({ connection }) =>
      connection?.certificateExpiresAt == null ? null : Date.parse(connection.certificateExpiresAt) / 1000,
  ],
  outcome: [
    "Always 1: the labels have the outcome and its first finding.",
    () => 1,
    ({ outcome, findings: [first] }) => `,outcome="${outcome.kind}",finding="${first?.id ?? ""}"`,
  ],
};

const head = (name: string, help: string): string =>
  `# HELP referral_auth_${name} ${help}\n# TYPE referral_auth_${name} gauge\n`;

const sample = (name: string, labels: string, value: number): string =>
  `referral_auth_${name}{${labels}} ${value}\n`;

/** The metrics of the run itself. `report` is the label of all metrics. */
function runMetrics(end: RunEnd, report: string): string {
  const { exitCode, interrupted, left, allRead, counts, endedAt } = end;
  const singles: ReadonlyArray<readonly [name: string, help: string, value: number]> = [
    ["run_timestamp_seconds", "When the run ended, in Unix time.", endedAt / 1000],
    ["run_exit_code", "The exit code of the run.", exitCode],
    ["run_interrupted", "Whether a signal ended the run: 1 or 0.", +interrupted],
    ["run_not_checked", "How many accounts an interruption left.", left.length],
    ["run_not_read", "Whether accounts were left unread: 1 or 0.", +!allRead],
  ];
  return [
    ...singles.map(([name, help, value]) => head(name, help) + sample(name, report, value)),
    head("checks", "How many checks of the run had each outcome."),
    ...countedOutcomes.map((kind) => sample("checks", `${report},outcome="${kind}"`, counts.get(kind) ?? 0)),
  ].join("");
}

/** Metrics in the text format, metric by metric. node_exporter drops a series that two files of a folder have, so each names its file. */
export const metricsReport: FileReport = function* (results, end, path) {
  const report = `report=${quoted(basename(path, ".prom"))}`;
  for (const [name, [help, read, ownLabels]] of Object.entries(checkMetrics)) {
    yield head(name, help);
    for (const result of results) {
      const value = read(result);
      if (value !== null)
        yield sample(name, `${report},${labelsOf(result)}${ownLabels?.(result) ?? ""}`, value);
    }
  }
  yield runMetrics(end, report);
};
