import { sharingConnections } from "../check/attempt.ts";
import { type Check, checkCredential } from "../check/check.ts";
import type { Observer } from "../check/observer.ts";
import type { CheckResult } from "../check/outcome.ts";
import { runScheduled } from "../check/schedule.ts";
import type { Context } from "../context.ts";
import { combinedExitCode, type ExitCode } from "../exit-codes.ts";
import { Interrupted, Mistake } from "../mistake.ts";
import { escapeText } from "../report/escape.ts";
import type { Progress } from "../report/progress.ts";
import type { SourceOptions } from "../settings/load.ts";
import { layersOf } from "../settings/load.ts";
import { numberSetting } from "../settings/values.ts";
import { loadShared, planChecks, type RunOptions, type Shared } from "./plan.ts";
import { type Shard, shardOf } from "./shard.ts";
import { type ReportOptions, reportResults } from "./test-report.ts";

/** What `test` was asked to do. */
export interface TestRun extends RunOptions, ReportOptions {
  readonly sources: SourceOptions;
  readonly shard: Shard | null;
  readonly verbose: boolean;
}

/** A check to be made, or the result of one that cannot be. */
type Planned = { readonly check: Check } | { readonly result: CheckResult };

/**
 * Makes the checks, prints their report and gives the exit code. Throws Mistake before anything is sent, and
 * Interrupted after reporting what was finished by then.
 */
export async function runTest(run: TestRun, context: Context): Promise<ExitCode> {
  const shared = await loadShared(run.sources, context);
  const planned = await planAll(run, shared, context);
  const results: (CheckResult | undefined)[] = planned.map((one) =>
    "result" in one ? one.result : undefined,
  );
  const progress = await progressFor(run, planned.length, context);
  const interrupted = await makeChecks(
    planned,
    concurrencyOf(shared),
    observerOf(run, context),
    context,
    (index, result) => {
      results[index] = result;
      progress?.finished(result.outcome.kind === "accepted");
    },
  ).finally(() => progress?.end());
  const finished = results.filter((result) => result !== undefined);
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
  return numberSetting(layersOf(sources, null), "concurrency").value;
}

async function planAll(run: TestRun, shared: Shared, context: Context): Promise<readonly Planned[]> {
  const { profiles } = shared.sources;
  const several = run.sources.all === true || profiles.length > 1;
  const planned: Planned[] = [];
  for (const profile of run.shard === null ? profiles : shardOf(profiles, run.shard)) {
    try {
      const checks = await planChecks(shared, profile, run, context);
      planned.push(...checks.map((check) => ({ check })));
    } catch (error) {
      // One account's mistake stops no other; a mistake in the command line stops all.
      if (!several || !(error instanceof Mistake) || error.kind === "usage") throw error;
      planned.push({ result: notChecked(profile, error) });
    }
  }
  return planned;
}

function notChecked(profile: string | null, { message, hint }: Mistake): CheckResult {
  return {
    profile,
    method: null,
    url: null,
    attempts: 0,
    durationMs: 0,
    outcome: { kind: "not-checked", message, hint },
    clock: null,
    findings: [{ id: "settings", certainty: "measured", message, fix: hint }],
  };
}

/** Makes the checks of the plan and hands each result over with its place; resolves with what interrupted it, or null. */
async function makeChecks(
  planned: readonly Planned[],
  limit: number,
  observer: Observer,
  context: Context,
  finished: (index: number, result: CheckResult) => void,
): Promise<Interrupted | null> {
  const jobs = planned.flatMap((one, index) => ("check" in one ? [{ check: one.check, index }] : []));
  // A profile's two methods are checked as two clients would; accounts by the hundred may share connections.
  const shared = jobs.some(({ check }) => check.profile !== null) ? sharingConnections(context) : null;
  try {
    await runScheduled(jobs, {
      limit,
      originOf: ({ check }) => check.url.origin,
      run: async ({ check, index }) => {
        const result = await checkCredential(check, shared ?? context, observer);
        finished(index, result);
        const { outcome } = result;
        if (outcome.kind !== "unavailable" || outcome.answer.status !== 429) return 0;
        return Math.min(outcome.retryAfterSeconds ?? 1, check.timeoutSeconds);
      },
      now: context.now,
      wait: context.wait,
    });
    return null;
  } catch (error) {
    if (error instanceof Interrupted) return error;
    throw error;
  } finally {
    shared?.close();
  }
}

// Progress would stand in the middle of what is said on the way, and in a CI log every step of it would stay.
async function progressFor(run: TestRun, total: number, context: Context): Promise<Progress | null> {
  const { terminal } = context.stderr;
  const talkative = run.quiet || run.verbose || run.diagnose;
  if (terminal === undefined || total < 2 || talkative || context.environment.CI) return null;
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
