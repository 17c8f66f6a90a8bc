import { resolve } from "node:path";
import type { CheckResult } from "../check/outcome.ts";
import type { Context } from "../context.ts";
import type { ExitCode } from "../exit-codes.ts";
import { FileProblem } from "../file-system.ts";
import { Interrupted, OutputFailure } from "../mistake.ts";
import { countOutcomes } from "../report/counts.ts";
import { type FormatName, fileFormats } from "../report/file-formats.ts";
import { errorAnnotation, isGitHubActions } from "../report/github-actions.ts";
import { jsonReport } from "../report/json.ts";
import { paintOf, wantsColor } from "../report/paint.ts";
import { explain } from "../report/sentences.ts";
import { checkReport } from "../report/text.ts";

/** How results are to be shown. */
export interface ReportOptions {
  readonly json: boolean;
  /** The files to write besides, by their format. */
  readonly files: ReadonlyArray<{ readonly format: FormatName; readonly path: string }>;
  readonly quiet: boolean;
  readonly color: boolean;
}

/**
 * Shows the results in the forms that were asked for. Rejects with OutputFailure; and with Interrupted, when the other
 * forms are written, where a signal ended the waiting for the reader of a file.
 */
export async function reportResults(
  options: ReportOptions,
  exitCode: ExitCode,
  results: readonly CheckResult[],
  context: Context,
): Promise<void> {
  const interrupted = await writeFiles(options, results, context);
  if (isGitHubActions(context.environment)) await writeSummary(results, context);
  if (options.json) {
    await context.stdout.write(jsonReport(interrupted?.exitCode ?? exitCode, results, null));
  } else if (!options.quiet) {
    await context.stdout.write(await textOf(options, results, context));
  }
  if (interrupted !== null) throw interrupted;
}

async function writeFiles(
  { files }: ReportOptions,
  results: readonly CheckResult[],
  context: Context,
): Promise<Interrupted | null> {
  let interrupted: Interrupted | null = null;
  for (const { format, path } of files) {
    const written = await fileFormats[format].writer();
    const target = resolve(context.workingFolder ?? "/", path);
    try {
      await writing(`--${format}`, () =>
        context.writeFile(target, written(results, context.now()), context.interrupted),
      );
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      interrupted = error;
    }
  }
  return interrupted;
}

async function writing(place: string, action: () => void | Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    throw error instanceof FileProblem
      ? new OutputFailure(`${place} names a file that could not be written (${error.code})`)
      : error;
  }
}

async function writeSummary(results: readonly CheckResult[], context: Context): Promise<void> {
  const path = context.environment.GITHUB_STEP_SUMMARY;
  if (!path) return;
  const { jobSummary } = await import("../report/job-summary.ts");
  await writing("GITHUB_STEP_SUMMARY", () => context.appendFile(path, jobSummary(results)));
}

async function textOf(
  { color }: ReportOptions,
  results: readonly CheckResult[],
  context: Context,
): Promise<string> {
  const paint = await paintOf(wantsColor(context.stdout.isTerminal, color, context.environment));
  const several = results.some(({ profile }) => profile !== null) && results.length > 1;
  const reports = results.map((result) => checkReport(result, paint, several));
  const parts = [several ? reports.join("") : reports.join("\n")];
  if (several) parts.push(`${countOutcomes(results)}\n`);
  if (isGitHubActions(context.environment)) {
    const failed = results.filter(({ outcome }) => outcome.kind !== "accepted");
    parts.push(
      ...failed.map(({ profile, method, outcome }) =>
        errorAnnotation(
          ["referral-auth", profile, method].filter((part) => part !== null).join(" "),
          explain(outcome).headline,
        ),
      ),
    );
  }
  return parts.join("");
}
