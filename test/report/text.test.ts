import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import type { CheckResult, Outcome } from "../../src/check/outcome.ts";
import { errorAnnotation } from "../../src/report/github-actions.ts";
import { paintOf, wantsColor } from "../../src/report/paint.ts";
import { checkReport } from "../../src/report/text.ts";

const answer = { status: 401, contentType: "application/json", code: 401, message: "No" };
const result = (outcome: Outcome, more: Partial<CheckResult> = {}): CheckResult => ({
  profile: null,
  method: "wsse",
  url: "https://api.example.com/v1/test-authentication",
  credential: "the token from REFERRAL_TOKEN",
  attempts: 1,
  durationMs: 212,
  outcome,
  clock: null,
  findings: [],
  ...more,
});
const finding = (name: string, certainty: "proved" | "measured" | "possible", words = 20) => ({
  id: "settings" as const,
  certainty,
  message: `${name} ${"word ".repeat(words)}end`,
  fix: `mend ${name}`,
});
const plain = await paintOf(false);

test("a report begins with the verdict and ends with what to do", () => {
  expect(checkReport(result({ kind: "rejected", response: answer }), plain)).toBe(
    [
      "REJECTED  wsse: the API refused this credential",
      "  request   GET https://api.example.com/v1/test-authentication",
      "  with      the token from REFERRAL_TOKEN",
      "  answer    HTTP 401, application/json, in 212 ms",
      "  message   No",
      "  try       Compare the credential with what the account shows, and ask whether",
      "            the account is active; --diagnose finds out more",
      "",
    ].join("\n"),
  );
});

test("however much was found, a report is shorter than 12 lines and what is proved stays", () => {
  const findings = [
    finding("a", "proved"),
    ...["b", "c", "d", "e", "f"].map((id) => finding(id, "possible")),
  ];
  const lines = checkReport(result({ kind: "rejected", response: answer }, { findings }), plain)
    .trimEnd()
    .split("\n");
  expect(lines.length).toBeLessThan(12);
  expect(lines.some((line) => line.startsWith("  proved    a word"))).toBe(true);
  expect(lines.filter((line) => line.startsWith("  try"))).toEqual(["  try       mend a"]);
});

test("what the server said stays on one line, without control characters or workflow commands", () => {
  const message = "two\nlines \u001b[31mred\u202e ::error::x ##vso[task]";
  const report = checkReport(result({ kind: "rejected", response: { ...answer, message } }), plain);
  expect(report).toContain(
    "  message   two\\nlines \\u{1b}[31mred\\u{202e} \\x3a:error\\x3a:x \\x23#vso[task]\n",
  );
});

const outcomes: readonly Outcome[] = [
  { kind: "accepted", response: answer },
  { kind: "rejected", response: answer },
  { kind: "unavailable", response: { ...answer, status: 503 }, retryAfterSeconds: null },
  { kind: "unavailable", response: { ...answer, status: 429 }, retryAfterSeconds: null },
  ...(["too-large", "not-found", "status", "empty", "not-json"] as const).map(
    (kind): Outcome => ({ kind: "unexpected", response: answer, reason: { kind } }),
  ),
  { kind: "unexpected", response: { ...answer, contentType: null }, reason: { kind: "not-json" } },
  { kind: "unexpected", response: null, reason: { kind: "malformed", problem: "HPE_INVALID_CONSTANT" } },
  { kind: "unexpected", response: answer, reason: { kind: "encoded", encoding: "gzip" } },
  { kind: "unexpected", response: answer, reason: { kind: "redirect" } },
  { kind: "unexpected", response: answer, reason: { kind: "web-page", title: null } },
  { kind: "unexpected", response: answer, reason: { kind: "foreign-challenge", scheme: "basic" } },
  { kind: "unexpected", response: answer, reason: { kind: "no-evidence", shown: "plain text" } },
  { kind: "unexpected", response: answer, reason: { kind: "contradiction", code: 401 } },
  { kind: "unexpected", response: answer, reason: { kind: "wrong-shape", problem: "its code is missing" } },
  { kind: "unreachable", failure: { kind: "lookup", host: "x.invalid", code: "ENOTFOUND" } },
  { kind: "unreachable", failure: { kind: "lookup", host: "x.invalid", code: "EAI_AGAIN" } },
  { kind: "unreachable", failure: { kind: "connect", host: "x", port: 443, code: "ECONNREFUSED" } },
  { kind: "unreachable", failure: { kind: "connect", host: "x", port: 443, code: "EHOSTUNREACH" } },
  { kind: "unreachable", failure: { kind: "tls", code: "CERT_HAS_EXPIRED", certificate: null } },
  { kind: "unreachable", failure: { kind: "proxy", host: "p", status: 407, code: "REFUSED" } },
  { kind: "unreachable", failure: { kind: "closed", code: "ECONNRESET", received: "part" } },
  { kind: "unreachable", failure: { kind: "closed", code: "ECONNRESET", received: "nothing" } },
  { kind: "timeout", phase: "headers", seconds: 10 },
  { kind: "not-checked", message: "No token is set", hint: "Give a token" },
];

describe.each(outcomes)("the report of $kind", (outcome) => {
  const report = checkReport(result(outcome), plain);
  const lines = report.trimEnd().split("\n");

  test("names the verdict first and fits 80 columns", () => {
    expect(lines[0]?.toLowerCase().startsWith(`${outcome.kind}  wsse: `)).toBe(true);
    expect(lines.slice(1).filter((line) => line.length > 80)).toEqual([]);
    expect(report.endsWith("\n")).toBe(true);
  });

  test("says what to do unless all is well", () => {
    expect(lines.some((line) => line.startsWith("  try "))).toBe(outcome.kind !== "accepted");
  });

  test("blames the credential only where it was refused", () => {
    if (outcome.kind !== "rejected") expect(report).not.toMatch(/refused this credential/);
  });
});

test("a code that contradicts the status is not said to be another service's", () => {
  const report = checkReport(
    result({ kind: "unexpected", response: answer, reason: { kind: "contradiction", code: 401 } }),
    plain,
  );
  expect(report).toContain("the answer contradicts itself");
  expect(report).not.toContain("another service");
});

describe("colour", () => {
  test.each([
    ["a terminal", true, true, {}, true],
    ["a pipe", false, true, {}, false],
    ["--no-color", true, false, { FORCE_COLOR: "1" }, false],
    ["NO_COLOR", true, true, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
    ["an empty NO_COLOR", true, true, { NO_COLOR: "" }, true],
    ["FORCE_COLOR in a pipe", false, true, { FORCE_COLOR: "1" }, true],
    ["FORCE_COLOR=0", true, true, { FORCE_COLOR: "0" }, false],
    ["a dumb terminal", true, true, { TERM: "dumb" }, false],
  ])("with %s is as expected", (_, isTerminal, allowed, environment, expected) => {
    expect(wantsColor(isTerminal, allowed, environment)).toBe(expected);
  });

  test("changes nothing but the colours", async () => {
    const outcome: Outcome = { kind: "accepted", response: { ...answer, status: 200 } };
    const coloured = checkReport(result(outcome), await paintOf(true));
    expect(coloured).toContain("\u001b[");
    expect(stripVTControlCharacters(coloured)).toBe(checkReport(result(outcome), plain));
  });
});

test("an annotation is one line, with what the runner unescapes escaped", () => {
  expect(errorAnnotation("a, b: c", "100% of\nit ::warning::x")).toBe(
    "::error title=a%2C b%3A c::100%25 of\\nit \\x3a:warning\\x3a:x\n",
  );
});
