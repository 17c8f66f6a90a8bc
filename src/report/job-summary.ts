import { explain } from "../check/explanation/explain.ts";
import { countOutcomes, type RunResult } from "./counts.ts";
import { escapeText } from "./escape.ts";

/** A text within a cell of a Markdown table. All punctuation of ASCII is replaced: any of it may be markup one day. */
function cell(text: string): string {
  return escapeText(text).replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

// The runner takes 1 MiB for a step; a table of what is fine would drown what is not.
const mostRows = 200;

/** The job summary of GitHub Actions, in Markdown: the counts, and a table of the checks that were not accepted. */
export function jobSummary(run: RunResult): string {
  const failed = run.results.filter(({ outcome }) => outcome.kind !== "accepted");
  const rows = failed.slice(0, mostRows).map(({ profile, method, outcome, findings }) => {
    const { headline, next } = explain(outcome);
    const why = findings.find(({ message }) => message !== headline)?.message ?? next;
    return `| ${cell(profile ?? "")} | ${method ?? ""} | ${outcome.kind} | ${cell(headline)} | ${cell(why)} |\n`;
  });
  return [
    `### referral-auth: ${countOutcomes(run)}\n\n`,
    ...(rows.length === 0
      ? []
      : ["| profile | method | outcome | what happened | why |\n|---|---|---|---|---|\n", ...rows, "\n"]),
    ...(failed.length > mostRows ? [`${failed.length - mostRows} more are not shown.\n\n`] : []),
  ].join("");
}
