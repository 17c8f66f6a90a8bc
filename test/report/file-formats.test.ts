import { expect, test } from "vitest";
import type { Outcome } from "../../src/check/outcome.ts";
import { fileFormats, formatNames } from "../../src/report/file-formats.ts";
import type { FileReport, ReportedCheck } from "../../src/report/report-writer.ts";
import { ended, outcomeOf, reported } from "../support/outcomes.ts";

const check = (profile: string, outcome: Outcome): ReportedCheck => reported({ profile, outcome });

function textOf(report: FileReport, checks: readonly ReportedCheck[]): string {
  const added = checks.map((one) => report.add(one).join("")).join("");
  // The end is the same for all, so only the writer can tell the outcomes apart.
  const frames = report.finish(ended, 0).map(({ head, foot }) => head + foot);
  return [added, ...frames].join("");
}

test.each(formatNames)(
  "the file of --%s tells every outcome from the others, for each account",
  async (format) => {
    const report = await fileFormats[format].load();
    const files = Object.values(outcomeOf).flatMap((outcome) => [
      textOf(report(), [check("acme", outcome), check("other", outcomeOf.accepted)]),
      textOf(report(), [check("acme", outcomeOf.accepted), check("other", outcome)]),
    ]);
    for (const file of files) expect(file).toMatch(/acme[\s\S]*other/);
    // The file in which both accounts are accepted comes twice.
    expect(new Set(files).size).toBe(files.length - 1);
  },
);
