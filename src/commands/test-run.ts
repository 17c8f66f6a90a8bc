import { type Check, checkCredential } from "../check/check.ts";
import { sharingConnections } from "../check/check-context.ts";
import type { Observer } from "../check/observer.ts";
import type { CheckResult } from "../check/outcome.ts";
import { runScheduled } from "../check/schedule.ts";
import type { Context } from "../context.ts";
import { combinedExitCode, type ExitCode } from "../exit-codes.ts";
import { Interrupted, Mistake } from "../mistake.ts";
import { escapeText } from "../report/escape.ts";
import type { Progress } from "../report/progress.ts";
import { redactorFor } from "../settings/known-secrets.ts";
import { layersOf, type SourceOptions } from "../settings/load.ts";
import { readers } from "../settings/readers.ts";
import { loadShared, originOf, planChecks, type RunOptions, type Shared } from "./plan.ts";
import { type Shard, shardOf } from "./shard.ts";
import { type ReportOptions, reportResults } from "./test-report.ts";

/** What `test` was asked to do. */
export interface TestRun extends RunOptions, ReportOptions {
  readonly sources: SourceOptions;
  readonly shard: Shard | null;
  readonly verbose: boolean;
}

/**
 * Makes the checks, prints their report and gives the exit code. Throws Mistake before anything is sent, and
 * Interrupted after reporting what was finished by then.
 */
export async function runTest(run: TestRun, context: Context): Promise<ExitCode> {
  // Before thousands of accounts are read: a heap that has grown does not shrink again.
  if (run.sources.all) context.keepHeapSmall();
  const shared = await loadShared(run.sources, context);
  const { profiles } = shared.sources;
  const chosen = run.shard === null ? profiles : shardOf(profiles, run.shard);
  const results: CheckResult[][] = chosen.map(() => []);
  const progress = await progressFor(run, chosen.length, context);
  const interrupted = await makeChecks(run, shared, chosen, context, (index, result) => {
    results[index]?.push(result);
    progress?.finished(result.outcome.kind === "accepted");
  }).finally(() => progress?.end());
  const finished = results.flat();
  const exitCode = interrupted?.exitCode ?? exitCodeFor(run, finished);
  await reportResults(run, exitCode, finished, context);
  if (interrupted !== null) throw interrupted;
  return exitCode;
}

// A shard beyond the last profile has nothing to check and nothing to complain about.
function exitCodeFor({ shard }: TestRun, results: readonly CheckResult[]): ExitCode {
  return shard !== null && results.length === 0
    ? 0
    : combinedExitCode(results.map(({ outcome }) => outcome.kind));
}

function concurrencyOf({ sources }: Shared): number {
  return readers.concurrency(layersOf(sources, null)).value;
}

/** The checks of one profile; where it is one of several, a mistake in its settings is its result. */
async function planProfile(
  run: TestRun,
  shared: Shared,
  profile: string | null,
  context: Context,
): Promise<readonly Check[] | CheckResult> {
  const several = run.sources.all === true || shared.sources.profiles.length > 1;
  try {
    return await planChecks(shared, profile, run, context);
  } catch (error) {
    // One account's mistake stops no other; a mistake in the command line stops all.
    if (!several || !(error instanceof Mistake) || error.kind === "usage") throw error;
    const shown = profile && redactorFor(shared.sources, profile)(profile);
    return notChecked(shown, error);
  }
}

function notChecked(profile: string | null, { message, hint }: Mistake): CheckResult {
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

/** Makes the checks of the profiles and hands each result over; resolves with what interrupted it, or null. */
async function makeChecks(
  run: TestRun,
  shared: Shared,
  profiles: readonly (string | null)[],
  context: Context,
  finished: (index: number, result: CheckResult) => void,
): Promise<Interrupted | null> {
  const observer = observerOf(run, context);
  // A single account's two methods are checked as two clients would; accounts by the hundred may share connections.
  const sharing = profiles.length > 1 ? sharingConnections(context) : null;
  try {
    await runScheduled([...profiles.entries()], {
      limit: concurrencyOf(shared),
      originOf: ([, profile]) => originOf(shared, profile),
      // Planned only now: thousands of plans at once would fill the memory.
      run: async ([index, profile]) => {
        const planned = await planProfile(run, shared, profile, context);
        if ("outcome" in planned) {
          finished(index, planned);
          return 0;
        }
        let pause = 0;
        for (const check of planned) {
          const result = await checkCredential(check, sharing ?? context, observer);
          finished(index, result);
          pause = Math.max(pause, pauseAfter(result, check));
        }
        return pause;
      },
      now: context.now,
      wait: context.wait,
    });
    return null;
  } catch (error) {
    if (error instanceof Interrupted) return error;
    throw error;
  } finally {
    sharing?.close();
  }
}

/** The seconds for which the origin of a check is to be left alone. */
function pauseAfter({ outcome }: CheckResult, { timeoutSeconds }: Check): number {
  if (outcome.kind !== "unavailable" || outcome.answer.status !== 429) return 0;
  return Math.min(outcome.retryAfterSeconds ?? 1, timeoutSeconds);
}

// Progress would stand in the middle of what is said on the way, and in a CI log every step of it would stay.
async function progressFor(run: TestRun, total: number, context: Context): Promise<Progress | null> {
  if (total < 2 || run.quiet || run.verbose || run.diagnose || context.environment.CI) return null;
  const { terminal } = context.stderr;
  if (terminal === undefined) return null;
  const { startProgress } = await import("../report/progress.ts");
  return startProgress(terminal, total, context.now);
}

// What happens on the way goes to standard error, so that standard output holds the verdict alone.
function observerOf(run: TestRun, context: Context): Observer {
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
