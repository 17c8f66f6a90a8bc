import type { Outcome } from "../check/outcome.ts";
import { OutputError } from "../errors.ts";
import { fileFormats } from "../report/file-formats.ts";
import { isGitHubActions } from "../report/github-actions.ts";
import { inOrder } from "../report/in-order.ts";
import { inFile, type OpenReport, onStream } from "../report/open-report.ts";
import { columnsOf, paintOf, wantsColor } from "../report/paint.ts";
import type { AccountResult, Report } from "../report/report.ts";
import { warn } from "../report/warning.ts";
import type { Context } from "../system/context.ts";
import type { Accounts } from "./accounts.ts";
import type { TestRun } from "./options.ts";

/** The report on standard output. `several` says whether several accounts were chosen. */
async function printedReport(options: TestRun, several: boolean, context: Context): Promise<Report> {
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

/** The reports in files, and the job summary of GitHub Actions: those that could be opened, and why the others could not. */
async function fileReports({ files }: TestRun, context: Context) {
  const opened: OpenReport[] = [];
  const problems: OutputError[] = [];
  for (const { format, path } of files) {
    const report = await fileFormats[format].load();
    const file = await inFile(report(path), `--${format}`, path, context);
    if (!(file instanceof OutputError)) opened.push(file);
    // The run ends before its first request.
    else problems.push(new OutputError(`${file.message}; nothing was sent`));
  }
  const { GITHUB_STEP_SUMMARY: path } = context.environment;
  if (path && isGitHubActions(context.environment)) {
    const { jobSummary } = await import("../report/job-summary.ts");
    const file = await inFile(jobSummary(), "GITHUB_STEP_SUMMARY", path, context, true);
    if (!(file instanceof OutputError)) opened.push(file);
    // The job did not ask for the summary, so its checks are worth more.
    else await warn(file.message, context.stderr).catch(() => {});
  }
  return { opened, problems };
}

/** Opens the reports of a run before its first request. `accounts` is null if they could not be loaded. */
export async function openReports(
  options: TestRun,
  accounts: Pick<Accounts, "several" | "total"> | null,
  context: Context,
) {
  const report = await printedReport(options, accounts?.several ?? false, context);
  // Where nobody reads standard output, a run without other reports has nothing left to tell.
  const isOnly = options.files.length === 0;
  const printed = onStream(report, context.stdout, isOnly);
  const { opened: files, problems } = await fileReports(options, context);
  const tally = { counts: new Map<Outcome["kind"], number>(), notSent: 0 };
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
    /** Why reports could not be opened. */
    problems,
    /** How many results there are of each outcome, and how many are `unavailable` without a request. */
    tally,
    /** Adds a result before it returns, and resolves when it is written. `isLast` tells that its account has no further results. */
    add: async (result: AccountResult, isLast: boolean): Promise<void> => {
      const { kind } = result.outcome;
      if (kind === "unavailable" && result.attempts === 0) tally.notSent += 1;
      tally.counts.set(kind, (tally.counts.get(kind) ?? 0) + 1);
      await Promise.all([write(result), isOrdered && ordered.add(result, isLast)]);
    },
    /** Writes the results that wait for those of other accounts. */
    rest: ordered.rest,
  };
}

/** The reports of a run. Each gets all results, and then the end. */
export type Reports = Awaited<ReturnType<typeof openReports>>;
