import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { metricsReport } from "../../src/report/metrics.ts";
import { rcOf } from "../e2e/profiles.ts";
import { foreignText } from "../properties/arbitraries.ts";
import { numRuns } from "../properties/runs.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { outcomeOf, reported } from "../support/outcomes.ts";
import { leaks } from "../support/planted.ts";
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
  expect(text).toContain('referral_auth_accepted{profile="good",method="token"} 1\n');
  expect(text).toContain('referral_auth_outcome{profile="away",method="",outcome="not-checked"} 1\n');
  expect(text).toMatch(/^referral_auth_duration_seconds\{profile="good",method="token"\} 0(\.\d+)?$/m);
  expect(text).toMatch(/^referral_auth_clock_skew_seconds\{profile="good",method="token"\} -?\d+$/m);
  expect(text).toContain('referral_auth_checks{outcome="rejected"} 1\n');
  const isSample = (line: string): boolean => /^[a-z_]+(?:\{.*\})? -?[\d.]+$/.test(line);
  expect(text.split("\n").filter((line) => !/^#|^$/.test(line) && !isSample(line))).toEqual([]);
});

test("whatever the names are, each sample is one line, and no two different names have the same labels", () => {
  const name = fc.oneof(foreignText, fc.string({ unit: fc.constantFrom("\\", "n", "\n", '"', ":", "a") }));
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 8 }), (profiles) => {
      const report = metricsReport();
      const samples = profiles.map(
        (profile) => report.add(reported({ profile, outcome: outcomeOf["not-checked"] }))[0] ?? "",
      );
      for (const sample of samples) {
        expect(sample).toMatch(
          /^referral_auth_accepted\{profile="(?:[^"\\\n]|\\["\\n])*",method="token"\} 0\n$/,
        );
      }
      expect(new Set(samples).size).toBe(profiles.length);
    }),
    { numRuns },
  );
});
