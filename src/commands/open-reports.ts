import type { Outcome } from "../check/outcome.ts";
import { type FormatName, fileFormats } from "../report/file-formats.ts";
import { isGitHubActions } from "../report/github-actions.ts";
import { inOrder } from "../report/in-order.ts";
import { appended, inFile, type OpenReport, streamed } from "../report/open-report.ts";
import { columnsOf, paintOf, wantsColor } from "../report/paint.ts";
import type { AccountResult, Report } from "../report/report.ts";
import type { Context } from "../system/context.ts";
import type { Accounts } from "./test-accounts.ts";

/** Which reports of a run to write, and how. */
export interface OutputOptions {
  readonly json: boolean;
  readonly ndjson: boolean;
  /** Further reports to write to files; the paths are absolute. */
  readonly files: ReadonlyArray<{ readonly format: FormatName; readonly path: string }>;
  readonly failedOnly: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
}

/** The report on standard output. `several` says whether several accounts were chosen. */
async function printedReport(options: OutputOptions, several: boolean, context: Context): Promise<Report> {
  const { environment, stdout } = context;
  if (options.json || options.ndjson) {
    const { jsonReport, ndjsonReport } = await import("../report/json.ts");
    return options.json ? jsonReport() : ndjsonReport;
  }
  if (options.quiet) return { add: () => [], end: () => [] };
  const { textReport } = await import("../report/text.ts");
  return textReport({
    paint: await paintOf(wantsColor(stdout.isTerminal, options.color, environment), columnsOf(stdout)),
    several,
    failedOnly: options.failedOnly,
    annotate: isGitHubActions(environment),
  });
}

/** The reports in files, and the job summary of GitHub Actions. */
async function fileReports({ files }: OutputOptions, context: Context): Promise<readonly OpenReport[]> {
  const opened: OpenReport[] = [];
  for (const { format, path } of files) {
    const report = await fileFormats[format].load();
    opened.push(inFile(report(path), `--${format}`, path, context));
  }
  const { GITHUB_STEP_SUMMARY: path } = context.environment;
  if (path && isGitHubActions(context.environment)) {
    const { jobSummary } = await import("../report/job-summary.ts");
    opened.push(appended(jobSummary(), "GITHUB_STEP_SUMMARY", path, context));
  }
  return opened;
}

/** Opens the reports of a run and writes nothing. `accounts` is null if they could not be loaded. */
export async function openReports(
  options: OutputOptions,
  accounts: Pick<Accounts, "several" | "total"> | null,
  context: Context,
) {
  const files = await fileReports(options, context);
  const report = await printedReport(options, accounts?.several ?? false, context);
  const printed = streamed(report, (text) => context.stdout.write(text));
  const counts = new Map<Outcome["kind"], number>();
  const writeTo = (reports: readonly OpenReport[]) => async (result: AccountResult) =>
    void (await Promise.all(reports.map((one) => one.add(result))));
  // The order of a stream is not known, and --ndjson prints each result as soon as it is finished.
  const isOrdered = accounts !== null && accounts.total !== null;
  const write = writeTo(isOrdered ? (options.ndjson ? [printed] : []) : [...files, printed]);
  const ordered = inOrder(writeTo(options.ndjson ? files : [...files, printed]));
  return {
    /** The reports in files, which are ended before the printed one. */
    files,
    printed,
    /** How many results there are of each outcome. */
    counts,
    /** Adds a result before it returns, and resolves when it is written. `isLast` tells that its account has no further results. */
    add: async (result: AccountResult, isLast: boolean): Promise<void> => {
      const { kind } = result.outcome;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      await Promise.all([write(result), isOrdered && ordered.add(result, isLast)]);
    },
    /** Writes the results that wait for those of other accounts. */
    rest: ordered.rest,
  };
}

/** The reports of a run. Each gets all results, and then the end. */
export type Reports = Awaited<ReturnType<typeof openReports>>;
