import { expect, test } from "vitest";
import { shownConnection } from "../../src/check/observer.ts";
import type { OutcomeKind } from "../../src/check/outcome.ts";
import { jobSummary } from "../../src/report/job-summary.ts";
import { jsonOfError, jsonReport, ndjsonReport } from "../../src/report/json.ts";
import { paintOf } from "../../src/report/paint.ts";
import {
  type AccountResult,
  type FileReport,
  keptResult,
  type PrintedReport,
  type RunEnd,
} from "../../src/report/report.ts";
import { textReport } from "../../src/report/text.ts";
import { fileFormats } from "../../src/run/options.ts";
import { version } from "../../src/version.ts";
import { unredacted } from "../check/causes/found.ts";
import { connectionOf, proxyFailure } from "../support/exchanges.ts";
import { ended, outcomeOf, reported } from "../support/outcomes.ts";

const url = "https://api.example/test-authentication";
const clock = { skewSeconds: 400, uncertaintySeconds: 1 };
const findings: AccountResult["findings"] = [
  { id: "clock-ahead", certainty: "measured", message: "this clock is > ahead", fix: 'Set the "clock"' },
  { id: "local-address", certainty: "measured", message: "it leads here", fix: 'Set the "clock"' },
  { id: "rejected", certainty: "measured", message: "the headline", fix: "Compare the credential" },
];
const good = { profile: "good", url, credential: "the token", findings: findings.slice(0, 2) };
const { accepted, rejected, unexpected, unavailable, timeout, failed } = outcomeOf;
const named = { kind: "rejected", response: { ...rejected.response, requestId: "a\n1" } } as const;
const page = { ...accepted.response, contentType: "text/html", message: "All of a page" };
const atProxy = { kind: "unreachable", failure: proxyFailure({ step: "tls" }) } as const;
const connection = shownConnection(connectionOf(), unredacted);
const checks: readonly AccountResult[] = [
  reported({ ...good, clock, connection, durationMs: 1_500 }),
  reported({ profile: "bad", url, credential: "the token & more", outcome: rejected, findings }),
  reported({ profile: "bad", position: 3, isRepeated: true, url }),
  reported({ profile: "bad", line: 9, position: 4, isRepeated: true }),
  reported({ line: 10, position: 5, method: null, attempts: 0, outcome: outcomeOf["not-checked"] }),
  reported({
    outcome: named,
    position: 6,
    method: "wsse",
    headline: 'a comma, 100%; (why?) - "it\'s" = a+b/c!',
  }),
  reported({ profile: 'a\u001b[31m\r\n"b\\\u202e|::www.x.example', position: 7, outcome: atProxy }),
  ...[unavailable, timeout, failed, { ...unexpected, response: page }].map((outcome, index) =>
    reported({ profile: outcome.kind, position: 8 + index, url, outcome }),
  ),
];
const counts = new Map<OutcomeKind, number>();
for (const { outcome } of checks) counts.set(outcome.kind, (counts.get(outcome.kind) ?? 0) + 1);
const left = [{ profile: "later", line: null, csv: null, position: 20, isRepeated: false }];
const error = { code: 3, message: "No token is set", hint: "Give a token" } as const;
const endedAt = Date.parse("2026-11-21T12:00:00.250Z");
const stopped = { ...ended, exitCode: 130, interrupted: true, left, error, endedAt } satisfies RunEnd;
const paused: Partial<RunEnd> = { counts: new Map([["unavailable", 3]]), notSent: 2, linesRead: 1 };

/** The ends of runs: of one with these checks, and of runs without any. */
const ends: ReadonlyArray<readonly [string, readonly AccountResult[], RunEnd]> = [
  ["every outcome, an error and a signal", checks, { ...stopped, counts }],
  ["nothing", [], ended],
  ["a bug", [], { ...ended, exitCode: 1, error: { ...error, code: 1 } }],
  ["a stream that broke off", [], { ...ended, linesRead: 7, allRead: false }],
  ["a signal before the accounts were read", [], { ...ended, interrupted: true, allRead: false }],
  ["a pause and a signal", [], { ...ended, ...paused, interrupted: true, left }],
];

type Document = (checks: readonly AccountResult[], end: RunEnd) => string;
const inFile =
  (report: FileReport): Document =>
  (some, end) =>
    [...report(some.map(keptResult), end, "out/night.prom")].join("");
const printed =
  (make: () => PrintedReport): Document =>
  (some, end) => {
    const report = make();
    return some.map((check) => report.add(check)).join("") + report.end(end);
  };
const paint = await paintOf(false);
const several = { several: true, failedOnly: false, annotate: true };

// The texts are changed with `npx vitest run test/report --update`, and read as a diff.
test.each<[string, Document]>([
  ["junit", inFile(await fileFormats.junit.load())],
  ["metrics", inFile(await fileFormats.metrics.load())],
  ["summary", inFile(jobSummary)],
  ["ndjson", printed(() => ndjsonReport)],
  ["text", printed(() => textReport(paint, several))],
])("the documents of %s stand beside this test", async (name, document) => {
  const common = document([], ended).split("\n");
  const texts = ends.map(([title, some, end], index) => {
    // What explains the metrics, and counts outcomes, is in the first document. Of the third and later ones, what differs from the
    // second is shown.
    const text = document(some, end).replace(/^(?:# |referral_auth_checks).*\n/gm, index === 0 ? "$&" : "");
    const lines = text.split("\n").filter((line) => index < 2 || !common.includes(line));
    return `== ${title}\n${lines.join("\n").trimEnd()}\n`;
  });
  expect(texts.join("").replaceAll("\n", "")).toMatch(/^[\x20-\x7e×]*$/);
  await expect(texts.join("\n")).toMatchFileSnapshot(`documents/${name}.txt`);
});

test.each([0, 1, 2])(
  "--json writes %i checks as JSON.stringify indents them, and the end behind them",
  (count) => {
    const text = printed(jsonReport)(checks.slice(0, count), stopped);
    const document = JSON.parse(text);
    expect(text).toBe(`${JSON.stringify(document, null, 2)}\n`);
    expect(document).toMatchObject({ ok: false, exitCode: 130, notChecked: 1, linesRead: null, error });
    expect(document.checks.map((check: { profile: string }) => check.profile)).toEqual(
      ["good", "bad"].slice(0, count),
    );
  },
);

test("--json of an error that ended the run has no checks, and nothing that was not checked", () => {
  const unread = { notChecked: 0, notRead: false, linesRead: null };
  const document = { schemaVersion: 1, version, checks: [], ok: false, exitCode: 3, ...unread, error };
  expect(jsonOfError(error, "test")).toBe(`${JSON.stringify(document, null, 2)}\n`);
});
