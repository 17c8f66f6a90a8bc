// The run of `test`: loads settings and accounts, makes the checks, and ends the reports.

import { setMaxListeners } from "node:events";
import { checkCredential, failedCheck, unjudgedCheck } from "../check/check.ts";
import { type Check, contextOfRun } from "../check/check-context.ts";
import { prepareChecks } from "../check/prepare/prepare.ts";
import type { CheckResult } from "../check/result.ts";
import { Places, turnsOf } from "../check/turns.ts";
import { endsTheRun } from "../describe-error.ts";
import { InputError, orInputError } from "../errors.ts";
import type { ExitCode } from "../exit-codes.ts";
import { warnOn } from "../report/messages.ts";
import { type Progress, progressOf } from "../report/progress.ts";
import type { AccountName } from "../report/report.ts";
import type { Account } from "../settings/accounts-file.ts";
import { halfCredential, unusedBaseUrl } from "../settings/advice.ts";
import {
  checkOutputs,
  checkPrintedJson,
  filesNamed,
  inputPath,
  type NamedFile,
  standardOutput,
} from "../settings/files.ts";
import { RunInputs } from "../settings/inputs.ts";
import { unusedResolutions } from "../settings/resolution.ts";
import { loadSettings } from "../settings/run-settings.ts";
import type { Context } from "../system/context.ts";
import { runAtOnce } from "./at-once.ts";
import { observers, warnOnce } from "./observer.ts";
import { chosenAccounts, type TestRun } from "./options.ts";
import { type AccountsEnd, outputsOf, Reports } from "./reports.ts";

/**
 * Makes the checks, reports each when it is finished, and resolves with the exit code. If a report cannot be begun, nothing is sent.
 * However the run ends, the reports are written, except after wrong usage. Rejects with the error that the caller must report, or with
 * Interrupted.
 */
export async function runTest(run: TestRun, context: Context): Promise<ExitCode> {
  const stop = new AbortController();
  // Every check that waits adds a listener.
  setMaxListeners(0, stop.signal);
  const { interrupted } = context;
  const onInterruption = (): void => stop.abort(interrupted.reason);
  if (interrupted.aborted) onInterruption();
  interrupted.addEventListener("abort", onInterruption, { signal: stop.signal });
  let failure: unknown = null;
  const fail = (error: unknown): null => {
    failure = error;
    return null;
  };
  let reports: Reports | null = null;
  try {
    const loaded = await load(run, context, stop.signal).catch(fail);
    // Wrong usage leaves the old reports.
    if (failure instanceof InputError && failure.kind === "usage") throw failure;
    const progress = progressOf(run, loaded?.accounts ?? null, context);
    reports = await Reports.begin(run, loaded?.accounts ?? null, progress.context);
    if (loaded !== null && reports.areBegun) await checkAll(loaded, run, reports, progress, stop).catch(fail);
    progress.end();
    if (failure instanceof InputError && failure.kind === "usage") throw failure;
    return await reports.end(accountsEnd(loaded), failure);
  } finally {
    reports?.dispose();
    // Close standard input, or the process would wait for its end.
    stop.abort();
  }
}

/** Loads the settings, reads the limits of the run, and opens the accounts. */
async function load(run: TestRun, context: Context, stop: AbortSignal) {
  const prints = run.json || run.ndjson || !run.quiet;
  const printed = prints ? context.fileKey(standardOutput.path) : null;
  const files = outputsOf(run, context);
  // `test >> "$GITHUB_STEP_SUMMARY"` appends to the job summary, as this program does, so nothing is lost.
  const isShared = files.some(({ path, isSummary }) => isSummary && context.fileKey(path) === printed);
  const outputs = [...files, ...(printed === null || isShared ? [] : [standardOutput])];
  // Node reads NODE_EXTRA_CA_CERTS itself. A newer Node reads SSL_CERT_FILE too; on Node 20 this program does.
  const { NODE_EXTRA_CA_CERTS, SSL_CERT_FILE } = context.environment;
  const named = { NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, "--accounts": run.accounts && inputPath(run.accounts) };
  checkOutputs(outputs, filesNamed(named, context), context);
  if (run.json || run.ndjson) checkPrintedJson(files);
  const isStream = run.accounts !== undefined;
  // Call this before accounts are read, because a heap that has grown does not shrink again.
  if (run.all || isStream) context.keepHeapSmall();
  const onInputs =
    outputs.length === 0 ? null : (files: readonly NamedFile[]) => checkOutputs(outputs, files, context);
  const settings = await loadSettings(run, context, warnOn(context), onInputs);
  const { shared, profiles } = settings;
  // Report usage errors at once, where all accounts are known.
  const unused = unusedResolutions(run.resolve ?? []);
  for (const profile of run.resolve ? profiles : []) {
    const own = orInputError(() => settings.of({ profile, own: null }));
    unused.usedBy(own instanceof InputError ? null : own);
  }
  const wrong = isStream ? null : unused.error();
  if (wrong !== null) throw wrong;
  const limits = { concurrency: shared.value("concurrency"), maxWaitSeconds: shared.value("maxWaitSeconds") };
  // Nobody knows how many accounts a stream has.
  context.allowLookupsOf(isStream ? Number.POSITIVE_INFINITY : profiles.length);
  const accounts = await chosenAccounts(run, profiles, context, stop);
  return { settings, ...limits, accounts, unused };
}

