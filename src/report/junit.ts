// The JUnit report. An account's name identifies its case.

import { outcomes, responseOf } from "../check/outcome.ts";
import { exitCodeOf } from "../exit-codes.ts";
import { escapeName, escapeText } from "../redaction/escape.ts";
import { headlineWithQuote, quotesIn, repeatsOutcome } from "./reason.ts";
import {
  type AccountName,
  type AccountResult,
  type FileReport,
  lineNoun,
  type RunEnd,
  type RunError,
} from "./report.ts";

const quoted = (line: string): string =>
  line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const xml = (text: string): string => quoted(escapeText(text, 1_000));

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** The name identifies the account, and its place only where the name does not. */
function identity({ profile, line, csv, position, isRepeated }: AccountName): string {
  const place = `${lineNoun(csv)} ${line}`;
  if (profile === null) return line === null ? "default" : place;
  if (!isRepeated) return profile;
  return line === null ? `${profile} (${position})` : `${profile} (${place})`;
}

const className = (account: AccountName): string =>
  `classname="referral-auth.${quoted(escapeName(identity(account)))}"`;

const testCase = (attributes: string, content: string): string =>
  content === ""
    ? `    <testcase ${attributes}/>\n`
    : `    <testcase ${attributes}>\n      ${content}\n    </testcase>\n`;

function caseOf(check: AccountResult): string {
  const { method, durationMs, outcome, findings, url, credential } = check;
  const attributes = `${className(check)} name="${method ?? "settings"}" time="${seconds(durationMs)}"`;
  const { junit: element } = outcomes[outcome.kind];
  const advised = new Set<string>();
  const reasons = findings.flatMap((finding) => {
    const { certainty, message, fix } = finding;
    const parts = repeatsOutcome(finding) ? [] : [`${certainty}: ${message}`];
    // Several findings can have the same advice.
    if (!advised.has(fix)) parts.push(fix);
    advised.add(fix);
    return parts.length === 0 ? [] : parts.join("; ");
  });
  if (element === null) {
    const output = reasons.map(xml).join("\n");
    return testCase(attributes, output && `<system-out>${output}</system-out>`);
  }
  const request = url === null ? "" : `GET ${url}${credential === null ? "" : ` with ${credential}`}`;
  const response = responseOf(outcome);
  // The server's operator looks for the request by these.
  const last = check.checkedAt + (response?.requestId ? `, request id ${response.requestId}` : "");
  const quotes = quotesIn(response).map(([name, quote]) => `${name}: ${quote}`);
  const body = [...quotes, ...reasons, request, check.attempts === 0 ? "" : `checked ${last}`]
    .filter((line) => line !== "")
    .map(xml)
    .join("\n");
  const opening = `<${element} type="${outcome.kind}" message="${xml(headlineWithQuote(check))}">`;
  return testCase(attributes, `${opening}${body}</${element}>`);
}

/** The cases of what was not checked, each skipped. The methods of an account are known only when its checks are prepared. */
function skippedCases({ left, interrupted, allRead }: RunEnd): readonly string[] {
  const skipped = (attributes: string, why: string): string =>
    testCase(`${attributes} time="0.000"`, `<skipped message="${xml(why)}"/>`);
  const ended = interrupted ? "was interrupted" : "ended early";
  const cases = left.map((account) =>
    skipped(`${className(account)} name="not checked"`, `the run ${ended} before this account was checked`),
  );
  const ofRun = 'classname="referral-auth" name="run"';
  if (!allRead) cases.push(skipped(ofRun, `the run ${ended} before it had read all accounts`));
  return cases;
}

function errorCase({ code, message, hint }: RunError): string {
  const type = code === exitCodeOf["not-checked"] ? "not-checked" : "failed";
  const error = `<error type="${type}" message="${xml(message)}">${xml(hint)}</error>`;
  return testCase('classname="referral-auth" name="run" time="0.000"', error);
}

function openingOf({ counts, error, endedAt }: RunEnd, skipped: number, durationMs: number): string {
  const totals = { failure: 0, error: 0, accepted: 0 };
  for (const [kind, count] of counts) totals[outcomes[kind].junit ?? "accepted"] += count;
  const { failure: failures, accepted } = totals;
  const errors = totals.error + (error === null ? 0 : 1);
  const time = seconds(durationMs);
  const figures = `tests="${accepted + failures + errors + skipped}" failures="${failures}" errors="${errors}"`;
  const timestamp = new Date(endedAt).toISOString().slice(0, 19);
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<testsuites name="referral-auth" ${figures} time="${time}">\n` +
    `  <testsuite name="referral-auth" ${figures} skipped="${skipped}" time="${time}" timestamp="${timestamp}">\n`
  );
}

/** A JUnit document: refused credentials are failures, what else failed is an error, and accounts that were left are skipped. */
export const junitReport: FileReport = function* (results, end) {
  let durationMs = 0;
  for (const result of results) durationMs += result.durationMs;
  const skipped = skippedCases(end);
  yield openingOf(end, skipped.length, durationMs);
  for (const result of results) yield caseOf(result);
  if (end.error !== null) yield errorCase(end.error);
  yield* skipped;
  yield "  </testsuite>\n</testsuites>\n";
};
