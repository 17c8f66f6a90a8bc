import { countOutcomes, isPartial } from "./counts.ts";
import { escapeText } from "./escape.ts";
import { adviceOf, explanationOf } from "./reason.ts";
import { type AccountResult, type Report, shownAccount } from "./report.ts";

/** A text within a cell of a Markdown table. All ASCII punctuation is replaced, because any of it may be markup one day. */
function cell(text: string): string {
  return escapeText(text).replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

// The runner accepts at most 1 MiB for a step.
const mostRows = 200;

const tableHead =
  "| profile | method | outcome | what happened | why | what to do |\n|---|---|---|---|---|---|\n";

function rowOf(check: AccountResult): string {
  const { method, outcome } = check;
  const [advice = ""] = adviceOf(check);
  const texts = [check.headline, explanationOf(check), advice].map(cell).join(" | ");
  return `| ${cell(shownAccount(check) ?? "")} | ${method ?? ""} | ${outcome.kind} | ${texts} |\n`;
}

/** The job summary of GitHub Actions, in Markdown: the counts, and a table of the checks that were not accepted. */
export function jobSummary(): Report {
  const rows: string[] = [];
  let failed = 0;
  return {
    add: (result) => {
      if (result.outcome.kind === "accepted") return [];
      failed += 1;
      if (failed <= mostRows) rows.push(rowOf(result));
      return [];
    },
    end: (end) => {
      const { error, counts } = end;
      const isCounted = error === null || counts.size > 0 || isPartial(end);
      const done = isCounted ? countOutcomes(end) : "nothing was checked";
      const problem = error === null ? "" : `${cell(error.message)}. ${cell(error.hint)}\n\n`;
      const table = failed === 0 ? "" : `${tableHead}${rows.join("")}\n`;
      const more = failed > mostRows ? `${failed - mostRows} more are not shown.\n\n` : "";
      return [{ head: "", foot: `### referral-auth: ${done}\n\n${problem}${table}${more}` }];
    },
  };
}
