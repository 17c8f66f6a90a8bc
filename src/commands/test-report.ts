import type { Outcome } from "../check/outcome.ts";
import { describeError } from "../describe-error.ts";
import { Interrupted } from "../errors.ts";
import { combinedExitCode, type ExitCode, exitCodeOfError } from "../exit-codes.ts";
import { countOutcomes } from "../report/counts.ts";
import { escapeText } from "../report/escape.ts";
import { type FormatName, fileFormats } from "../report/file-formats.ts";
import { isGitHubActions } from "../report/github-actions.ts";
import type { Print } from "../report/json.ts";
import { columnsOf } from "../report/layout.ts";
import { paintOf, wantsColor } from "../report/paint.ts";
import type { ReportedCheck, ReportWriter, RunEnd, RunError } from "../report/report-writer.ts";
import { writeRunError } from "../report/run-error.ts";
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

/** The state of the accounts at the end of a run. */
export interface AccountsEnd extends Pick<RunEnd, "left" | "linesRead"> {
  /** Whether a run without a single check is a success. */
  readonly mayBeEmpty: boolean;
}

/** What ended the run from outside, or null. */
export function interruptionOf({ interrupted }: Context): Interrupted | null {
  return interrupted.reason instanceof Interrupted ? interrupted.reason : null;
}

const unwritten: ReportWriter = { add: () => {}, finish: async () => {} };

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

const runErrorOf = (error: unknown): RunError => ({
  code: exitCodeOfError(error),
  ...describeError(error),
});

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

  /** Prepares the report and writes nothing. `several` says whether the run is over several accounts. */
  static async open(options: ReportOptions, several: boolean, context: Context): Promise<Report> {
    const files = await fileReports(options, context);
    return new Report(options, context, files, await printedReport(options, several, context));
  }

  /** Adds a result and resolves when it is printed. Rejects with OutputError. */
  async add(check: ReportedCheck): Promise<void> {
    const { kind } = check.outcome;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    await Promise.all(this.#writers.map(async (writer) => writer.add(check)));
  }

  /**
   * Completes the report and resolves with the exit code of the run. Rejects with OutputError if a part could not be
   * written. After an interruption it still completes the report, and then always rejects with Interrupted.
   */
  async finish(accounts: AccountsEnd): Promise<ExitCode> {
    const isEmpty = accounts.mayBeEmpty && this.#counts.size === 0;
    const exitCode = isEmpty ? 0 : combinedExitCode([...this.#counts.keys()]);
    let interruption: Interrupted | null = null;
    let problem: { readonly error: unknown; readonly isPrinted: boolean } | null = null;
    for (const writer of this.#writers) {
      interruption = interruptionOf(this.#context);
      try {
        await writer.finish(this.#endOf(accounts, exitCode, interruption ?? problem?.error ?? null));
      } catch (error) {
        interruption = interruptionOf(this.#context);
        if (!(error instanceof Interrupted)) problem ??= { error, isPrinted: writer === this.#printed };
      }
    }
    // Ignore a signal during the last write: what is written then already contains another exit code.
    if (interruption !== null) {
      await this.#reportInterruption(accounts, interruption, problem?.error ?? null);
      throw interruption;
    }
    if (problem === null) return exitCode;
    if (!this.#options.json || problem.isPrinted) throw problem.error;
    return this.#reported(problem.error);
  }

  /**
   * Ends the report of a run that failed with an error, and resolves with its exit code. Rejects with the error if the report
   * cannot contain it; the caller must then report it.
   */
  async fail(error: unknown, accounts: AccountsEnd): Promise<ExitCode> {
    if (!this.#options.json || this.#counts.size === 0) throw error;
    // The JSON document has begun, so its end contains the error. If standard output is lost, standard error still shows it.
    await this.#printed.finish(this.#endOf(accounts, exitCodeOfError(error), error)).catch(() => {});
    return this.#reported(error);
  }

  /** Removes temporary files. */
  dispose(): void {
    for (const writer of this.#writers) writer.dispose?.();
  }

  #endOf({ left, linesRead }: AccountsEnd, exitCode: ExitCode, error: unknown): RunEnd {
    const interrupted = error instanceof Interrupted;
    return {
      exitCode: error === null ? exitCode : exitCodeOfError(error),
      counts: this.#counts,
      interrupted,
      left: interrupted ? left : [],
      linesRead,
      error: error === null || interrupted ? null : runErrorOf(error),
    };
  }

  async #reported(error: unknown): Promise<ExitCode> {
    const runError = runErrorOf(error);
    await writeRunError(runError, this.#context);
    return runError.code;
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
