import fc from "fast-check";
import { expect, test } from "vitest";
import type { CheckResult } from "../../src/check/outcome.ts";
import { escapeText } from "../../src/report/escape.ts";
import { jobSummary } from "../../src/report/job-summary.ts";
import { foreignText } from "../properties/arbitraries.ts";
import { numRuns } from "../properties/runs.ts";

function summaryOf(profile: string, message: string): string {
  const result: CheckResult = {
    profile,
    method: "token",
    url: null,
    credential: null,
    attempts: 1,
    durationMs: 1,
    outcome: { kind: "not-checked", message, hint: message },
    clock: null,
    findings: [],
  };
  return jobSummary({ results: [result], interrupted: false, left: [] });
}

/** The cells of the only row, as they stand in the Markdown. */
function cellsOf(summary: string): readonly string[] {
  const rows = summary.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| profile"));
  expect(rows).toHaveLength(1);
  return (rows[0] ?? "").split("|").slice(1, -1);
}

const unescaped = (cell: string): string =>
  cell.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

// GitHub takes $…$ for mathematics, :…: for emoji, @… for people, and more as it learns more.
test("no punctuation of a foreign text stands in the summary as it is, and all of it is shown", () => {
  fc.assert(
    fc.property(fc.oneof(foreignText, fc.string({ maxLength: 80 })), (text) => {
      const [profile = "", , , headline = "", why = ""] = cellsOf(summaryOf(text, text));
      for (const cell of [profile, headline, why]) {
        expect(cell.replace(/&#\d+;/g, "")).not.toMatch(/[!-/:-@[-`{-~]/);
        expect(unescaped(cell)).toBe(` ${escapeText(text)} `);
      }
    }),
    { numRuns },
  );
});

test.each(["$x$", "$`x`$", "a|b", "<b>", "@octocat", ":+1:", "~~x~~", "https://x.example"])(
  "%s is no markup",
  (text) => {
    expect(summaryOf(text, "x")).not.toContain(text);
  },
);
