import { describeError, endsTheRun } from "../describe-error.ts";
import { InputError, Interrupted } from "../errors.ts";
import { combinedExitCode, type ExitCode, exitCodeOfError } from "../exit-codes.ts";
import { countOutcomes } from "../report/counts.ts";
import { escapeText } from "../report/escape.ts";
import type { RunEnd, RunError } from "../report/report-writer.ts";
import { writeRunError } from "../report/run-error.ts";
import type { Report } from "./test-report.ts";

/** The state of the accounts at the end of a run. */
export interface AccountsEnd extends Pick<RunEnd, "left" | "linesRead" | "allRead"> {
  /** Whether a run without a single check is a success. */
  readonly mayBeEmpty: boolean;
}

const runErrorOf = (error: unknown): RunError => ({
  code: exitCodeOfError(error),
  ...describeError(error),
});

/** What a report contains at its end, after this error or null. */
function endOf({ counts }: Report, accounts: AccountsEnd, error: unknown): RunEnd {
  const isSuccess = accounts.mayBeEmpty && counts.size === 0;
  const exitCode = isSuccess ? 0 : combinedExitCode([...counts.keys()]);
  const interrupted = error instanceof Interrupted;
  return {
    ...accounts,
    exitCode: error === null ? exitCode : exitCodeOfError(error),
    counts,
    interrupted,
    left: interrupted ? accounts.left : [],
    error: error === null || interrupted ? null : runErrorOf(error),
  };
}

/**
 * Completes the report and resolves with the exit code of the run. `failure` is the error that ended the run, or null. It
 * writes nothing if the command line is wrong. After an interruption it always rejects with Interrupted. Otherwise it rejects
 * with the error that the caller must report: the failure, or an OutputError if a part could not be written.
 */
export async function finishReport(
  report: Report,
  accounts: AccountsEnd,
  failure: unknown,
): Promise<ExitCode> {
  const { options, context, writers, printed, counts } = report;
  if (failure instanceof InputError && failure.kind === "usage") throw failure;
  const interruptionNow = (): Interrupted | null =>
    context.interrupted.reason instanceof Interrupted ? context.interrupted.reason : null;
  let interruption: Interrupted | null = null;
  // If a terminal was closed, its streams fail as well.
  let problem = interruptionNow() !== null && endsTheRun(failure) ? null : failure;
  let isPrinted = false;
  for (const writer of writers) {
    interruption = interruptionNow();
    // If a run failed before its first result, its error is the whole of what is printed.
    if (writer === printed && failure !== null && counts.size === 0 && interruption === null) break;
    try {
      await writer.finish(endOf(report, accounts, interruption ?? problem));
      isPrinted = writer === printed;
    } catch (error) {
      interruption = interruptionNow();
      if (!(error instanceof Interrupted)) problem ??= error;
    }
  }
  // Ignore a signal during the last write: what is written then already contains another exit code.
  if (interruption !== null) {
    await writeInterruption(report, accounts, interruption, problem);
    throw interruption;
  }
  if (problem === null) return endOf(report, accounts, null).exitCode;
  // A JSON document is complete with the error that it contains.
  if (!options.json || !isPrinted) throw problem;
  const runError = runErrorOf(problem);
  await writeRunError(runError, context);
  return runError.code;
}

// With --ndjson, standard output contains only results, so the counts go to standard error.
async function writeInterruption(
  report: Report,
  accounts: AccountsEnd,
  interruption: Interrupted,
  problem: unknown,
): Promise<void> {
  const { options, context } = report;
  const texts = [
    ...(options.ndjson ? [`${countOutcomes(endOf(report, accounts, interruption))}\n`] : []),
    ...(problem === null ? [] : [`Error: ${escapeText(describeError(problem).message)}\n`]),
  ];
  for (const text of texts) await context.stderr.write(text).catch(() => {});
}