/** Makes the checks of all accounts and reports each when it is finished. Rejects if the whole run ends. */
async function checkAll(
  { settings, concurrency, maxWaitSeconds, accounts, unused }: Awaited<ReturnType<typeof load>>,
  run: TestRun,
  reports: Reports,
  progress: Progress,
  stop: AbortController,
): Promise<void> {
  const { context } = progress;
  const warn = warnOn(context);
  const inputs = new RunInputs(context, warn);
  const places = new Places(concurrency);
  // Waits end with the run: after a signal, and when its only report is lost.
  const wait = (milliseconds: number): Promise<void> => context.wait(milliseconds, stop.signal);
  const turns = turnsOf(places, { ...context, wait }, maxWaitSeconds, stop.signal);
  const isOfSeveral = accounts.total !== 1;
  const own = { maxWaitSeconds, wait, turns: isOfSeveral ? turns : null };
  const checkContext = contextOfRun({ ...context, ...own });
  const observerOf = observers(run, accounts, (account) => settings.shownName(account), progress);
  // Which server is tested must not be a surprise, nor which method was not checked.
  const warnOfBaseUrl = warnOnce(
    context.environment.REFERRAL_BASE_URL === undefined ? () => null : unusedBaseUrl,
    warn,
  );
  const warnOfHalf = warnOnce(run.selected.length > 0 ? () => null : halfCredential, warn);

  /** The checks of an account, or its result if it cannot be checked: after a bug, or if the settings of one of several are invalid. */
  async function plan(account: Account): Promise<ReadonlyArray<Check | CheckResult>> {
    const name = (): string | null => settings.shownName(account);
    const notChecked = (error: InputError) => [unjudgedCheck(name(), "not-checked", error, context.now())];
    if (account.error !== null) {
      unused.usedBy(null);
      return notChecked(account.error);
    }
    try {
      const own = settings.of(account);
      unused.usedBy(own);
      await warnOfBaseUrl(own);
      const checks = await prepareChecks(own, inputs, run);
      await warnOfHalf(own);
      return checks;
    } catch (error) {
      if (!endsTheRun(error)) return [failedCheck(name(), error, context.now())];
      // A usage error stops the run.
      if (!isOfSeveral || !(error instanceof InputError) || error.kind === "usage") throw error;
      return notChecked(error);
    }
  }

  await runAtOnce(accounts.accounts(warn), places, stop, async (account) => {
    const checks = await plan(account);
    for (const [index, check] of checks.entries()) {
      const result =
        "outcome" in check ? check : await checkCredential(check, checkContext, observerOf(account, check));
      // Before `add`: it keeps the result for the reports in files, and can then fail to print it.
      const isLast = index === checks.length - 1;
      if (isLast) accounts.left.delete(account);
      progress.finished(result.outcome.kind === "accepted", isLast ? account.share : 0);
      const name = { ...accountNameOf(account, result.profile), namesLine: account.error !== null };
      await reports.add(Object.assign(result, name), isLast);
    }
  });
  // What a stream holds is known only now.
  const wrong = accounts.reading.allRead ? unused.error() : null;
  if (wrong !== null) throw wrong;
}

/** The name of an account as it may be shown. A masked name counts as repeated: two accounts may look alike then. */
function accountNameOf(
  { profile, line, csv, position, isRepeated }: Account,
  shown: string | null,
): AccountName {
  return { profile: shown, line, csv, position, isRepeated: isRepeated || profile !== shown };
}

/** The state of the accounts at the end. If the settings could not be loaded, none was read. */
function accountsEnd(loaded: Awaited<ReturnType<typeof load>> | null): AccountsEnd {
  if (loaded === null) return { left: [], linesRead: null, isCsv: false, allRead: false };
  const { settings, accounts } = loaded;
  const left = [...accounts.left].map((account) => accountNameOf(account, settings.shownName(account)));
  return { left, ...accounts.reading };
}
