import { expect, test } from "vitest";
import type { Outcome } from "../../src/check/outcome.ts";
import type { AccountResult, FileReport, RunEnd } from "../../src/report/report.ts";
import { fileFormats, formatNames } from "../../src/run/options.ts";
import { ended, outcomeOf, reported } from "../support/outcomes.ts";

const check = (profile: string, outcome: Outcome): AccountResult => reported({ profile, outcome });

const textOf = (report: FileReport, rows: readonly AccountResult[], end: RunEnd = ended): string =>
  [...report(rows, end, "a.prom")].join("");

test.each(formatNames)(
  "the file of --%s tells every outcome from the others, for each account",
  async (format) => {
    const report = await fileFormats[format].load();
    const files = Object.values(outcomeOf).flatMap((outcome) => [
      textOf(report, [check("acme", outcome), check("other", outcomeOf.accepted)]),
      textOf(report, [check("acme", outcomeOf.accepted), check("other", outcome)]),
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
  expect(new Set(ends.map((end) => textOf(report, [], end))).size).toBe(ends.length);
});

test.each(formatNames)(
  "the file of --%s tells accounts of one name apart, in printable text",
  async (format) => {
    const report = await fileFormats[format].load();
    const profile = "a\u001b[31m\r\nb\u202e";
    const texts = [1, 2].map((position) =>
      textOf(report, [reported({ profile, position, isRepeated: position > 1 })]),
    );
    expect(new Set(texts).size).toBe(2);
    expect(texts.join("").replaceAll("\n", "")).toMatch(/^[\x20-\x7e]*$/);
  },
);
