import { countOutcomes, Origins } from "./counts.ts";
import { FailureGroups } from "./failure-groups.ts";
import { Annotations, errorAnnotation } from "./github-actions.ts";
import type { Print } from "./json.ts";
import { wrapped } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { type ReportedCheck, type ReportWriter, shownAccount } from "./report-writer.ts";
import { checkReport, verdictOf } from "./text.ts";

/** How to write the text report. */
interface TextOptions {
  readonly paint: Paint;
  readonly verbose: boolean;
  /** Whether the run is over several accounts. */
  readonly several: boolean;
  /** Leave accepted checks out. */
  readonly failedOnly: boolean;
  /** Add annotations for GitHub Actions. */
  readonly annotate: boolean;
}

// If a server is down, the checks of all its accounts fail. More equal lines would hide the other failures.
const mostEqualLines = 10;

/**
 * Writes the text report. For several accounts: a line for each check, the details of equal failures once, and at the end
 * the names of the accounts that failed, the counts and the server. Only the first ten of equal failures have a line of their own.
 */
export function textWriter(
  print: Print,
  { paint, verbose, several, failedOnly, annotate }: TextOptions,
): ReportWriter {
  const groups = new FailureGroups();
  const annotations = new Annotations();
  const origins = new Origins();
  let count = 0;

  function textOf(check: ReportedCheck): string {
    const named = { ...check, profile: shownAccount(check) };
    if (!several) return `${count > 1 ? "\n" : ""}${checkReport(named, paint, verbose)}`;
    if (check.outcome.kind === "accepted") return failedOnly ? "" : verdictOf(named, paint);
    const equal = groups.add(check);
    if (equal > mostEqualLines) return "";
    return equal === 1 ? checkReport(named, paint, verbose) : verdictOf(named, paint);
  }

  return {
    add: async (check) => {
      count += 1;
      origins.add(check);
      if (check.outcome.kind !== "accepted") annotations.add(check);
      const text = textOf(check);
      if (text !== "") await print(text);
    },
    finish: async (end) => {
      const counts = countOutcomes(end);
      const parts = [groups.text(paint)];
      if (several || end.interrupted)
        parts.push(`${wrapped(several ? counts + origins.text() : counts, paint, 2)}\n`);
      if (annotate) parts.push(annotations.text());
      if (annotate && end.interrupted) parts.push(errorAnnotation("referral-auth", counts));
      const text = parts.join("");
      if (text !== "") await print(text);
    },
  };
}
