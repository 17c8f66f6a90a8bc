// The reports of a run. They are begun before the first request, get each result, and are ended however the run ends. One that is lost
// stops no other.

import type { OutcomeKind } from "../check/outcome.ts";
import { describeError, endsTheRun } from "../describe-error.ts";
import { Interrupted, OutputError, ReaderGone } from "../errors.ts";
import { combinedExitCode, type ExitCode, exitCodeOf, exitCodeOfRun } from "../exit-codes.ts";
import { isGitHubActions } from "../report/github-actions.ts";
import { warnOn, writeLine, writeRunError } from "../report/messages.ts";
import { columnsOf, paintOf, wantsColor } from "../report/paint.ts";
import {
  type AccountResult,
  countOutcomes,
  type FileReport,
  isPartial,
  keptResult,
  type PrintedReport,
  type RunEnd,
} from "../report/report.ts";
import type { Accounts } from "../settings/accounts-file.ts";
import type { NamedFile } from "../settings/files.ts";
import type { Context } from "../system/context.ts";
import { type OutputFile, writing } from "../system/file-writing.ts";
import { fileFormats, type TestRun } from "./options.ts";

/** The report on standard output. `several` says whether several accounts were chosen. */
async function printedReport(run: TestRun, several: boolean, context: Context): Promise<PrintedReport> {
  const { environment, stdout } = context;
  if (run.json || run.ndjson) {
    const { jsonReport, ndjsonReport } = await import("../report/json.ts");
    return run.json ? jsonReport() : ndjsonReport;
  }
  if (run.quiet) return { add: () => "", end: () => "" };
  const { textReport } = await import("../report/text.ts");
  const paint = await paintOf(wantsColor(stdout.isTerminal, run.color, environment), columnsOf(stdout));
  const { failedOnly } = run;
  return textReport(paint, { several, failedOnly, annotate: isGitHubActions(environment) });
}

const summaryVariable = "GITHUB_STEP_SUMMARY";

/** The files that a run writes, each with what loads the code of its report. Nobody asked for the job summary, which is appended. */
export function outputsOf({ files }: TestRun, { environment }: Pick<Context, "environment">) {
  const reports = files.map(({ format, path }) => {
    return { name: `--${format}`, path, isSummary: false, load: fileFormats[format].load };
  });
  const path = isGitHubActions(environment) && environment[summaryVariable];
  if (!path) return reports;
  const load = async (): Promise<FileReport> => (await import("../report/job-summary.ts")).jobSummary;
  return [...reports, { name: summaryVariable, path, isSummary: true, load }];
}

/** Results in the order of their accounts' positions, whichever account is finished first. */
export class InOrder {
  /** The results that are not due, by position. */
  readonly #held = new Map<number, readonly AccountResult[]>();
  readonly #finished = new Set<number>();
  #next = 1;

