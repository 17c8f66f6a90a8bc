// The job summary of GitHub Actions, in Markdown.

import { escapeText } from "../redaction/escape.ts";
import { explanationOf, firstAdvice, headlineWithQuote } from "./reason.ts";
import { type AccountResult, countOutcomes, type FileReport, isPartial, shownAccount } from "./report.ts";

// Within a line: markup of GitHub's Markdown and of HTML, mathematics ($), emoji (:), people (@), issues (#), and what makes a
// link of an address. See https://github.github.com/gfm and https://docs.github.com/get-started/writing-on-github.
const markup = /[\\`*_[\]<>&|~$:@#]|(?<=www)\./gi;

/** A text within a line of Markdown, such as a cell of a table. */
function cell(text: string): string {
  return escapeText(text).replace(markup, (mark) => `&#${mark.charCodeAt(0)};`);
}

// The runner accepts at most 1 MiB for a step.
const mostRows = 200;

const tableHead =
  "| profile | method | outcome | what happened | why | what to do |\n|---|---|---|---|---|---|\n";

function rowOf(check: AccountResult): string {
  const { method, outcome } = check;
  const advice = firstAdvice(check);
  const texts = [headlineWithQuote(check), explanationOf(check), advice].map(cell).join(" | ");
  return `| ${cell(shownAccount(check))} | ${method ?? ""} | ${outcome.kind} | ${texts} |\n`;
}

/** The job summary of GitHub Actions, in Markdown: the counts, and a table of the checks that were not accepted. */
export const jobSummary: FileReport = function* (results, end) {
  const { error, counts } = end;
  const isCounted = error === null || counts.size > 0 || isPartial(end);
  yield `### referral-auth: ${isCounted ? countOutcomes(end) : "nothing was checked"}\n\n`;
  if (error !== null) yield `${cell(error.message)}. ${cell(error.hint)}\n\n`;
  let failed = 0;
  for (const result of results) {
    if (result.outcome.kind === "accepted") continue;
    failed += 1;
    if (failed === 1) yield tableHead;
    if (failed <= mostRows) yield rowOf(result);
  }
  if (failed > 0) yield "\n";
  if (failed > mostRows) yield `${failed - mostRows} more are not shown.\n\n`;
};
