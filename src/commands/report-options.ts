import { type FormatName, fileFormats } from "../report/file-formats.ts";
import { isGitHubActions } from "../report/github-actions.ts";
import type { Print } from "../report/json.ts";
import { columnsOf } from "../report/layout.ts";
import { paintOf, wantsColor } from "../report/paint.ts";
import type { ReportWriter } from "../report/report-writer.ts";
import type { Context } from "../system/context.ts";

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
export async function printedReport(
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
  const { textWriter } = await import("../report/text-writer.ts");
  const { environment, stdout } = context;
  return textWriter(print, {
    paint: await paintOf(wantsColor(stdout.isTerminal, options.color, environment), columnsOf(stdout)),
    verbose: options.verbose,
    several,
    failedOnly: options.failedOnly,
    annotate: isGitHubActions(environment),
  });
}

/** The reports in files, and the job summary of GitHub Actions. */
export async function fileReports(
  { files }: ReportOptions,
  context: Context,
): Promise<readonly ReportWriter[]> {
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
