import { expect, test } from "vitest";
import { shownConnection } from "../../src/check/observer.ts";
import { jsonOfError, jsonReport } from "../../src/report/json.ts";
import { junitReport } from "../../src/report/junit.ts";
import { metricsReport } from "../../src/report/metrics.ts";
import type { AccountResult, FileReport, RunEnd } from "../../src/report/report.ts";
import { Rows } from "../../src/report/rows.ts";
import { version } from "../../src/version.ts";
import { unredacted } from "../check/causes/found.ts";
import { connectionOf } from "../support/exchanges.ts";
import { ended, outcomeOf, reported } from "../support/outcomes.ts";

const url = "https://api.example/test-authentication";
const clock = { skewSeconds: 400, uncertaintySeconds: 1 };
const findings: AccountResult["findings"] = [
  { id: "rejected", certainty: "measured", message: "the headline", fix: "Compare the credential" },
  { id: "clock-ahead", certainty: "measured", message: "this clock is > ahead", fix: 'Set the "clock"' },
];
const { accepted, rejected, timeout } = outcomeOf;
const connection = shownConnection(connectionOf(), unredacted);
const checks: readonly AccountResult[] = [
  reported({ profile: "good", url, credential: "the token", clock, connection, durationMs: 1_500 }),
  reported({ profile: "bad", url, credential: "the token & more", outcome: rejected, findings }),
  reported({ profile: "bad", position: 3, isRepeated: true, url, outcome: timeout }),
  reported({ profile: "bad", line: 9, position: 4, isRepeated: true, outcome: accepted }),
  reported({ line: 10, position: 5, method: null, attempts: 0, outcome: outcomeOf["not-checked"] }),
];
const counts = new Map([
  ["accepted", 2] as const,
  ["rejected", 1] as const,
  ["timeout", 1] as const,
  ["not-checked", 1] as const,
]);
const left = [{ profile: "later", line: null, position: 6, isRepeated: false }];
const error = { code: 3, message: "No token is set", hint: "Give a token" } as const;
const endedAt = Date.parse("2026-11-21T12:00:00.250Z");
const end: RunEnd = { ...ended, exitCode: 130, counts, interrupted: true, left, error, endedAt };

function fileOf(report: FileReport): string {
  const rows = new Rows();
  for (const check of checks) rows.add(check);
  return [...report(rows, end, "out/night.prom")].join("");
}

