import { describe, expect, test } from "vitest";
import type { CheckResult, Outcome } from "../../src/check/outcome.ts";
import { errorAnnotation } from "../../src/report/github-actions.ts";
import { paintOf } from "../../src/report/paint.ts";
import { checkReport } from "../../src/report/text.ts";
import { reported } from "../support/outcomes.ts";

const answer = { status: 401, contentType: "application/json", code: 401, message: "No" };
const result = (outcome: Outcome, more: Partial<CheckResult> = {}): CheckResult =>
  reported({
    method: "wsse",
    url: "https://api.example.com/v1/test-authentication",
    credential: "the token from REFERRAL_TOKEN",
    durationMs: 212,
    outcome,
    ...more,
  });
const finding = (name: string, certainty: "proved" | "measured" | "possible", words = 20) => ({
  id: "settings" as const,
  certainty,
  message: `${name} ${"word ".repeat(words)}end`,
  fix: `mend ${name}`,
});
/** A terminal of 80 columns, and a stream that is none. */
const plain = await paintOf(false, 80);
const unwrapped = await paintOf(false);

test("a report begins with the verdict and ends with what to do", () => {
  expect(checkReport(result({ kind: "rejected", response: answer }), plain)).toBe(
    [
      "REJECTED    wsse: the API refused this credential",
      "  request   GET https://api.example.com/v1/test-authentication",
      "  with      the token from REFERRAL_TOKEN",
      "  response  HTTP 401, application/json, in 212 ms",
      "  message   No",
      "  try       Compare the credential with the one in the account, and check that",
      "            the account is active; --diagnose finds out more",
      "",
    ].join("\n"),
  );
});

test("a report has fewer than 12 lines, however many findings there are, and keeps what is proved", () => {
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

test("the message of the server stays on one line, without control characters or workflow commands", () => {
  const message = "two\nlines \u001b[31mred\u202e ::error::x ##vso[task]";
  const report = checkReport(result({ kind: "rejected", response: { ...answer, message } }), unwrapped);
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
  { kind: "unreachable", failure: { kind: "proxy", host: "p", port: 3128, status: 407, code: "REFUSED" } },
  { kind: "unreachable", failure: { kind: "closed", code: "ECONNRESET", received: "part" } },
  { kind: "unreachable", failure: { kind: "closed", code: "ECONNRESET", received: "nothing" } },
  ...(["lookup", "connect", "proxy", "tls", "request", "headers", "body"] as const).map(
    (phase): Outcome => ({ kind: "timeout", phase, seconds: 10 }),
  ),
  { kind: "failed", message: "This is a bug", hint: "Please report it" },
  { kind: "not-checked", message: "No token is set", hint: "Give a token" },
];

describe.each(outcomes)("the report of $kind", (outcome) => {
  const report = checkReport(result(outcome), plain);
  const lines = report.trimEnd().split("\n");

  test("begins with the verdict and fits into 80 columns", () => {
    expect(lines[0]?.toLowerCase().startsWith(`${outcome.kind.padEnd(11)} wsse: `)).toBe(true);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.filter((line) => !/^.{11} \S/.test(line))).toEqual([]);
    expect(report.endsWith("\n")).toBe(true);
  });

  test("says what to do unless the credential is accepted", () => {
    expect(lines.some((line) => line.startsWith("  try "))).toBe(outcome.kind !== "accepted");
  });

  test("blames the credential only if the API refused it", () => {
    if (outcome.kind !== "rejected") expect(report).not.toMatch(/refused this credential/);
  });
});

test("a code that contradicts the status does not point to another service", () => {
  const report = checkReport(
    result({ kind: "unexpected", response: answer, reason: { kind: "contradiction", code: 401 } }),
    plain,
  );
  expect(report).toContain("the response contradicts itself");
  expect(report).not.toContain("another service");
});

test.each(["headers", "body"] as const)(
  "a deadline that passes during %s gives no advice about the connection",
  (phase) => {
    const report = checkReport(result({ kind: "timeout", phase, seconds: 10 }), unwrapped);
    expect(report).toContain("--timeout");
    expect(report).not.toMatch(/host is up|firewall/);
  },
);

test.each([
  ["a JSON object", { ...answer, status: 400, code: 400 }],
  ["JSON without a code", { ...answer, status: 400, code: null }],
  ["a problem document", { ...answer, status: 400, code: null, contentType: "application/problem+json" }],
])("%s with status 400 does not point to another service", (_, response) => {
  const report = checkReport(result({ kind: "unexpected", response, reason: { kind: "status" } }), unwrapped);
  expect(report).toContain("JSON with an undocumented status (400)");
  expect(report).not.toMatch(/another service|proxy/);
});

test("a remark about unusual headers is shown with --verbose only", () => {
  const remark = { ...finding("unusual headers:", "measured"), id: "unusual-headers" as const };
  const check = result({ kind: "accepted", response: answer }, { findings: [remark] });

  expect(checkReport(check, unwrapped)).not.toContain("unusual");
  const verbose = checkReport(check, unwrapped, true);
  expect(verbose).toContain("\n  measured  unusual headers:");
  expect(verbose).toContain("\n  try       mend unusual headers:");
});

test("an annotation is one line, and escapes what the runner unescapes", () => {
  expect(errorAnnotation("a, b: c", "100% of\nit ::warning::x")).toBe(
    "::error title=a%2C b%3A c::100%25 of\\nit \\x3a:warning\\x3a:x\n",
  );
});
