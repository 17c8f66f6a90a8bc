import { type Check, checkCredential, failedCheck } from "../check/check.ts";
import { contextOfRun } from "../check/check-context.ts";
import type { CheckObserver } from "../check/observer.ts";
import type { CheckResult } from "../check/outcome.ts";
import { type CheckSettings, prepareChecks } from "../check/prepare.ts";
import { endsTheRun } from "../describe-error.ts";
import { InputError } from "../errors.ts";
import { combinedExitCode, type ExitCode } from "../exit-codes.ts";
import { escapeText } from "../report/escape.ts";
import type { ProgressBar } from "../report/progress-bar.ts";
import { redactorFor } from "../settings/known-secrets.ts";
import type { SourceOptions } from "../settings/load.ts";
import { runPrecedence } from "../settings/precedence.ts";
import { readers } from "../settings/readers.ts";
import type { Context } from "../system/context.ts";
import { accountSettings, loadRunSettings, originOf, type RunSettings } from "./run-settings.ts";
import { runScheduled } from "./schedule.ts";
import { type Shard, shardOf } from "./shard.ts";
import { interruptionOf, type ReportOptions, reportResults } from "./test-report.ts";

/** What `test` was asked to do. */
export interface TestRun extends CheckSettings, ReportOptions {
  readonly sources: SourceOptions;
  readonly shard: Shard | null;
}

/**
 * Makes the checks, prints their report and gives the exit code. Throws InputError before anything is sent, and
 * Interrupted after reporting what was finished by then and what was not.
 */
export async function runTest(run: TestRun, context: Context): Promise<ExitCode> {
  // Before thousands of accounts are read: a heap that has grown does not shrink again.
  if (run.sources.all) context.keepHeapSmall();
  const shared = await loadRunSettings(run.sources, context).catch(async (error: unknown) => {
    if (interruptionOf(context) !== null) await reportResults(run, nothing, context);
    throw error;
  });
  const { profiles } = shared.sources;
  const chosen = run.shard === null ? profiles : shardOf(profiles, run.shard);
  const accounts = chosen.map((profile): Account => ({ profile, results: [], finished: false }));
  const progress = await progressFor(run, accounts.length, context);
  await makeChecks(run, shared, accounts, context, (account, result) => {
    account.results.push(result);
    progress?.finished(result.outcome.kind === "accepted");
  }).finally(() => progress?.end());
  const results = accounts.flatMap((account) => account.results);
  const left = accounts.filter(({ finished }) => !finished).map(({ profile }) => profile);
  const exitCode = exitCodeFor(run, results);
  await reportResults(run, { exitCode, results, left }, context);
  return exitCode;
}

// Of a run that was interrupted before its accounts were known; reportResults takes the signal's code.
const nothing = { exitCode: 1, results: [], left: [] } as const;

/** One profile to check. It is finished when all its checks are. */
interface Account {
  readonly profile: string | null;
  readonly results: CheckResult[];
  finished: boolean;
}

// A shard beyond the last profile has nothing to check and nothing to complain about.
function exitCodeFor({ shard }: TestRun, results: readonly CheckResult[]): ExitCode {
  return shard !== null && results.length === 0
    ? 0
    : combinedExitCode(results.map(({ outcome }) => outcome.kind));
}

// A bug shows again when the account is planned, and becomes its result there.
function originOrNone(shared: RunSettings, profile: string | null): string {
  try {
    return originOf(shared, profile);
  } catch {
    return "";
  }
}

function concurrencyOf({ sources }: RunSettings): number {
  return readers.concurrency(runPrecedence(sources).levels).value;
}

/** The checks of one profile, or its result where it cannot be planned: by a bug, or by a mistake as one of several. */
async function planProfile(
  run: TestRun,
  shared: RunSettings,
  profile: string | null,
): Promise<readonly Check[] | CheckResult> {
  const several = run.sources.all === true || shared.sources.profiles.length > 1;
  try {
    return await prepareChecks(accountSettings(shared, profile), run);
  } catch (error) {
    const shown = profile && redactorFor(shared.sources, profile)(profile);
    if (!endsTheRun(error)) return failedCheck(shown, error);
    // One account's mistake stops no other; a mistake in the command line stops all.
    if (!several || !(error instanceof InputError) || error.kind === "usage") throw error;
    return notChecked(shown, error);
  }
}

function notChecked(profile: string | null, { message, hint }: InputError): CheckResult {
  return {
    profile,
    method: null,
    url: null,
    credential: null,
    attempts: 0,
    durationMs: 0,
    outcome: { kind: "not-checked", message, hint },
    clock: null,
    findings: [{ id: "settings", certainty: "measured", message, fix: hint }],
  };
}

/** Makes the checks of the accounts and hands each result over; resolves at its end or when it is interrupted. */
async function makeChecks(
  run: TestRun,
  shared: RunSettings,
  accounts: readonly Account[],
  context: Context,
  report: (account: Account, result: CheckResult) => void,
): Promise<void> {
  const observer = observerOf(run, context);
  const checkContext = contextOfRun(context);
  try {
    await runScheduled(accounts, {
      limit: concurrencyOf(shared),
      originOf: ({ profile }) => originOrNone(shared, profile),
      // Planned only now: thousands of plans at once would fill the memory.
      run: async (account) => {
        const planned = await planProfile(run, shared, account.profile);
        let pause = 0;
        if ("outcome" in planned) report(account, planned);
        else {
          for (const check of planned) {
            const result = await checkCredential(check, checkContext, observer);
            report(account, result);
            pause = Math.max(pause, pauseAfter(result, check));
          }
        }
        account.finished = true;
        return pause;
      },
      now: context.now,
      wait: context.wait,
    });
  } catch (error) {
    // Where a terminal was closed, its streams fail as well.
    if (!endsTheRun(error) || interruptionOf(context) === null) throw error;
  }
}

/** The seconds for which the origin of a check is to be left alone. */
function pauseAfter({ outcome }: CheckResult, { timeoutSeconds }: Check): number {
  if (outcome.kind !== "unavailable" || outcome.response.status !== 429) return 0;
  return Math.min(outcome.retryAfterSeconds ?? 1, timeoutSeconds);
}

// Progress would stand in the middle of what is said on the way, and in a CI log every step of it would stay.
async function progressFor(run: TestRun, total: number, context: Context): Promise<ProgressBar | null> {
  if (total < 2 || run.quiet || run.verbose || run.diagnose || context.environment.CI) return null;
  const { terminal } = context.stderr;
  if (terminal === undefined) return null;
  const { startProgressBar } = await import("../report/progress-bar.ts");
  return startProgressBar(terminal, total, context.now);
}

// What happens on the way goes to standard error, so that standard output holds the verdict alone.
function observerOf(run: TestRun, context: Context): CheckObserver {
  return {
    announce: async (message) => {
      if (!run.quiet) await context.stderr.write(`${escapeText(message)}\n`);
    },
    observed: async (record) => {
      if (!run.verbose) return;
      const { exchangeLog } = await import("../report/verbose.ts");
      await context.stderr.write(exchangeLog(record()));
    },
  };
}
