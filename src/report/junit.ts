import { escapeText } from "./escape.ts";
import { repeatsHeadline } from "./reason.ts";
import {
  type AccountName,
  type FileReport,
  type ReportedCheck,
  type RunEnd,
  shownAccount,
} from "./report-writer.ts";

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

const className = (account: AccountName): string =>
  `classname="${xml(`referral-auth.${shownAccount(account) ?? "default"}`)}"`;

function testCase(check: ReportedCheck): string {
  const { method, durationMs, outcome, headline, findings } = check;
  const attributes = `${className(check)} name="${method ?? "settings"}" time="${seconds(durationMs)}"`;
  if (outcome.kind === "accepted") return `    <testcase ${attributes}/>\n`;
  // A refused credential fails the test. Any other outcome means that the credential could not be tested.
  const element = outcome.kind === "rejected" ? "failure" : "error";
  const body = findings
    .map((finding) => {
      const { certainty, message, fix } = finding;
      return xml(repeatsHeadline(finding) ? fix : `${certainty}: ${message}; ${fix}`);
    })
    .join("\n");
  return (
    `    <testcase ${attributes}>\n` +
    `      <${element} type="${outcome.kind}" message="${xml(headline)}">${body}</${element}>\n` +
    "    </testcase>\n"
  );
}

// The methods of an account are known only once it is planned.
function skippedCase(account: AccountName): string {
  return (
    `    <testcase ${className(account)} name="not checked" time="0.000">\n` +
    '      <skipped message="the run was interrupted before this account was checked"/>\n' +
    "    </testcase>\n"
  );
}

function headOf({ counts, left }: RunEnd, durationMs: number, now: number): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const failures = counts.get("rejected") ?? 0;
  const errors = total - failures - (counts.get("accepted") ?? 0);
  const time = seconds(durationMs);
  const figures = `tests="${total + left.length}" failures="${failures}" errors="${errors}"`;
  const timestamp = new Date(now).toISOString().slice(0, 19);
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<testsuites name="referral-auth" ${figures} time="${time}">\n` +
    `  <testsuite name="referral-auth" ${figures} skipped="${left.length}" time="${time}" timestamp="${timestamp}">\n`
  );
}

/**
 * A JUnit document, as CI servers read it: refused credentials are failures, other failed checks are errors, and accounts
 * that an interruption left are skipped.
 */
export function junitReport(): FileReport {
  let durationMs = 0;
  return {
    add: (check) => {
      durationMs += check.durationMs;
      return [testCase(check)];
    },
    finish: (end, now) => [
      {
        head: headOf(end, durationMs, now),
        foot: `${end.left.map(skippedCase).join("")}  </testsuite>\n</testsuites>\n`,
      },
    ],
  };
}
