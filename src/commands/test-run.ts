import type { CheckSettings } from "../check/prepare.ts";
import { endsTheRun } from "../describe-error.ts";
import type { ExitCode } from "../exit-codes.ts";
import type { ProgressBar } from "../report/progress-bar.ts";
import type { ReportedCheck } from "../report/report-writer.ts";
import type { SourceOptions } from "../settings/load.ts";
import { runPrecedence } from "../settings/precedence.ts";
import { readers } from "../settings/readers.ts";
import type { Context } from "../system/context.ts";
import { accountChecks } from "./account-checks.ts";
import { ResultOrder } from "./result-order.ts";
import { type Account, loadRunSettings, originOf, type RunSettings, shownName } from "./run-settings.ts";
import { runScheduled } from "./schedule.ts";
import type { Shard } from "./shard.ts";
import { type Accounts, profileAccounts, streamedAccounts, withoutStandardInput } from "./test-accounts.ts";
import { type AccountsEnd, interruptionOf, Report, type ReportOptions } from "./test-report.ts";

/** The options of one run of `test`. */
export interface TestRun extends CheckSettings, ReportOptions {
  readonly sources: SourceOptions;
  readonly shard: Shard | null;
}

// Accounts to read ahead for each request at once. More gains nothing and takes memory.
const aheadOfEach = 16;

/**
 * Makes the checks, reports each when it is finished, and resolves with the exit code. Rejects with InputError before
 * anything is sent, or with Interrupted after it has reported which checks were finished and which were not.
 */
export async function runTest(run: TestRun, context: Context): Promise<ExitCode> {
  const stop = new AbortController();
  const onInterruption = (): void => stop.abort(context.interrupted.reason);
  if (context.interrupted.aborted) onInterruption();
  context.interrupted.addEventListener("abort", onInterruption, { once: true });
  try {
    return await runUntil(stop.signal, run, context);
  } finally {
    context.interrupted.removeEventListener("abort", onInterruption);
    // Close standard input, or the process would wait for its end.
    stop.abort();
  }
}

async function runUntil(stop: AbortSignal, run: TestRun, context: Context): Promise<ExitCode> {
  // Call this before accounts are read, because a heap that has grown does not shrink again.
  if (run.sources.all || run.sources.accounts !== undefined) context.keepHeapSmall();
  const { settings, accounts } = await loadAccounts(stop, run, context).catch(async (error: unknown) => {
    if (interruptionOf(context) === null) throw error;
    const report = await Report.open(run, false, context);
    await report.finish({ left: [], linesRead: null, mayBeEmpty: false });
    throw error;
  });
  const report = await Report.open(run, accounts.total !== 1, context);
  const endOf = (): AccountsEnd => ({
    left: accounts.left().map((account) => ({ profile: shownName(settings, account), line: account.line })),
    linesRead: accounts.linesRead(),
    mayBeEmpty: run.shard !== null,
  });
  try {
    await makeChecks(run, settings, accounts, report, context);
    return await report.finish(endOf());
  } catch (error) {
    if (interruptionOf(context) !== null) throw error;
    return await report.fail(error, endOf());
  } finally {
    report.dispose();
  }
}

/** Loads the settings and opens the accounts. */
async function loadAccounts(
  stop: AbortSignal,
  run: TestRun,
  context: Context,
): Promise<{ readonly settings: RunSettings; readonly accounts: Accounts }> {
  const path = run.sources.accounts ?? null;
  const settings = await loadRunSettings(run.sources, withoutStandardInput(path, context));
  const accounts =
    path === null
      ? profileAccounts(settings, run.shard)
      : await streamedAccounts(path, run.shard, context, stop);
  return { settings, accounts };
}

/** Makes the checks of the accounts and reports each; resolves at the end, or when the run is interrupted. */
async function makeChecks(
  run: TestRun,
  settings: RunSettings,
  accounts: Accounts,
  report: Report,
  context: Context,
): Promise<void> {
  const { groups, total } = accounts;
  const progress = await progressFor(run, total, context);
  const makeChecksOf = accountChecks(run, settings, total !== 1, context);
  // Profiles are reported in the order of the file, and accounts of a stream, which are not known yet, as they finish.
  const order = new ResultOrder<Account, ReportedCheck>(accounts.left(), (check) => report.add(check));
  const concurrency = readers.concurrency(runPrecedence(settings.sources).levels).value;
  try {
    await runScheduled(groups, {
      limit: concurrency,
      ahead: total === null ? aheadOfEach * concurrency : Number.POSITIVE_INFINITY,
      originOf: (account) => originOf(settings, account),
      run: async (account, slot) => {
        await makeChecksOf(account, slot, async (result) => {
          progress?.finished(result.outcome.kind === "accepted");
          await order.add(account, { ...result, line: account.line });
        });
        accounts.finish(account);
        await order.finish(account);
      },
      now: context.now,
      wait: context.wait,
    });
  } catch (error) {
    // If a terminal was closed, its streams fail as well.
    if (!endsTheRun(error) || interruptionOf(context) === null) throw error;
    await order.flush().catch(() => {});
  } finally {
    progress?.end();
  }
}

// No bar if other lines go to the terminal, nor in CI, where the log would keep every step of it.
async function progressFor(
  run: TestRun,
  total: number | null,
  context: Context,
): Promise<ProgressBar | null> {
  if (total === null || total < 2 || run.quiet || run.verbose || run.diagnose || context.environment.CI)
    return null;
  const { terminal } = context.stderr;
  if (terminal === undefined || context.stdout.isTerminal) return null;
  const { startProgressBar } = await import("../report/progress-bar.ts");
  return startProgressBar(terminal, total, context.now);
}
