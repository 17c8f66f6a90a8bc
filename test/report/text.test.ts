import { describe, expect, test } from "vitest";
import type { ApiResponse } from "../../src/check/outcome.ts";
import type { Certainty, Finding } from "../../src/check/result.ts";
import { errorAnnotation } from "../../src/report/github-actions.ts";
import { junitReport } from "../../src/report/junit.ts";
import { paintOf } from "../../src/report/paint.ts";
import { adviceOf, explanationOf } from "../../src/report/reason.ts";
import type { AccountResult } from "../../src/report/report.ts";
import { checkText } from "../../src/report/text.ts";
import { ended, outcomeOf, reported } from "../support/outcomes.ts";

const answer = {
  status: 401,
  contentType: "application/json",
  code: 401,
  message: "No",
  requestId: null,
  retryAfterSeconds: null,
};
const result = (more: Partial<AccountResult> = {}): AccountResult =>
  reported({
    method: "wsse",
    url: "https://api.example.com/v1/test-authentication",
    credential: "the token from REFERRAL_TOKEN",
    durationMs: 212,
    outcome: { kind: "rejected", response: answer },
    headline: "the API refused this credential",
    ...more,
  });
const finding = (name: string, certainty: Certainty, id: Finding["id"] = "blocked"): Finding => ({
  id,
  certainty,
  message: `${name} ${"word ".repeat(20)}end`,
  fix: `mend ${name}`,
});
const general: Finding = {
  id: "rejected",
  certainty: "measured",
  message: "the API refused this credential",
  fix: "Compare the credential with the one in the account, and check that the account is active",
};
/** A terminal of 80 columns, and a stream that is none. */
const plain = await paintOf(false, 80);
const unwrapped = await paintOf(false);

test("a report begins with the verdict, says the headline once and ends with what to do", () => {
  expect(checkText(result({ findings: [general] }), plain)).toBe(
    [
      "REJECTED    wsse: the API refused this credential",
      "  request   GET https://api.example.com/v1/test-authentication at",
      "            2026-11-22T17:30:12.345Z",
      "  with      the token from REFERRAL_TOKEN",
      "  response  HTTP 401, application/json, in 212 ms",
      "  message   No",
      "  try       Compare the credential with the one in the account, and check that",
      "            the account is active",
      "",
    ].join("\n"),
  );
});

test("a report shows every finding in its order, however many there are", () => {
  const certainties = ["proved", ..."mmmmmmm", ..."pppp"].map(
    (name) => ({ proved: "proved", m: "measured", p: "possible" })[name] as Certainty,
  );
  const findings = certainties.map((certainty, index) => finding(`cause ${index}`, certainty));

  const report = checkText(result({ findings }), plain);

  const labels = [...report.matchAll(/^ {2}(\w+) +cause (\d+)/gm)].map(([, label, number]) => [
    label,
    number,
  ]);
  expect(labels).toEqual(certainties.map((certainty, index) => [certainty, String(index)]));
});

describe("what to do", () => {
  const [proved, measured, possible] = [
    finding("a", "proved"),
    finding("b", "measured"),
    finding("c", "possible"),
  ];

  test.each([
    ["is only the fix of what is proved", [proved, measured, possible], ["mend a"]],
    [
      "begins with what is sure, and ends with the general advice",
      [general, measured, possible],
      ["mend b", "mend c", general.fix],
    ],
    [
      "begins with a possible cause rather than with what a diagnosis could not try",
      [general, { ...measured, id: "not-diagnosed" } as const, possible],
      ["mend c", general.fix, "mend b"],
    ],
    ["says nothing twice", [measured, measured], ["mend b"]],
    ["is nothing without findings", [], []],
  ])("%s", (_, findings, advice) => {
    expect(adviceOf({ findings })).toEqual(advice);
  });

  test("is told in three rows at most", () => {
    const findings = [general, measured, possible, finding("d", "possible")];
    const rows = checkText(result({ findings }), plain).match(/^ {2}try .*/gm);
    expect(rows).toEqual(["b", "c", "d"].map((name) => `  try       mend ${name}`));
  });
});

