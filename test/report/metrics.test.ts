import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shownConnection } from "../../src/check/observer.ts";
import { junitReport } from "../../src/report/junit.ts";
import { metricsReport } from "../../src/report/metrics.ts";
import type { FileReport, RunEnd } from "../../src/report/report.ts";
import { unredacted } from "../check/causes/found.ts";
import { rcOf } from "../e2e/profiles.ts";
import { foreignText } from "../properties/arbitraries.ts";
import { numRuns } from "../properties/runs.ts";
import { emulate } from "../support/emulate.ts";
import { connectionOf } from "../support/exchanges.ts";
import { folderWith } from "../support/folder.ts";
import { ended, outcomeOf, reported } from "../support/outcomes.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

test("--metrics tells of each account whether it is accepted, its outcome, duration and clock, and the run's time", async () => {
  const api = await emulate();
  const workingFolder = folderWith();
  const profiles = { good: {}, 'we"ird\\\n': { token: "no" }, away: { baseUrl: "ftp://x" } };
  const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
  const now = Date.parse("2026-11-21T12:00:00Z");

  const run = await runInProcess(["test", "--all", "--metrics", "a.prom", "--quiet"], {
    homeFolder,
    workingFolder,
    now,
  });

  const text = readFileSync(join(workingFolder, "a.prom"), "utf8");
  expect(run).toMatchObject({ exitCode: 4, everything: "" });
  expect(leaks(text)).toEqual([]);
  const good = 'report="a",profile="good",method="token"';
  expect(text).toContain(`referral_auth_accepted{${good}} 1\n`);
  expect(text).toContain(`referral_auth_outcome{${good},outcome="accepted",finding="clock-behind"} 1\n`);
  expect(text).toContain('profile="away",method="",outcome="not-checked",finding="settings"} 1\n');
  expect(text).toMatch(new RegExp(`^referral_auth_duration_seconds\\{${good}\\} 0(\\.\\d+)?$`, "m"));
  expect(text).toMatch(new RegExp(`^referral_auth_clock_skew_seconds\\{${good}\\} -?\\d+$`, "m"));
  expect(text).toContain('referral_auth_checks{report="a",outcome="rejected"} 1\n');
  const isSample = (line: string): boolean => /^[a-z_]+(?:\{.*\})? -?[\d.]+$/.test(line);
  expect(text.split("\n").filter((line) => !/^#|^$/.test(line) && !isSample(line))).toEqual([]);
});

/** The samples of a report without checks, by name and labels. */
const samplesOf = (path: string, end: RunEnd): string => [...metricsReport([], end, path)].join("");

test.each([
  ["/var/lib/night.prom", "night"],
  ["night.prom.txt", "night.prom.txt"],
  ["/dev/stdout", "stdout"],
  ['a"b.prom', 'a\\"b'],
])("every sample of %s has the label report, %s", (path, report) => {
  const samples = samplesOf(path, ended).match(/^[^#].*/gm) ?? [];
  expect(samples.length).toBeGreaterThan(5);
  for (const sample of samples) expect(sample).toContain(`{report="${report}"`);
});

test("a wrong clock is the finding of each check that it fails", async () => {
  const api = await emulate({ clockOffsetSeconds: -3600 });
  const workingFolder = folderWith();
  const { username, secret } = planted;
  const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_USERNAME: username, REFERRAL_SECRET: secret };
  await runInProcess(["test", "--metrics", "a.prom"], { workingFolder, environment });
  const text = readFileSync(join(workingFolder, "a.prom"), "utf8");
  expect(text).toContain('outcome="rejected",finding="clock-ahead"} 1\n');
});

test("the accounts that an interruption left are counted, and those that were not read are said", () => {
  const left = [{ profile: "acme", line: 3, position: 3, isRepeated: false }];
  const text = samplesOf("a.prom", { ...ended, interrupted: true, left, allRead: false });
  expect(text).toContain('referral_auth_run_not_checked{report="a"} 1\n');
  expect(text).toContain('referral_auth_run_not_read{report="a"} 1\n');
});

/** The metrics of docs/many-accounts.md: their names, labels and meanings. The first five are an account's. */
const listed = [
  ...readFileSync(new URL("../../docs/many-accounts.md", import.meta.url), "utf8").matchAll(
    /^\| `(referral_auth_\w+)(?:\{(.*)\})?` \| (.*) \|$/gm,
  ),
].map(([, name, more = "", help], index) => [
  name,
  ["report", ...(index < 5 ? ["profile", "method"] : []), ...(more.match(/\w+/g) ?? [])],
  help,
]);

test("docs/many-accounts.md lists every metric with its labels and its help text, and no other", () => {
  const clock = { skewSeconds: 1, uncertaintySeconds: 1 };
  const connection = shownConnection(connectionOf(), unredacted);
  // The labels that tell equal names apart are not in the table: the page says when they come.
  const text = [...metricsReport([reported({ profile: "acme", clock, connection })], ended, "a.prom")].join(
    "",
  );
  const metrics = [...text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \1 gauge\n\1\{(.*)\}/gm)];
  const promised = metrics.map(([, name, help, labels = ""]) => [
    name,
    [...labels.matchAll(/(\w+)=/g)].map(([, label]) => label),
    help,
  ]);
  expect(promised.length).toBeGreaterThan(10);
  expect(listed).toEqual(promised);
});

test("whatever the names are, each sample is one line, and no two different names are the same in metrics or JUnit", () => {
  const confused = ["\\", "n", "\n", '"', ":", "a", "\ufffd", "\ufffe", "\uffff"];
  const end = fc.oneof(foreignText, fc.string({ unit: fc.constantFrom(...confused) }));
  const name = fc.tuple(fc.constantFrom("", "a".repeat(990)), end).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 8 }), (profiles) => {
      const outcome = outcomeOf["not-checked"];
      const rows = profiles.map((profile) => reported({ profile, outcome }));
      const found = (report: FileReport, wanted: RegExp): readonly string[] =>
        [...report(rows, ended, "a.prom")].filter((piece) => wanted.test(piece));
      const samples = found(metricsReport, /^referral_auth_accepted/);
      for (const sample of samples) {
        expect(sample).toMatch(
          /^referral_auth_accepted\{report="a",profile="(?:[^"\\\n]|\\["\\n])*",method="token"\} 0\n$/,
        );
      }
      expect(new Set(samples).size).toBe(profiles.length);
      expect(new Set(found(junitReport, /<testcase/)).size).toBe(profiles.length);
    }),
    { numRuns },
  );
});