test("--junit writes this document", () => {
  expect(fileOf(junitReport)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="referral-auth" tests="7" failures="1" errors="3" time="1.580">
  <testsuite name="referral-auth" tests="7" failures="1" errors="3" skipped="1" time="1.580" timestamp="2026-11-21T12:00:00">
    <testcase classname="referral-auth.good" name="token" time="1.500"/>
    <testcase classname="referral-auth.bad" name="token" time="0.020">
      <failure type="rejected" message="the headline">Compare the credential
measured: this clock is &gt; ahead; Set the &quot;clock&quot;
the server says &quot;Hi&quot;
GET https://api.example/test-authentication with the token &amp; more
checked 2026-11-22T17:30:12.345Z</failure>
    </testcase>
    <testcase classname="referral-auth.bad (3)" name="token" time="0.020">
      <error type="timeout" message="the headline">GET https://api.example/test-authentication
checked 2026-11-22T17:30:12.345Z</error>
    </testcase>
    <testcase classname="referral-auth.bad (line 9)" name="token" time="0.020"/>
    <testcase classname="referral-auth.line 10" name="settings" time="0.020">
      <error type="not-checked" message="the headline"></error>
    </testcase>
    <testcase classname="referral-auth" name="run" time="0.000">
      <error type="not-checked" message="No token is set">Give a token</error>
    </testcase>
    <testcase classname="referral-auth.later" name="not checked" time="0.000">
      <skipped message="the run was interrupted before this account was checked"/>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test("--metrics writes this document", () => {
  expect(
    fileOf(metricsReport),
  ).toBe(`# HELP referral_auth_accepted Whether the API accepted the credential (1) or not (0).
# TYPE referral_auth_accepted gauge
referral_auth_accepted{report="night",profile="good",method="token"} 1
referral_auth_accepted{report="night",profile="bad",method="token"} 0
referral_auth_accepted{report="night",profile="bad",method="token",number="3"} 0
referral_auth_accepted{report="night",profile="bad",method="token",line="9"} 1
referral_auth_accepted{report="night",profile="",method="",line="10"} 0
# HELP referral_auth_duration_seconds How long the last request of the check took.
# TYPE referral_auth_duration_seconds gauge
referral_auth_duration_seconds{report="night",profile="good",method="token"} 1.5
referral_auth_duration_seconds{report="night",profile="bad",method="token"} 0.02
referral_auth_duration_seconds{report="night",profile="bad",method="token",number="3"} 0.02
referral_auth_duration_seconds{report="night",profile="bad",method="token",line="9"} 0.02
# HELP referral_auth_clock_skew_seconds How far this machine's clock is ahead of the server's.
# TYPE referral_auth_clock_skew_seconds gauge
referral_auth_clock_skew_seconds{report="night",profile="good",method="token"} 400
# HELP referral_auth_certificate_expiry_timestamp_seconds When the certificate of the server expires, in Unix time.
# TYPE referral_auth_certificate_expiry_timestamp_seconds gauge
referral_auth_certificate_expiry_timestamp_seconds{report="night",profile="good",method="token"} 1825027200
# HELP referral_auth_outcome The outcome of the check and the id of its first finding: 1 for those that the labels name.
# TYPE referral_auth_outcome gauge
referral_auth_outcome{report="night",profile="good",method="token",outcome="accepted",finding=""} 1
referral_auth_outcome{report="night",profile="bad",method="token",outcome="rejected",finding="rejected"} 1
referral_auth_outcome{report="night",profile="bad",method="token",number="3",outcome="timeout",finding=""} 1
referral_auth_outcome{report="night",profile="bad",method="token",line="9",outcome="accepted",finding=""} 1
referral_auth_outcome{report="night",profile="",method="",line="10",outcome="not-checked",finding=""} 1
# HELP referral_auth_run_timestamp_seconds When the run ended, in Unix time.
# TYPE referral_auth_run_timestamp_seconds gauge
referral_auth_run_timestamp_seconds{report="night"} 1795262400.25
# HELP referral_auth_run_exit_code The exit code of the run.
# TYPE referral_auth_run_exit_code gauge
referral_auth_run_exit_code{report="night"} 130
# HELP referral_auth_run_interrupted Whether a signal ended the run (1) or not (0).
# TYPE referral_auth_run_interrupted gauge
referral_auth_run_interrupted{report="night"} 1
# HELP referral_auth_run_not_checked How many accounts were read and not checked.
# TYPE referral_auth_run_not_checked gauge
referral_auth_run_not_checked{report="night"} 1
# HELP referral_auth_run_not_read Whether the run ended before it had read all accounts (1) or not (0).
# TYPE referral_auth_run_not_read gauge
referral_auth_run_not_read{report="night"} 0
# HELP referral_auth_checks How many checks of the run had each outcome.
# TYPE referral_auth_checks gauge
referral_auth_checks{report="night",outcome="accepted"} 2
referral_auth_checks{report="night",outcome="failed"} 0
referral_auth_checks{report="night",outcome="not-checked"} 1
referral_auth_checks{report="night",outcome="rejected"} 1
referral_auth_checks{report="night",outcome="unavailable"} 0
referral_auth_checks{report="night",outcome="unexpected"} 0
referral_auth_checks{report="night",outcome="unreachable"} 0
referral_auth_checks{report="night",outcome="timeout"} 1
`);
});

test.each([0, 1, 2])(
  "--json writes %i checks as JSON.stringify indents them, and the end behind them",
  (count) => {
    const report = jsonReport();
    const added = checks.slice(0, count).map((check) => report.add(check));
    const text = added.join("") + report.end(end);
    const document = JSON.parse(text);
    expect(text).toBe(`${JSON.stringify(document, null, 2)}\n`);
    expect(document).toMatchObject({ ok: false, exitCode: 130, notChecked: 1, linesRead: null, error });
    expect(document.checks.map((check: { profile: string }) => check.profile)).toEqual(
      ["good", "bad"].slice(0, count),
    );
  },
);

test("--json of an error that ended the run has no checks, and nothing that was not checked", () => {
  const document = {
    schemaVersion: 1,
    version,
    checks: [],
    ok: false,
    exitCode: 3,
    notChecked: 0,
    notRead: false,
    linesRead: null,
    error,
  };
  expect(jsonOfError(error)).toBe(`${JSON.stringify(document, null, 2)}\n`);
});
