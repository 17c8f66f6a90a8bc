import { expect, test } from "vitest";
import type { Outcome } from "../../src/check/outcome.ts";
import type { Finding } from "../../src/check/result.ts";
import { FailureGroups } from "../../src/report/failure-groups.ts";
import { paintOf } from "../../src/report/paint.ts";
import type { AccountResult } from "../../src/report/report.ts";
import { outcomeOf, reported } from "../support/outcomes.ts";

const failure = (more: Partial<AccountResult> = {}): AccountResult =>
  reported({ profile: "a", outcome: outcomeOf.rejected, headline: "refused", ...more });
const saying = (message: string): Outcome => {
  const { response } = outcomeOf.rejected;
  return { kind: "rejected", response: { ...response, message } };
};
const found = (message: string, certainty: Finding["certainty"] = "measured"): Partial<AccountResult> => ({
  findings: [{ id: "clock-ahead", certainty, message, fix: "" }],
});
const paint = await paintOf(false);
const text = (groups: FailureGroups): string => groups.text(paint);

test.each<[boolean, Partial<AccountResult>, Partial<AccountResult>]>([
  [false, { headline: "locked in line 7" }, { headline: "locked in line 12" }],
  [true, { outcome: saying('User "x" is unknown') }, { outcome: saying('User "why" is unknown') }],
  [true, { outcome: saying("a@example.com since 10:20Z") }, { outcome: saying("b@example.com since 9h") }],
  [true, found("this clock is 400 s ahead"), found("this clock is 1 s ahead")],
  [true, found("one", "possible"), found("other", "possible")],
  [false, found("one"), found("other")],
  [false, found("one"), found("one", "possible")],
  [false, found("400"), found("this")],
  [false, { outcome: saying("locked") }, { outcome: saying("expired") }],
  [false, { outcome: saying('"a" and "b" are locked') }, { outcome: saying('"a" or "b" are locked') }],
  [false, { outcome: saying("locked") }, { outcome: outcomeOf.timeout }],
  [false, { method: "token" }, { method: "wsse" }],
  [false, { url: "https://a.example" }, { url: "https://b.example" }],
  [false, { headline: "one" }, { headline: "other" }],
])("two failures are one: %j, if they differ in %j and %j", (isOne, first, second) => {
  const groups = new FailureGroups();
  expect([first, second].map((more) => groups.add(failure(more)))).toEqual([1, isOne ? 2 : 1]);
});

test("a row of names ends before 900 characters, and of more than a thousand names only the number is told", () => {
  const groups = new FailureGroups();
  for (let at = 1; at <= 1_003; at += 1) groups.add(failure({ profile: `n${at}`.padEnd(60, "x") }));
  const rows = text(groups).split("\n");
  expect(rows[0]).toMatch(/^ {2}failed {4}1003 × refused: n1x+, n2x+, .*,$/);
  expect(rows.slice(1, -1).join("")).not.toContain("failed");
  expect(
    rows.map((row) => row.trim().replace(/^failed +/, "").length).filter((length) => length > 900),
  ).toEqual([]);
  expect(rows[1]?.length).toBeGreaterThan(850);
  expect(rows.at(-2)).toMatch(/n999x+, n1000x+, and 3 more$/);
});

test("an account that fails by both methods in the same words takes one of the thousand names", () => {
  const groups = new FailureGroups();
  for (let at = 1; at <= 700; at += 1)
    for (const method of ["token", "wsse"] as const) groups.add(failure({ profile: `n${at}`, method }));
  expect(text(groups)).toMatch(/1400 × refused: n1, .* n700\n$/s);
});

test("of more than a hundred kinds of failure the rest are one, and each of it shows its details", () => {
  const groups = new FailureGroups();
  const headlines = Array.from({ length: 102 }, (_, at) => `kind ${String.fromCodePoint(0x4e00 + at)}`);
  const equal = headlines.map((headline) => groups.add(failure({ headline })));
  expect(new Set(equal)).toEqual(new Set([1]));
  expect(headlines.map((headline) => groups.add(failure({ headline })))).toEqual([
    ...Array(100).fill(2),
    1,
    1,
  ]);
  expect(text(groups).split("\n")).toHaveLength(102);
  // Neither of the two headlines is true of both.
  expect(text(groups)).toMatch(/ {2}failed {4}4 × rejected in other ways: a\n$/);
});
