import fc from "fast-check";
import { expect, test } from "vitest";
import { unjudgedCheck } from "../../src/check/check.ts";
import { escapeText } from "../../src/redaction/escape.ts";
import { jobSummary } from "../../src/report/job-summary.ts";
import { foreignText } from "../properties/arbitraries.ts";
import { numRuns } from "../properties/runs.ts";
import { ended, reported } from "../support/outcomes.ts";

function summaryOf(profile: string, message: string): string {
  const check = reported(unjudgedCheck(profile, "not-checked", { message, hint: message }, 0));
  const counts = new Map([["not-checked", 1] as const]);
  return [...jobSummary([check], { ...ended, exitCode: 3, counts }, "")].join("");
}

/** The cells of the only row, as they stand in the Markdown. */
function cellsOf(summary: string): readonly string[] {
  const rows = summary.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| profile"));
  expect(rows).toHaveLength(1);
  return (rows[0] ?? "").split("|").slice(1, -1);
}

const unescaped = (cell: string): string =>
  cell.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

const markup = /[\\`*_[\]<>|~$:@]|&(?!#\d+;)|#(?!\d+;)|www\./i;

test("no markup of a foreign text stands in the summary as it is, and all of the text is shown", async () => {
  const markdown = fc.string({ unit: fc.constantFrom(..."\\`*_[]()<>&|~$:@#!-+.,;'\"wW 1"), maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(foreignText, markdown), async (text) => {
      const [profile = "", , , headline = "", , advice = ""] = cellsOf(summaryOf(text, text));
      for (const cell of [profile, headline, advice]) {
        expect(cell).not.toMatch(markup);
        expect(unescaped(cell)).toBe(` ${escapeText(text)} `);
      }
    }),
    { numRuns },
  );
});

test("the table ends after 200 rows and says how many rows are left out", () => {
  const check = reported(unjudgedCheck("p", "not-checked", { message: "m", hint: "h" }, 0));
  const summary = [...jobSummary(Array(203).fill(check), ended, "")].join("");
  expect(summary.match(/^\| p \|/gm)).toHaveLength(200);
  expect(summary).toMatch(/\n3 more are not shown\.\n\n$/);
});
