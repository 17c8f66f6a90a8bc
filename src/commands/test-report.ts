import { resolve } from "node:path";
import { explain } from "../check/explanation/explain.ts";
import { describeError } from "../describe-error.ts";
import { Interrupted, OutputError } from "../errors.ts";
import { type ExitCode, exitCodeOfError } from "../exit-codes.ts";
import { countOutcomes, type RunResult } from "../report/counts.ts";
import { escapeText } from "../report/escape.ts";
import { type FormatName, fileFormats } from "../report/file-formats.ts";
import { errorAnnotation, isGitHubActions } from "../report/github-actions.ts";
import { jsonReport } from "../report/json.ts";
import { columnsOf } from "../report/layout.ts";
import { paintOf, wantsColor } from "../report/paint.ts";
import { checkReport } from "../report/text.ts";
import type { Context } from "../system/context.ts";
import { FileProblem } from "../system/file-reading.ts";

/** How results are to be shown. */
export interface ReportOptions {
  readonly json: boolean;
  /** The files to write besides, by their format. */
  readonly files: ReadonlyArray<{ readonly format: FormatName; readonly path: string }>;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

/** What a run came to, and the exit code of its checks. */
interface Reported extends RunResult {
  readonly exitCode: ExitCode;
}

/**
 * Shows the results in the forms that were asked for, and rejects with OutputError at the first that cannot be
 * written. Of an interrupted run it writes all that can be, and rejects with Interrupted, whatever else went wrong.
 */
export async function reportResults(
  options: ReportOptions,
  { exitCode, results, left }: Omit<Reported, "interrupted">,
  context: Context,
): Promise<void> {
  let interruption: Interrupted | null = null;
  let problem: unknown = null;
  const outputs = [...options.files.map((file) => writeReport(file)), writeSummary, print(options)];
  for (const output of outputs) {
    interruption = interruptionOf(context);
    try {
      await output(
        {
          results,
          left,
          interrupted: interruption !== null,
          exitCode: interruption === null ? exitCode : exitCodeOfError(interruption),
        },
        context,
      );
    } catch (error) {
      interruption = interruptionOf(context);
      if (interruption === null) throw error;
      if (!(error instanceof Interrupted)) problem = error;
    }
  }
  // A signal that came while the last output was written does not count: that output holds another code.
  if (interruption === null) return;
  if (problem !== null) {
    const { message } = describeError(problem);
    await context.stderr.write(`Error: ${escapeText(message)}\n`).catch(() => {});
  }
  throw interruption;
}

/** What ended the run from outside, or null. */
export function interruptionOf({ interrupted }: Context): Interrupted | null {
  return interrupted.reason instanceof Interrupted ? interrupted.reason : null;
}

type Write = (run: Reported, context: Context) => Promise<void>;

function writeReport({ format, path }: ReportOptions["files"][number]): Write {
  return async (run, context) => {
    const written = await fileFormats[format].writer();
    const target = resolve(context.workingFolder ?? "/", path);
    await writing(`--${format}`, () =>
      context.writeFile(target, written(run, context.now()), context.interrupted),
    );
  };
}

async function writing(place: string, action: () => void | Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new OutputError(
      error.code === "FOREIGN_LINK"
        ? `${place} names a link of another user in a folder that all can write to; it was not followed`
        : `${place} names a file that could not be written (${error.code})`,
    );
  }
}

const writeSummary: Write = async (run, context) => {
  const path = context.environment.GITHUB_STEP_SUMMARY;
  if (!isGitHubActions(context.environment) || !path) return;
  const { jobSummary } = await import("../report/job-summary.ts");
  await writing("GITHUB_STEP_SUMMARY", () => context.appendFile(path, jobSummary(run)));
};

function print({ json, quiet, verbose, color }: ReportOptions): Write {
  return async (run, context) => {
    if (json) await context.stdout.write(jsonReport(run.exitCode, run));
    else if (!quiet) await context.stdout.write(await textOf(run, { verbose, color }, context));
  };
}

async function textOf(
  run: Reported,
  { verbose, color }: Pick<ReportOptions, "verbose" | "color">,
  context: Context,
): Promise<string> {
  const { results, interrupted } = run;
  const paint = await paintOf(
    wantsColor(context.stdout.isTerminal, color, context.environment),
    columnsOf(context.stdout),
  );
  const several = results.some(({ profile }) => profile !== null) && results.length > 1;
  const reports = results.map((result) => checkReport(result, paint, { several, verbose }));
  const parts = [several ? reports.join("") : reports.join("\n")];
  const counts = countOutcomes(run);
  if (several || interrupted) parts.push(`${counts}\n`);
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
    if (interrupted) parts.push(errorAnnotation("referral-auth", counts));
  }
  return parts.join("");
}
