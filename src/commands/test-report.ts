import { resolve } from "node:path";
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

/** How results are to be shown. */
export interface ReportOptions {
  readonly json: boolean;
  readonly ndjson: boolean;
  /** The files to write besides, by their format. */
  readonly files: ReadonlyArray<{ readonly format: FormatName; readonly path: string }>;
  readonly failedOnly: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

/** What a run knows of its accounts at its end. */
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
    const target = resolve(context.workingFolder ?? "/", path);
    writers.push(fileWriter(report(), `--${format}`, target, context));
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

/** The report of a run in all the forms that were asked for. `open` makes it. */
export class Report {
  readonly #options: ReportOptions;
  readonly #context: Context;
  readonly #files: readonly ReportWriter[];
  readonly #printed: ReportWriter;
  readonly #counts = new Map<Outcome["kind"], number>();

  private constructor(
    options: ReportOptions,
    context: Context,
    files: readonly ReportWriter[],
    printed: ReportWriter,
  ) {
    this.#options = options;
    this.#context = context;
    this.#files = files;
    this.#printed = printed;
  }

  /** Prepares the report and writes nothing. `several` says whether the run is over several accounts. */
  static async open(options: ReportOptions, several: boolean, context: Context): Promise<Report> {
    const files = await fileReports(options, context);
    return new Report(options, context, files, await printedReport(options, several, context));
  }

  /** Takes a result, and resolves when it is printed. Rejects with OutputError. */
  async add(check: ReportedCheck): Promise<void> {
    const { kind } = check.outcome;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    await Promise.all([...this.#files, this.#printed].map(async (writer) => writer.add(check)));
  }

  /**
   * Completes the report and resolves with the exit code of the run. Rejects with OutputError if a form could not be
   * written. After an interruption it writes what can be written, and rejects with Interrupted whatever else went wrong.
   */
  async finish(accounts: AccountsEnd): Promise<ExitCode> {
    const isEmpty = accounts.mayBeEmpty && this.#counts.size === 0;
    const exitCode = isEmpty ? 0 : combinedExitCode([...this.#counts.keys()]);
    let interruption: Interrupted | null = null;
    let problem: { readonly error: unknown; readonly isPrinted: boolean } | null = null;
    for (const writer of [...this.#files, this.#printed]) {
      interruption = interruptionOf(this.#context);
      try {
        await writer.finish(this.#endOf(accounts, exitCode, interruption ?? problem?.error ?? null));
      } catch (error) {
        interruption = interruptionOf(this.#context);
        if (!(error instanceof Interrupted)) problem ??= { error, isPrinted: writer === this.#printed };
      }
    }
    // A signal that comes while the last form is written does not count: that form holds another code.
    if (interruption !== null) {
      await this.#tellInterruption(accounts, interruption, problem?.error ?? null);
      throw interruption;
    }
    if (problem === null) return exitCode;
    if (!this.#options.json || problem.isPrinted) throw problem.error;
    return this.#reported(problem.error);
  }

  /**
   * Ends the report of a run that an error ended, and gives its exit code. Rejects with the error if nothing was written
   * for it, so that it is still to be reported.
   */
  async fail(error: unknown, accounts: AccountsEnd): Promise<ExitCode> {
    if (!this.#options.json || this.#counts.size === 0) throw error;
    // The document has begun, so its end tells the error. If standard output is lost, standard error still tells it.
    await this.#printed.finish(this.#endOf(accounts, exitCodeOfError(error), error)).catch(() => {});
    return this.#reported(error);
  }

  /** Removes temporary files. */
  dispose(): void {
    for (const writer of this.#files) writer.dispose?.();
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

  // With --ndjson nothing but results is on standard output.
  async #tellInterruption(accounts: AccountsEnd, interruption: Interrupted, problem: unknown): Promise<void> {
    const { stderr } = this.#context;
    const counts = countOutcomes(this.#endOf(accounts, 0, interruption));
    const texts = [
      ...(this.#options.ndjson ? [`${counts}\n`] : []),
      ...(problem === null ? [] : [`Error: ${escapeText(describeError(problem).message)}\n`]),
    ];
    for (const text of texts) await stderr.write(text).catch(() => {});
  }
}
