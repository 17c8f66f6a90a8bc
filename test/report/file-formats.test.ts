import { expect, test } from "vitest";
import type { Outcome } from "../../src/check/outcome.ts";
import { fileFormats, formatNames } from "../../src/report/file-formats.ts";
import type { AccountResult, Report, RunEnd } from "../../src/report/report.ts";
import { ended, outcomeOf, reported } from "../support/outcomes.ts";

const check = (profile: string, outcome: Outcome): AccountResult => reported({ profile, outcome });

function textOf(report: Report, checks: readonly AccountResult[]): string {
  const added = checks.map((one) => report.add(one).join("")).join("");
  // The end is the same for all, so only the results can tell the outcomes apart.
  return added + endText(report, ended);
}

function endText(report: Report, end: RunEnd): string {
  return report
    .end(end, 0)
    .map(({ head, foot }) => head + foot)
    .join("");
}

test.each(formatNames)(
  "the file of --%s tells every outcome from the others, for each account",
  async (format) => {
    const report = await fileFormats[format].load();
    const files = Object.values(outcomeOf).flatMap((outcome) => [
      textOf(report("a.prom"), [check("acme", outcome), check("other", outcomeOf.accepted)]),
      textOf(report("a.prom"), [check("acme", outcomeOf.accepted), check("other", outcome)]),
    ]);
    for (const file of files) expect(file).toMatch(/acme[\s\S]*other/);
    // The file in which both accounts are accepted comes twice.
    expect(new Set(files).size).toBe(files.length - 1);
  },
);

test.each(formatNames)("the file of --%s tells a run that an error or a signal ended", async (format) => {
  const report = await fileFormats[format].load();
  const error = { code: 3, message: "No token is set", hint: "Give a token" } as const;
  const left = [{ profile: "acme", line: null, position: 1, isRepeated: false }];
  const ends: readonly RunEnd[] = [
    ended,
    { ...ended, exitCode: 3, error },
    { ...ended, exitCode: 130, interrupted: true, left },
  ];
  expect(new Set(ends.map((end) => endText(report("a.prom"), end))).size).toBe(ends.length);
});

test.each(formatNames)(
  "the file of --%s tells accounts of one name apart, in printable text",
  async (format) => {
    const report = (await fileFormats[format].load())("a.prom");
    const profile = "a\u001b[31m\r\nb\u202e";
    const texts = [1, 2].map((position) =>
      report.add(reported({ profile, position, isRepeated: position > 1 })).join(""),
    );
    expect(new Set(texts).size).toBe(2);
    expect(texts.join("").replaceAll("\n", "")).toMatch(/^[\x20-\x7e]*$/);
  },
);
