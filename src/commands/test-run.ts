import type { Account } from "../accounts/account.ts";
import type { CheckResult } from "../check/outcome.ts";
import type { CheckSettings } from "../check/prepare.ts";
import type { ExitCode } from "../exit-codes.ts";
import type { AccountName } from "../report/report-writer.ts";
import type { RunSettings } from "../settings/run-settings.ts";
import { loadSettings, type Options } from "../settings/run-settings.ts";
import type { Context } from "../system/context.ts";
import { checkAccounts } from "./check-accounts.ts";
import type { ReportOptions } from "./report-options.ts";
import type { Shard } from "./shard.ts";
import { type Accounts, chosenAccounts } from "./test-accounts.ts";
import { type Progress, progressOf } from "./test-progress.ts";
import { type AccountsEnd, Report } from "./test-report.ts";

/** The options of one run of `test`. */
export interface TestRun extends CheckSettings, ReportOptions {
  readonly settings: Options;
  /** Warns of what is probably a mistake. */
  readonly warn: () => Promise<void>;
  readonly shard: Shard | null;
}

/** What a run needs before it makes checks. */
interface Loaded {
  readonly settings: RunSettings;
  readonly concurrency: number;
  readonly accounts: Accounts;
}

/**
 * Makes the checks, reports each when it is finished, and resolves with the exit code. The reports that were asked for are
 * written however the run ends, unless the command line is wrong. Rejects with the error that the caller must report, or
 * with Interrupted after it has reported which checks were finished and which were not.
 */
export async function runTest(run: TestRun, context: Context): Promise<ExitCode> {
  const stop = new AbortController();
  const onInterruption = (): void => stop.abort(context.interrupted.reason);
  if (context.interrupted.aborted) onInterruption();
  context.interrupted.addEventListener("abort", onInterruption, { once: true });
  try {
    return await runUntil(stop, run, context);
  } finally {
    context.interrupted.removeEventListener("abort", onInterruption);
    // Close standard input, or the process would wait for its end.
    stop.abort();
  }
}

async function runUntil(stop: AbortController, run: TestRun, context: Context): Promise<ExitCode> {
  let failure: unknown = null;
  const fail = (error: unknown): null => {
    failure = error;
    return null;
  };
  const loaded = await load(run, context, stop.signal).catch(fail);
  const progress = await progressOf(run, loaded?.accounts ?? null, context);
  const report = await Report.open(run, loaded?.accounts ?? null, progress.context);
  try {
    if (loaded !== null) await checkAll(loaded, run, report, progress, stop).catch(fail);
    progress.end();
    return await report.finish(endOf(run, loaded), failure);
  } finally {
    progress.end();
    report.dispose();
  }
}

/** Loads the settings and opens the accounts. */
async function load(run: TestRun, context: Context, stop: AbortSignal): Promise<Loaded> {
  await run.warn();
  const path = run.settings.accounts ?? null;
  // Call this before accounts are read, because a heap that has grown does not shrink again.
  if (run.settings.all || path !== null) context.keepHeapSmall();
  const settings = await loadSettings(run.settings, context);
  const concurrency = settings.shared.valueOf("concurrency");
  const { profiles } = settings;
  // Only reports in files identify an account by its name.
  const choice = { path, profiles, shard: run.shard, distinguish: run.files.length > 0 };
  const accounts = await chosenAccounts(choice, context, stop);
  return { settings, concurrency, accounts };
}

/** Makes the checks and reports each. */
function checkAll(
  { settings, concurrency, accounts }: Loaded,
  run: TestRun,
  report: Report,
  progress: Progress,
  stop: AbortController,
): Promise<void> {
  const listener = {
    result: async (account: Account, result: CheckResult) => {
      progress.finished(result);
      await report.add({ ...result, ...nameOf(account, result.profile) });
    },
    finished: async (account: Account) => {
      accounts.left.delete(account);
      await report.accountFinished(account);
    },
  };
  return checkAccounts(accounts, { ...run, concurrency }, settings, listener, stop, progress.context);
}

/** The name of an account as it may be shown. One that had to be masked may be like that of another account. */
function nameOf({ profile, line, position, isRepeated }: Account, shown: string | null): AccountName {
  return { profile: shown, line, position, isRepeated: isRepeated || profile !== shown };
}

/** The state of the accounts at the end; there are none if the settings could not be loaded. */
function endOf({ shard }: TestRun, loaded: Loaded | null): AccountsEnd {
  const mayBeEmpty = shard !== null;
  if (loaded === null) return { left: [], linesRead: null, allRead: true, mayBeEmpty };
  const { settings, accounts } = loaded;
  const left = [...accounts.left].map((account) => nameOf(account, settings.shownName(account)));
  const { lines, isAll } = accounts.progress();
  return { left, linesRead: lines, allRead: isAll, mayBeEmpty };
}
