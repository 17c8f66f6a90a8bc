import { countOutcomes } from "./counts.ts";
import { escapeText } from "./escape.ts";
import { adviceOf, reasonOf } from "./reason.ts";
import { type ReportedCheck, type ReportWriter, shownAccount } from "./report-writer.ts";

/** A text within a cell of a Markdown table. All ASCII punctuation is replaced, because any of it may be markup one day. */
function cell(text: string): string {
  return escapeText(text).replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

// The runner accepts at most 1 MiB for a step.
const mostRows = 200;

function rowOf(check: ReportedCheck): string {
  const { method, outcome } = check;
  const [advice = ""] = adviceOf(check);
  const texts = [check.headline, reasonOf(check), advice].map(cell).join(" | ");
  return `| ${cell(shownAccount(check) ?? "")} | ${method ?? ""} | ${outcome.kind} | ${texts} |\n`;
}

/** The job summary of GitHub Actions, in Markdown: the counts, and a table of the checks that were not accepted. */
export function jobSummaryWriter(append: (text: string) => Promise<void>): ReportWriter {
  const rows: string[] = [];
  let failed = 0;
  return {
    add: (check) => {
      if (check.outcome.kind === "accepted") return;
      failed += 1;
      if (failed <= mostRows) rows.push(rowOf(check));
    },
    finish: (end) => {
      const table =
        failed === 0
          ? ""
          : `| profile | method | outcome | what happened | why | what to do |\n|---|---|---|---|---|---|\n${rows.join("")}\n`;
      const problem = end.error === null ? "" : `${cell(end.error.message)}. ${cell(end.error.hint)}\n\n`;
      const more = failed > mostRows ? `${failed - mostRows} more are not shown.\n\n` : "";
      return append(
        `### referral-auth: ${end.error !== null && end.counts.size === 0 ? "nothing was checked" : countOutcomes(end)}\n\n${problem}${table}${more}`,
      );
    },
  };
}
