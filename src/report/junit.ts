import { explain } from "../check/explanation/explain.ts";
import type { CheckResult } from "../check/outcome.ts";
import type { RunResult } from "./counts.ts";
import { escapeText } from "./escape.ts";

/** A text as an XML attribute or content: one printable line, with what XML reserves or forbids (XML 1.0, 2.2) replaced. */
function xml(text: string): string {
  return escapeText(text, 1_000)
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

function testCase({ profile, method, durationMs, outcome, findings }: CheckResult): string {
  const attributes = `classname="${xml(`referral-auth.${profile ?? "default"}`)}" name="${method ?? "settings"}" time="${seconds(durationMs)}"`;
  if (outcome.kind === "accepted") return `    <testcase ${attributes}/>\n`;
  // A refused credential is what is tested for; everything else says that it could not be tested.
  const element = outcome.kind === "rejected" ? "failure" : "error";
  const { headline, next } = explain(outcome);
  const details = findings.map(({ certainty, message, fix }) =>
    message === headline ? fix : `${certainty}: ${message}; ${fix}`,
  );
  const body = (details.length > 0 ? details : [next]).map(xml).join("\n");
  return (
    `    <testcase ${attributes}>\n` +
    `      <${element} type="${outcome.kind}" message="${xml(headline)}">${body}</${element}>\n` +
    "    </testcase>\n"
  );
}

// Its methods are not known: an account is planned when its turn comes.
function skippedCase(profile: string | null): string {
  return (
    `    <testcase classname="${xml(`referral-auth.${profile ?? "default"}`)}" name="not checked" time="0.000">\n` +
    '      <skipped message="the run was interrupted before this account was checked"/>\n' +
    "    </testcase>\n"
  );
}

/**
 * The results as a JUnit document, as CI servers read it: refused credentials are failures, unknown ones errors, and
 * accounts that an interruption left are skipped.
 */
export function junitReport({ results, left }: RunResult, now: number): string {
  const failures = results.filter(({ outcome }) => outcome.kind === "rejected").length;
  const errors = results.filter(
    ({ outcome }) => outcome.kind !== "rejected" && outcome.kind !== "accepted",
  ).length;
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const counts = `tests="${results.length + left.length}" failures="${failures}" errors="${errors}"`;
  const timestamp = new Date(now).toISOString().slice(0, 19);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites name="referral-auth" ${counts} time="${time}">\n`,
    `  <testsuite name="referral-auth" ${counts} skipped="${left.length}" time="${time}" timestamp="${timestamp}">\n`,
    ...results.map(testCase),
    ...left.map(skippedCase),
    "  </testsuite>\n",
    "</testsuites>\n",
  ].join("");
}
