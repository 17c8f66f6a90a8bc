import { describeError, endsTheRun } from "../describe-error.ts";
import { InputError, Interrupted, ReaderGone } from "../errors.ts";
import { combinedExitCode, type ExitCode, exitCodeOf, exitCodeOfRun } from "../exit-codes.ts";
import { countOutcomes, isPartial } from "../report/counts.ts";
import type { OpenReport } from "../report/open-report.ts";
import type { RunEnd } from "../report/report.ts";
import { writeRunError } from "../report/run-error.ts";
import { writeLine } from "../report/warning.ts";
import type { Context } from "../system/context.ts";
import type { TestRun } from "./options.ts";
import type { Reports } from "./reports.ts";

/** The state of the accounts at the end of a run. */
export type AccountsEnd = Pick<RunEnd, "left" | "linesRead" | "allRead">;

/**
 * Ends all reports and resolves with the exit code of the run. `failure` is the error that ended the run, or null. It writes
 * nothing if the command line is wrong. After an interruption it always rejects with Interrupted. Otherwise it rejects with
 * the error that the caller must report: the failure, or an OutputError if a report could not be written.
 */
export async function endReports(
  { files, printed, problems: unopened, tally, rest }: Reports,
  { json, ndjson, shard }: TestRun,
  accounts: AccountsEnd,
  failure: unknown,
  context: Context,
): Promise<ExitCode> {
  if (failure instanceof InputError && failure.kind === "usage") throw failure;
  const interruptionNow = (): Interrupted | null =>
    context.interrupted.reason instanceof Interrupted ? context.interrupted.reason : null;
  let interruption = interruptionNow();
  const problems = new Set<unknown>(unopened);
  // If a terminal was closed, its streams fail as well.
  if (failure !== null && !(interruption !== null && endsTheRun(failure))) problems.add(failure);
  for (const { problem } of interruption === null ? [...files, printed] : files)
    if (problem !== null) problems.add(problem);
  const isEmpty = tally.counts.size === 0;

  /** Of several problems, the first that decides the exit code; null if there is none. */
  const decisive = (): unknown =>
    [...problems].find((problem) => exitCodeOfRun(problem) === exitCodeOf.failed) ?? [...problems][0] ?? null;

  /** What the reports contain at their end, as far as it is known now. */
  function runEnd(): RunEnd {
    const problem = decisive();
    const stopped = interruption ?? problem;
    // A run that ends before its first result has an error, which says it all.
    const isCounted = interruption !== null || !isEmpty;
    const emptyShard =
      shard !== undefined && isEmpty && stopped === null ? `${shard.index}/${shard.count}` : null;
    const checked = emptyShard === null ? combinedExitCode([...tally.counts.keys()]) : exitCodeOf.accepted;
    return {
      ...accounts,
      ...tally,
      ...(!isCounted && { left: [], allRead: true }),
      emptyShard,
      exitCode: stopped === null ? checked : exitCodeOfRun(stopped),
      interrupted: interruption !== null,
      error: problem === null ? null : { code: exitCodeOfRun(problem), ...describeError(problem) },
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
      if (!(error instanceof Interrupted)) problems.add(error);
      return false;
    }
  }
  const end = (report: OpenReport): Promise<boolean> => attempt(() => report.end(runEnd(), context.now()));

  // Files take the results at once, so they do not wait for the reader of standard output.
  const rested = attempt(rest);
  for (const file of files) await end(file);
  await rested;
  // If a run failed before its first result, its error is the whole of what is printed.
  const isPrinted = (problems.size === 0 || !isEmpty || interruptionNow() !== null) && (await end(printed));
  // Ignore a signal during the last write: what is written then already contains another exit code.
  const ended = runEnd();
  // With --ndjson, standard output contains only results. In a document, an empty list could be overlooked.
  const isRead = ![...problems].some((problem) => problem instanceof ReaderGone);
  if (isRead && isPartial(ended) && (ndjson || (json && ended.emptyShard !== null)))
    await writeLine(countOutcomes(ended), context.stderr).catch(() => {});
  const problem = decisive();
  for (const other of problems) {
    if (other instanceof ReaderGone || (interruption === null && other === problem)) continue;
    const { message } = describeError(other);
    await writeLine(`Error: ${message}`, context.stderr).catch(() => {});
  }
  if (interruption !== null) throw interruption;
  if (ended.error === null) return ended.exitCode;
  // A JSON document is complete with the error that it contains.
  if (!json || !isPrinted) throw problem;
  await writeRunError(ended.error, context);
  return ended.exitCode;
}
