import { type Check, checkCredential } from "../check/check.ts";
import type { Observer } from "../check/observer.ts";
import type { CheckResult } from "../check/outcome.ts";
import type { Context } from "../context.ts";
import { combinedExitCode, type ExitCode } from "../exit-codes.ts";
import { errorAnnotation } from "../report/annotation.ts";
import { escapeText } from "../report/escape.ts";
import { jsonReport } from "../report/json.ts";
import { paintOf, wantsColor } from "../report/paint.ts";
import { explain } from "../report/sentences.ts";
import { checkReport } from "../report/text.ts";
import { SecretReader } from "../settings/credentials.ts";
import { loadSources, type SourceOptions } from "../settings/load.ts";
import { planChecks, type RunOptions } from "./plan.ts";

/** What `test` was asked to do. */
export interface TestRun extends RunOptions {
  readonly sources: SourceOptions;
  readonly verbose: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
}

/** Makes the checks, prints their report and gives the exit code. Throws Mistake before anything is sent. */
export async function runTest(run: TestRun, context: Context): Promise<ExitCode> {
  const sources = await loadSources(run.sources, context);
  const reader = new SecretReader(context);
  const checks: Check[] = [];
  for (const profile of sources.profiles) {
    checks.push(...(await planChecks(sources, profile, run, reader, context)));
  }
  const observer = observerOf(run, context);
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await checkCredential(check, context, observer));
  const exitCode = combinedExitCode(results.map(({ outcome }) => outcome.kind));
  await report(run, exitCode, results, context);
  return exitCode;
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
      await context.stderr.write(exchangeLog(record));
    },
  };
}

async function report(
  run: TestRun,
  exitCode: ExitCode,
  results: readonly CheckResult[],
  context: Context,
): Promise<void> {
  if (run.json) return context.stdout.write(jsonReport(exitCode, results, null));
  if (run.quiet) return;
  const paint = await paintOf(wantsColor(context.stdout.isTerminal, run.color, context.environment));
  await context.stdout.write(results.map((result) => checkReport(result, paint)).join("\n"));
  const failed = results.find(({ outcome }) => outcome.kind !== "accepted");
  if (failed !== undefined && context.environment.GITHUB_ACTIONS === "true") {
    const { headline } = explain(failed.outcome);
    await context.stdout.write(
      errorAnnotation("referral-auth", `${failed.method}: ${headline} (exit code ${exitCode})`),
    );
  }
}
