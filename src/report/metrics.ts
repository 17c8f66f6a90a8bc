import { basename } from "node:path";
import { exitCodeOf } from "../exit-codes.ts";
import { escapeText } from "./escape.ts";
import type { AccountResult, Report, RunEnd } from "./report.ts";

const outcomes = Object.keys(exitCodeOf) as ReadonlyArray<keyof typeof exitCodeOf>;

/** A label's value as the text format writes it. Different texts give different values, since node_exporter refuses a file that has a sample twice. */
const quoted = (text: string): string =>
  `"${escapeText(text.replaceAll("\\", "\\\\"), Number.POSITIVE_INFINITY)
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')}"`;

/** The labels of a check. The name identifies the account, and its place only where the name does not. */
function labelsOf({ profile, line, position, isRepeated, method }: AccountResult): string {
  const labels = `profile=${quoted(profile ?? "")},method=${quoted(method ?? "")}`;
  if (line !== null) return isRepeated || profile === null ? `${labels},line="${line}"` : labels;
  return isRepeated ? `${labels},number="${position}"` : labels;
}

/** One metric of each check: its name, its help text, and its sample behind the name; null if there is none. */
interface CheckMetric {
  readonly name: string;
  readonly help: string;
  readonly sample: (check: AccountResult, labels: string) => string | null;
}

const checkMetrics: readonly CheckMetric[] = [
  {
    name: "referral_auth_accepted",
    help: "Whether the API accepted the credential (1) or not (0).",
    sample: ({ outcome }, labels) => `{${labels}} ${outcome.kind === "accepted" ? 1 : 0}`,
  },
  {
    name: "referral_auth_duration_seconds",
    help: "How long the last request of the check took.",
    sample: ({ attempts, durationMs }, labels) =>
      attempts === 0 ? null : `{${labels}} ${durationMs / 1000}`,
  },
  {
    name: "referral_auth_clock_skew_seconds",
    help: "How far this machine's clock is ahead of the server's.",
    sample: ({ clock }, labels) => (clock === null ? null : `{${labels}} ${clock.skewSeconds}`),
  },
  {
    name: "referral_auth_certificate_expiry_timestamp_seconds",
    help: "When the certificate of the server expires, in Unix time.",
    sample: ({ connection }, labels) =>
      connection?.certificateExpiresAt == null
        ? null
        : `{${labels}} ${Date.parse(connection.certificateExpiresAt) / 1000}`,
  },
  {
    name: "referral_auth_outcome",
    help: "The outcome of the check and the id of its first finding: 1 for those that the labels name.",
    sample: ({ outcome, findings: [first] }, labels) =>
      `{${labels},outcome="${outcome.kind}",finding="${first?.id ?? ""}"} 1`,
  },
];

const head = ({ name, help }: { readonly name: string; readonly help: string }): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;

/** The metrics of the run itself. `report` is the label of all metrics. */
function runMetrics(end: RunEnd, now: number, report: string): string {
  const single = (name: string, help: string, value: number): string =>
    `${head({ name, help })}${name}{${report}} ${value}\n`;
  const checks = outcomes.map(
    (kind) => `referral_auth_checks{${report},outcome="${kind}"} ${end.counts.get(kind) ?? 0}\n`,
  );
  return (
    single("referral_auth_run_timestamp_seconds", "When the run ended, in Unix time.", now / 1000) +
    single("referral_auth_run_exit_code", "The exit code of the run.", end.exitCode) +
    single(
      "referral_auth_run_interrupted",
      "Whether a signal ended the run (1) or not (0).",
      +end.interrupted,
    ) +
    single("referral_auth_run_not_checked", "How many accounts were read and not checked.", end.left.length) +
    single(
      "referral_auth_run_not_read",
      "Whether the run ended before it had read all accounts (1) or not (0).",
      +!end.allRead,
    ) +
    head({ name: "referral_auth_checks", help: "How many checks of the run had each outcome." }) +
    checks.join("")
  );
}

/**
 * Metrics in the text format of Prometheus, for the textfile collector of node_exporter. The format keeps all samples of
 * a metric together, so each metric is a section. node_exporter drops a series that two files of a folder have, so each
 * carries the name of its file.
 */
export function metricsReport(path: string): Report {
  const report = `report=${quoted(basename(path, ".prom"))}`;
  return {
    add: (check) => {
      const labels = `${report},${labelsOf(check)}`;
      return checkMetrics.map(({ name, sample }) => {
        const text = sample(check, labels);
        return text === null ? "" : `${name}${text}\n`;
      });
    },
    end: (end, now) =>
      checkMetrics.map((metric, index) => ({
        head: head(metric),
        foot: index === checkMetrics.length - 1 ? runMetrics(end, now, report) : "",
      })),
  };
}