test("a finding repeats the headline by its id, or by its sentence", () => {
  const same: Finding = { ...general, id: "no-evidence" };
  const other: Finding = { ...general, message: "the API refused" };
  const more: Finding = { ...same, message: "a web page" };
  const rows = (one: Finding) => checkText(result({ findings: [one] }), plain).match(/^ {2}measured .*/gm);
  expect([rows(same), rows(other), rows(more)]).toEqual([null, null, ["  measured  a web page"]]);
  expect(explanationOf(result({ findings: [same] }))).not.toContain(general.message);
});

test("the reason is the first finding that says more than the headline, and the server's words", () => {
  const reason = (findings: readonly Finding[], more: Partial<ApiResponse> = {}) =>
    explanationOf(result({ findings, outcome: { kind: "rejected", response: { ...answer, ...more } } }));
  expect(reason([general, finding("c", "possible")])).toMatch(/^possible: c word .*; the server says "No"$/);
  expect(reason([general])).toBe('the server says "No"');
  expect(reason([general], { message: "a".repeat(300) })).toBe(`the server says "${"a".repeat(200)}…"`);
  const cutInHalf = `${"a".repeat(199)}\u{1f511}b`;
  expect(reason([general], { message: cutInHalf })).toBe(`the server says "${"a".repeat(199)}…"`);
  // The title of a page is a finding.
  expect(reason([general], { contentType: "text/html" })).toBe("");
  expect(reason([general], { message: null })).toBe("");
});

test("the message of the server stays on one line, without control characters or workflow commands", () => {
  const message = "two\nlines \u001b[31mred\u202e ::error::x ##vso[task]";
  const outcome = { kind: "rejected", response: { ...answer, message } } as const;
  expect(checkText(result({ outcome }), unwrapped)).toContain(
    "  message   two\\nlines \\u{1b}[31mred\\u{202e} \\x3a:error\\x3a:x \\x23#vso[task]\n",
  );
});

test.each(Object.values(outcomeOf))("the report of $kind begins with it", (outcome) => {
  const [verdict = ""] = checkText(result({ outcome }), plain).split("\n");
  expect(verdict.toLowerCase().startsWith(`${outcome.kind.padEnd(11)} wsse: the api `)).toBe(true);
});

test("an annotation is one line, and escapes what the runner unescapes", () => {
  expect(errorAnnotation("a, b: c", "100% of\nit ::warning::x")).toBe(
    "::error title=a%2C b%3A c::100%25 of\\nit \\x3a:warning\\x3a:x\n",
  );
});

test.each([
  [null, ""],
  [401, ""],
  [7, ", code 7"],
])("the code %j of a response stands in its row only where it differs from the status", (code, shown) => {
  const report = checkText(
    result({ outcome: { kind: "rejected", response: { ...answer, code } } }),
    unwrapped,
  );
  expect(report).toContain(`  response  HTTP 401, application/json${shown}, in 212 ms\n`);
});

test("a check that sent nothing has no row for a request", () => {
  expect(checkText(result({ url: null, credential: null }), unwrapped)).not.toMatch(
    /^ {2}(?:request|with) /m,
  );
});

describe("a failed check says when its last request was made and what the server calls it", () => {
  const withId = { kind: "rejected", response: { ...answer, requestId: "abc" } } as const;

  test.each<readonly [string, Partial<AccountResult>, string | null]>([
    ["a response", {}, "2026-11-22T17:30:12.345Z"],
    ["a response with an id", { outcome: withId }, "2026-11-22T17:30:12.345Z, request id abc"],
    ["no response", { outcome: outcomeOf.unreachable }, "2026-11-22T17:30:12.345Z"],
    ["no request", { outcome: outcomeOf["not-checked"], attempts: 0 }, null],
    ["an acceptance", { outcome: outcomeOf.accepted }, null],
  ])("%s, in text and in JUnit", (_, more, shown) => {
    const junit = [...junitReport([result(more)], ended, "")].join("");
    expect(/^ {2}request {3}GET \S+ at (.*)$/m.exec(checkText(result(more), unwrapped))?.[1] ?? null).toBe(
      shown,
    );
    expect(/^checked (.*)<\/\w+>$/m.exec(junit)?.[1] ?? null).toBe(shown);
  });

  test("on one line, without control characters", () => {
    const outcome = { kind: "rejected", response: { ...answer, requestId: "a\n\u001b[31mb" } } as const;
    expect(checkText(result({ outcome }), unwrapped)).toContain(", request id a\\n\\u{1b}[31mb\n");
  });
});
