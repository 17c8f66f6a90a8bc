import { expect, test } from "vitest";
import { type AccountName, countOutcomes, type RunEnd } from "../../src/report/report.ts";
import { ended } from "../support/outcomes.ts";

const left: readonly AccountName[] = [{ profile: "a", line: null, position: 1, isRepeated: false }];
const counts = new Map([["unavailable", 3] as const, ["accepted", 1] as const, ["not-checked", 2] as const]);

test.each<[Partial<RunEnd>, string]>([
  [{}, ""],
  [{ interrupted: true, left }, "interrupted: 1 not checked"],
  [{ interrupted: true, left, linesRead: 7 }, "interrupted: 1 not checked; 7 lines read"],
  [
    { interrupted: true, linesRead: 1, allRead: false },
    "interrupted: 0 not checked; 1 line read, the rest was not read",
  ],
  [{ interrupted: true, allRead: false }, "interrupted: 0 not checked; the accounts were not read"],
  [{ left, linesRead: 7, allRead: false }, "ended early: 1 not checked; 7 lines read, the rest was not read"],
])("the counts say what was not checked and why: %j", (changes, words) => {
  const [why, rest] = words === "" ? ["", ""] : words.split(": ");
  const counted = "1 accepted, 3 unavailable, 2 not-checked";
  expect(countOutcomes({ ...ended, counts, ...changes })).toBe(
    words === "" ? counted : `${why}: ${counted}, ${rest}`,
  );
});

test("the counts say how many of the unavailable were not sent", () => {
  expect(countOutcomes({ ...ended, counts, notSent: 2 })).toBe(
    "1 accepted, 3 unavailable (2 not sent: the server asked for a pause), 2 not-checked",
  );
});