  /** Adds a result and returns those that are due. `isLast` tells that its account has no further results. */
  add(result: AccountResult, isLast: boolean): readonly AccountResult[] {
    const { position } = result;
    this.#held.set(position, [...(this.#held.get(position) ?? []), result]);
    if (isLast) this.#finished.add(position);
    const due: AccountResult[] = [];
    for (;;) {
      for (const held of this.#held.get(this.#next) ?? []) due.push(held);
      this.#held.delete(this.#next);
      if (!this.#finished.delete(this.#next)) return due;
      this.#next += 1;
    }
  }

  /** What still waits: after an interruption, some wait for accounts that will never be finished. */
  rest(): readonly AccountResult[] {
    return [...this.#held.values()].flat().sort((one, other) => one.position - other.position);
  }
}

/** What reports say of the accounts at the end of a run. */
export type AccountsEnd = Pick<RunEnd, "left" | "linesRead" | "isCsv" | "allRead">;

/** The reports of a run. Each result is printed at once, and kept for the reports in files, which are written at the end. */
export class Reports {
  /** What went wrong: a report that could not be begun or written, and the error that ended the run. */
  readonly #problems = new Set<unknown>();
  readonly #run: TestRun;
  readonly #context: Context;
  readonly #printed: PrintedReport;
  readonly #files: Array<NamedFile & Readonly<{ report: FileReport; target: OutputFile }>> = [];
  readonly #kept: AccountResult[] = [];
  readonly #isStream: boolean;
  /** Null if results are printed as they are finished: those of a stream, and with --ndjson. */
  readonly #order: InOrder | null;
  readonly #counts = new Map<OutcomeKind, number>();
  #notSent = 0;
  /** Why standard output takes no more. */
  #lost: OutputError | null = null;

  /** Begins the reports before the first request. `accounts` is null if they could not be loaded. */
  static async begin(
    run: TestRun,
    accounts: Pick<Accounts, "total"> | null,
    context: Context,
  ): Promise<Reports> {
    const printed = await printedReport(run, accounts !== null && accounts.total !== 1, context);
    const reports = new Reports(run, printed, accounts?.total ?? null, context);
    for (const { name, path, isSummary, load } of outputsOf(run, context)) {
      try {
        const report = await load();
        const target = await writing(name, path, () => context.openTarget(path, isSummary));
        reports.#files.push({ report, name, path, target });
      } catch (error) {
        if (!(error instanceof OutputError)) throw error;
        // The checks are worth more than a job summary.
        if (isSummary) await warnOn(context)(error.message).catch(() => {});
        else reports.#problems.add(new OutputError(`${error.message}; nothing was sent`));
      }
    }
    return reports;
  }

  private constructor(run: TestRun, printed: PrintedReport, total: number | null, context: Context) {
    this.#run = run;
    this.#printed = printed;
    this.#context = context;
    this.#order = run.ndjson || total === null ? null : new InOrder();
    this.#isStream = total === null;
  }

  /** Whether all reports could be begun. Otherwise nothing may be sent. */
  get areBegun(): boolean {
    return this.#problems.size === 0;
  }

  /**
   * Adds a result at once, and resolves when it is printed. `isLast`: its account has no further results. Rejects with OutputError if it
   * cannot be printed and no report in a file is asked for: then nobody would read the rest.
   */
  async add(result: AccountResult, isLast: boolean): Promise<void> {
    const { kind } = result.outcome;
    if (kind === "unavailable" && result.attempts === 0) this.#notSent += 1;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (this.#files.length > 0) this.#kept.push(keptResult(result));
    await this.#print(this.#order?.add(result, isLast) ?? [result]);
    if (this.#lost !== null && this.#run.files.length === 0) throw this.#lost;
  }

  async #print(results: readonly AccountResult[], end: RunEnd | null = null): Promise<void> {
    const added = results.map((result) => this.#printed.add(result)).join("");
    const text = added + (end === null ? "" : this.#printed.end(end));
    if (text === "" || this.#lost !== null) return;
    try {
      await this.#context.stdout.write(text);
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      this.#lost ??= error;
    }
  }

  /**
   * Writes the reports in files, then the rest of standard output, and resolves with the exit code. `failure` is the error that ended the
   * run, or null. Rejects with Interrupted after a signal, otherwise with the error that the caller must report: the failure, or that of
   * a report.
   */
  async end(accounts: AccountsEnd, failure: unknown): Promise<ExitCode> {
    const problems = this.#problems;
    // A signal explains these failures: with SIGHUP, the streams of a closed terminal fail.
    const isInterrupted = this.#interruption() !== null;
    if (failure !== null && !(isInterrupted && endsTheRun(failure))) problems.add(failure);
    if (this.#lost !== null && !isInterrupted) problems.add(this.#lost);
    await this.#writeFiles(accounts);
    // A signal during the last write is ignored: what is written then already contains another exit code.
    const interruption = this.#interruption();
    // If a run failed before its first result, its error is the whole of what is printed.
    const isPrinted = problems.size === 0 || this.#counts.size > 0 || interruption !== null;
    if (isPrinted) {
      await this.#print(this.#order?.rest() ?? [], this.#endOf(accounts, interruption));
      if (this.#lost !== null) problems.add(this.#lost);
    }
    // Made again, since the last write may have failed.
    const ended = this.#endOf(accounts, interruption);
    const decisive = this.#decisive();
    // The caller reports the interruption, or else the decisive problem. The others go to standard error.
    const others = [...problems].filter((problem) => interruption !== null || problem !== decisive);
    await this.#tell(ended, others);
    if (interruption !== null) throw interruption;
    if (ended.error === null) return ended.exitCode;
    // A JSON document is complete with the error that it contains.
    if (!this.#run.json || !isPrinted || this.#lost !== null) throw decisive;
    await writeRunError(ended.error, this.#context);
    return ended.exitCode;
  }

  /** Writes the reports in files. What could not be written is added to the problems, and the next report has it. */
  async #writeFiles(accounts: AccountsEnd): Promise<void> {
    const { interrupted } = this.#context;
    if (!this.#isStream) this.#kept.sort((one, other) => one.position - other.position);
    for (const { report, name, path, target } of this.#files) {
      const end = this.#endOf(accounts, this.#interruption());
      const write = () => target.write(report(this.#kept, end, path), interrupted);
      await writing(name, path, write).catch((error: unknown) => {
        if (!(error instanceof Interrupted)) this.#problems.add(error);
      });
    }
  }

  /** Says on standard error what standard output does not: how far the run came, and these problems. */
  async #tell(end: RunEnd, problems: readonly unknown[]): Promise<void> {
    const say = (text: string): Promise<void> => writeLine(text, this.#context.stderr).catch(() => {});
    // With --ndjson, standard output contains only results.
    if (this.#run.ndjson && isPartial(end) && !(this.#lost instanceof ReaderGone))
      await say(countOutcomes(end));
    for (const problem of problems)
      if (!(problem instanceof ReaderGone)) await say(`Error: ${describeError(problem).message}`);
  }

  #interruption(): Interrupted | null {
    const { reason } = this.#context.interrupted;
    return reason instanceof Interrupted ? reason : null;
  }

  /** What a report contains at its end, as far as it is known now. */
  #endOf(accounts: AccountsEnd, interruption: Interrupted | null): RunEnd {
    const problem = this.#decisive();
    const stopped = interruption ?? problem;
    const isEmpty = this.#counts.size === 0;
    return {
      ...accounts,
      // A run that ends before its first result reports its error alone.
      ...(isEmpty && interruption === null && { left: [], allRead: true }),
      counts: this.#counts,
      notSent: this.#notSent,
      exitCode: stopped === null ? combinedExitCode([...this.#counts.keys()]) : exitCodeOfRun(stopped),
      interrupted: interruption !== null,
      error: problem === null ? null : { code: exitCodeOfRun(problem), ...describeError(problem) },
      endedAt: this.#context.now(),
    };
  }

  /** The problem that decides the exit code; null if there is none. */
  #decisive(): unknown {
    const all = [...this.#problems];
    return all.find((problem) => exitCodeOfRun(problem) === exitCodeOf.failed) ?? all[0] ?? null;
  }

  /** Closes the files that were not written, and removes what was begun. */
  dispose(): void {
    for (const { target } of this.#files) target.close();
  }
}
