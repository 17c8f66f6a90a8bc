import type { Outcome } from "../check/outcome.ts";
import { type FormatName, fileFormats } from "../report/file-formats.ts";
import { isGitHubActions } from "../report/github-actions.ts";
import { inOrder } from "../report/in-order.ts";
import type { Print } from "../report/json.ts";
import { columnsOf, paintOf, wantsColor } from "../report/paint.ts";
import type { ReportWriter } from "../report/report-writer.ts";
import type { Context } from "../system/context.ts";
import type { Accounts } from "./test-accounts.ts";

/** How to show results. */
export interface ReportOptions {
  readonly json: boolean;
  readonly ndjson: boolean;
  /** Further reports to write to files; the paths are absolute. */
  readonly files: ReadonlyArray<{ readonly format: FormatName; readonly path: string }>;
  readonly failedOnly: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

const unwritten: ReportWriter = { add: () => {}, finish: async () => {} };

/** The report on standard output. `several` says whether several accounts were chosen. */
async function printedReport(
  options: ReportOptions,
  several: boolean,
  context: Context,
): Promise<ReportWriter> {
  const print: Print = (text) => context.stdout.write(text);
  if (options.json || options.ndjson) {
    const { jsonWriter, ndjsonWriter } = await import("../report/json.ts");
    return options.json ? jsonWriter(print) : ndjsonWriter(print);
  }
  if (options.quiet) return unwritten;
  const { textWriter } = await import("../report/text.ts");
  const { environment, stdout } = context;
  return textWriter(print, {
    paint: await paintOf(wantsColor(stdout.isTerminal, options.color, environment), columnsOf(stdout)),
    several,
    failedOnly: options.failedOnly,
    annotate: isGitHubActions(environment),
  });
}

/** The reports in files, and the job summary of GitHub Actions. */
async function fileReports({ files }: ReportOptions, context: Context): Promise<readonly ReportWriter[]> {
  const writers: ReportWriter[] = [];
  const { GITHUB_STEP_SUMMARY: summary } = context.environment;
  const summaryPath = isGitHubActions(context.environment) && summary ? summary : null;
  if (files.length === 0 && summaryPath === null) return writers;
  const { fileWriter, writing } = await import("../report/file-writer.ts");
  for (const { format, path } of files) {
    const report = await fileFormats[format].load();
    writers.push(fileWriter(report(), `--${format}`, path, context));
  }
  if (summaryPath !== null) {
    const { jobSummaryWriter } = await import("../report/job-summary.ts");
    const append = (text: string) =>
      writing("GITHUB_STEP_SUMMARY", () => context.appendFile(summaryPath, text));
    writers.push(jobSummaryWriter(append));
  }
  return writers;
}

/** The report of a run: what is printed, and the files. */
export interface Report {
  readonly options: ReportOptions;
  readonly context: Context;
  readonly printed: ReportWriter;
  /** All writers: the files, then what is printed. */
  readonly writers: readonly ReportWriter[];
  /** How many checks there are of each outcome. */
  readonly counts: Map<Outcome["kind"], number>;
}

/** Prepares the report of a run and writes nothing. `accounts` is null if they could not be loaded. */
export async function openReport(
  options: ReportOptions,
  accounts: Pick<Accounts, "several" | "total"> | null,
  context: Context,
): Promise<Report> {
  // The order of a stream is not known, and --ndjson prints each result as soon as it is finished.
  const isOrdered = accounts !== null && accounts.total !== null;
  const files = (await fileReports(options, context)).map((file) => (isOrdered ? inOrder(file) : file));
  const direct = await printedReport(options, accounts?.several ?? false, context);
  const printed = isOrdered && !options.ndjson ? inOrder(direct) : direct;
  return { options, context, printed, writers: [...files, printed], counts: new Map() };
}
