import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shownConnection } from "../../src/check/observer.ts";
import { junitReport } from "../../src/report/junit.ts";
import { metricsReport } from "../../src/report/metrics.ts";
import type { FileReport } from "../../src/report/report.ts";
import { unredacted } from "../check/causes/found.ts";
import { foreignText } from "../properties/arbitraries.ts";
import { numRuns } from "../properties/runs.ts";
import { connectionOf } from "../support/exchanges.ts";
import { ended, outcomeOf, reported } from "../support/outcomes.ts";

// The whole document is test/report/documents/metrics.txt.
test.each([
  ["night.prom.txt", "night.prom.txt"],
  ['a"b.prom', 'a\\"b'],
])("every sample of %s has the label report, %s", (path, report) => {
  const samples = [...metricsReport([], ended, path)].join("").match(/^[^#].*/gm) ?? [];
  expect(samples.length).toBeGreaterThan(5);
  for (const sample of samples) expect(sample).toContain(`{report="${report}"`);
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
