import { describeError, endsTheRun } from "../describe-error.ts";
import { InputError, Interrupted } from "../errors.ts";
import { combinedExitCode, type ExitCode, exitCodeOfError } from "../exit-codes.ts";
import { countOutcomes } from "../report/counts.ts";
import { escapeText } from "../report/escape.ts";
import type { OpenReport } from "../report/open-report.ts";
import type { RunEnd } from "../report/report.ts";
import { writeRunError } from "../report/run-error.ts";
import type { Context } from "../system/context.ts";
import type { OutputOptions, Reports } from "./open-reports.ts";
import type { Shard } from "./shard.ts";

/** The state of the accounts at the end of a run. */
export type AccountsEnd = Pick<RunEnd, "left" | "linesRead" | "allRead">;

/**
 * Ends all reports and resolves with the exit code of the run. `failure` is the error that ended the run, or null. It writes
 * nothing if the command line is wrong. After an interruption it always rejects with Interrupted. Otherwise it rejects with
 * the error that the caller must report: the failure, or an OutputError if a part could not be written.
 */
export async function endReports(
  { files, printed, counts, rest }: Reports,
  { json, ndjson, shard }: Pick<OutputOptions, "json" | "ndjson"> & { readonly shard: Shard | null },
  accounts: AccountsEnd,
  failure: unknown,
  context: Context,
): Promise<ExitCode> {
  if (failure instanceof InputError && failure.kind === "usage") throw failure;
  const interruptionNow = (): Interrupted | null =>
    context.interrupted.reason instanceof Interrupted ? context.interrupted.reason : null;
  let interruption = interruptionNow();
  // If a terminal was closed, its streams fail as well.
  let problem = interruption !== null && endsTheRun(failure) ? null : failure;

  /** What the reports contain at their end, after this error or null. */
  function runEnd(error: unknown): RunEnd {
    const interrupted = error instanceof Interrupted;
    // A shard may have no account.
    const checked = shard !== null && counts.size === 0 ? 0 : combinedExitCode([...counts.keys()]);
    const exitCode = error === null ? checked : exitCodeOfError(error);
    return {
      ...accounts,
      exitCode,
      counts,
      interrupted,
      left: interrupted ? accounts.left : [],
      error: error === null || interrupted ? null : { code: exitCode, ...describeError(error) },
    };
  }
  /** Runs the action, notes why it failed, and resolves with whether it did not. */
  async function attempt(action: () => Promise<void>): Promise<boolean> {
    interruption = interruptionNow();
    try {
      await action();
      return true;
    } catch (error) {
      interruption = interruptionNow();
      if (!(error instanceof Interrupted)) problem ??= error;
      return false;
    }
  }
  const end = (report: OpenReport): Promise<boolean> =>
    attempt(() => report.end(runEnd(interruption ?? problem), context.now()));

  // Files take the results at once, so they do not wait for the reader of standard output.
  const rested = attempt(rest);
  for (const file of files) await end(file);
  await rested;
  // If a run failed before its first result, its error is the whole of what is printed.
  const isPrinted =
    (failure === null || counts.size > 0 || interruptionNow() !== null) && (await end(printed));
  // Ignore a signal during the last write: what is written then already contains another exit code.
  if (interruption !== null) {
    const texts = [
      // With --ndjson, standard output contains only results, so the counts go to standard error.
      ...(ndjson ? [`${countOutcomes(runEnd(interruption))}\n`] : []),
      ...(problem === null ? [] : [`Error: ${escapeText(describeError(problem).message)}\n`]),
    ];
    for (const text of texts) await context.stderr.write(text).catch(() => {});
    throw interruption;
  }
  const { exitCode, error } = runEnd(problem);
  if (error === null) return exitCode;
  // A JSON document is complete with the error that it contains.
  if (!json || !isPrinted) throw problem;
  await writeRunError(error, context);
  return exitCode;
}
