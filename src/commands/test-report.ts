import type { Outcome } from "../check/outcome.ts";
import { describeError, endsTheRun } from "../describe-error.ts";
import { InputError, Interrupted } from "../errors.ts";
import { combinedExitCode, type ExitCode, exitCodeOfError } from "../exit-codes.ts";
import { countOutcomes } from "../report/counts.ts";
import { escapeText } from "../report/escape.ts";
import { inOrder } from "../report/in-order.ts";
import type { AccountName, ReportedCheck, ReportWriter, RunEnd, RunError } from "../report/report-writer.ts";
import { writeRunError } from "../report/run-error.ts";
import type { Context } from "../system/context.ts";
import { fileReports, printedReport, type ReportOptions } from "./report-options.ts";
import type { Accounts } from "./test-accounts.ts";

/** The state of the accounts at the end of a run. */
export interface AccountsEnd extends Pick<RunEnd, "left" | "linesRead" | "allRead"> {
  /** Whether a run without a single check is a success. */
  readonly mayBeEmpty: boolean;
}

/** What ended the run from outside, or null. */
function interruptionOf({ interrupted }: Context): Interrupted | null {
  return interrupted.reason instanceof Interrupted ? interrupted.reason : null;
}

/** The report of a run: what is printed, and the files. Use `open` to make one. */
export class Report {
  readonly #options: ReportOptions;
  readonly #context: Context;
  readonly #printed: ReportWriter;
  /** The files, then what is printed. */
  readonly #writers: readonly ReportWriter[];
  readonly #counts = new Map<Outcome["kind"], number>();

  private constructor(
    options: ReportOptions,
    context: Context,
    files: readonly ReportWriter[],
    printed: ReportWriter,
  ) {
    this.#options = options;
    this.#context = context;
    this.#printed = printed;
    this.#writers = [...files, printed];
  }

  /** Prepares the report and writes nothing. `accounts` is null if they could not be loaded. */
  static async open(
    options: ReportOptions,
    accounts: Pick<Accounts, "several" | "total"> | null,
    context: Context,
  ): Promise<Report> {
    const files = await fileReports(options, context);
    const printed = await printedReport(options, accounts?.several ?? false, context);
    // The order of a stream is not known.
    if (accounts === null || accounts.total === null) return new Report(options, context, files, printed);
    // --ndjson prints each result as soon as it is finished.
    return new Report(options, context, files.map(inOrder), options.ndjson ? printed : inOrder(printed));
  }

  /** Adds a result and resolves when it is printed. Rejects with OutputError. */
  async add(check: ReportedCheck): Promise<void> {
    const { kind } = check.outcome;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    await Promise.all(this.#writers.map(async (writer) => writer.add(check)));
  }

  /** Notes that an account has no further results. */
  async accountFinished(account: AccountName): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.accountFinished?.(account)));
  }

  /**
   * Completes the report and resolves with the exit code of the run. `failure` is the error that ended the run, or null. It
   * writes nothing if the command line is wrong. After an interruption it always rejects with Interrupted. Otherwise it rejects
   * with the error that the caller must report: the failure, or an OutputError if a part could not be written.
   */
  async finish(accounts: AccountsEnd, failure: unknown): Promise<ExitCode> {
    const isEmpty = accounts.mayBeEmpty && this.#counts.size === 0;
    if (failure instanceof InputError && failure.kind === "usage") throw failure;
    const exitCode = isEmpty ? 0 : combinedExitCode([...this.#counts.keys()]);
    let interruption: Interrupted | null = null;
    // If a terminal was closed, its streams fail as well.
    let problem = interruptionOf(this.#context) !== null && endsTheRun(failure) ? null : failure;
    let isPrinted = false;
    for (const writer of this.#writers) {
      interruption = interruptionOf(this.#context);
      // If a run failed before its first result, its error is the whole of what is printed.
      if (writer === this.#printed && failure !== null && this.#counts.size === 0 && interruption === null)
        break;
      try {
        await writer.finish(this.#endOf(accounts, exitCode, interruption ?? problem));
        isPrinted = writer === this.#printed;
      } catch (error) {
        interruption = interruptionOf(this.#context);
        if (!(error instanceof Interrupted)) problem ??= error;
      }
    }
    // Ignore a signal during the last write: what is written then already contains another exit code.
    if (interruption !== null) {
      await this.#reportInterruption(accounts, interruption, problem);
      throw interruption;
    }
    if (problem === null) return exitCode;
    // A JSON document is complete with the error that it contains.
    if (!this.#options.json || !isPrinted) throw problem;
    const runError = runErrorOf(problem);
    await writeRunError(runError, this.#context);
    return runError.code;
  }

  /** Removes temporary files. */
  dispose(): void {
    for (const writer of this.#writers) writer.dispose?.();
  }

  #endOf(accounts: AccountsEnd, exitCode: ExitCode, error: unknown): RunEnd {
    const interrupted = error instanceof Interrupted;
    return {
      exitCode: error === null ? exitCode : exitCodeOfError(error),
      counts: this.#counts,
      interrupted,
      left: interrupted ? accounts.left : [],
      linesRead: accounts.linesRead,
      allRead: accounts.allRead,
      error: error === null || interrupted ? null : runErrorOf(error),
    };
  }

  // With --ndjson, standard output contains only results, so the counts go to standard error.
  async #reportInterruption(
    accounts: AccountsEnd,
    interruption: Interrupted,
    problem: unknown,
  ): Promise<void> {
    const { stderr } = this.#context;
    const counts = countOutcomes(this.#endOf(accounts, 0, interruption));
    const texts = [
      ...(this.#options.ndjson ? [`${counts}\n`] : []),
      ...(problem === null ? [] : [`Error: ${escapeText(describeError(problem).message)}\n`]),
    ];
    for (const text of texts) await stderr.write(text).catch(() => {});
  }
}

const runErrorOf = (error: unknown): RunError => ({
  code: exitCodeOfError(error),
  ...describeError(error),
});
