import { type Check, checkCredential, failedCheck, unjudgedCheck } from "../check/check.ts";
import { contextOfRun } from "../check/check-context.ts";
import type { CheckObserver } from "../check/observer.ts";
import type { CheckResult } from "../check/outcome.ts";
import { type CheckSettings, prepareChecks } from "../check/prepare.ts";
import { endsTheRun } from "../describe-error.ts";
import { InputError } from "../errors.ts";
import { escapeText } from "../report/escape.ts";
import { shownAccount } from "../report/report-writer.ts";
import type { Context } from "../system/context.ts";
import { type Account, accountSettings, type RunSettings, shownName } from "./run-settings.ts";
import type { Slot } from "./schedule.ts";

/** How the checks of a run are made and observed. */
interface CheckOptions extends CheckSettings {
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** The result of an account whose settings cannot be used. */
const notChecked = (profile: string | null, error: InputError): CheckResult =>
  unjudgedCheck(profile, "not-checked", "settings", error);

/** Makes the checks of an account and reports each result. Rejects if the whole run ends. */
type MakeChecks = (
  account: Account,
  slot: Slot,
  report: (result: CheckResult) => Promise<void>,
) => Promise<void>;

/** Returns a function that plans and makes the checks of an account; `several` says whether the run has other accounts. */
export function accountChecks(
  options: CheckOptions,
  settings: RunSettings,
  several: boolean,
  context: Context,
): MakeChecks {
  const { quiet, verbose } = options;
  const { stderr } = context;
  const checkContext = contextOfRun(context);
  /** The first refused account of each base URL, and whether a message has said that no other is diagnosed. */
  const diagnosed = new Map<string, { readonly account: Account; isTold: boolean }>();

  /** The checks of an account, or its result if it cannot be checked: after a bug, or if the settings of one of several are invalid. */
  async function plan(account: Account): Promise<readonly Check[] | CheckResult> {
    if (account.error !== null) return notChecked(null, account.error);
    try {
      return await prepareChecks(accountSettings(settings, account), options);
    } catch (error) {
      const shown = shownName(settings, account);
      if (!endsTheRun(error)) return failedCheck(shown, error);
      // Invalid settings of one account do not stop the others. A usage error stops the run.
      if (!several || !(error instanceof InputError) || error.kind === "usage") throw error;
      return notChecked(shown, error);
    }
  }

  // Every refusal may count towards a lock-out, so only one of many accounts is diagnosed.
  async function mayDiagnose(account: Account, { url }: Check): Promise<boolean> {
    const first = diagnosed.get(url.href) ?? { account, isTold: false };
    diagnosed.set(url.href, first);
    if (first.account === account) return true;
    if (first.isTold || quiet) return false;
    first.isTold = true;
    const profile = shownName(settings, first.account);
    const name = escapeText(shownAccount({ ...first.account, profile }) ?? "");
    await stderr.write(
      `${name} is the first account that its base URL refused; no other is diagnosed, since each refusal may count towards a lock-out; to diagnose another account, check it alone\n`,
    );
    return false;
  }

  /** Makes one check. While it waits for another attempt, other accounts can use its slot. */
  function make(account: Account, check: Check, slot: Slot): Promise<CheckResult> {
    let isLimited = false;
    // Progress goes to standard error, so that standard output contains only results.
    const observer: CheckObserver = {
      announce: async (message) => {
        if (!quiet) await stderr.write(`${escapeText(message)}\n`);
      },
      observed: async (record) => {
        if (check.retries > 0) isLimited = record().status === 429;
        if (!verbose) return;
        const { exchangeLog } = await import("../report/verbose.ts");
        await stderr.write(exchangeLog(record()));
      },
      mayDiagnose: () => mayDiagnose(account, check),
    };
    const wait = (milliseconds: number): Promise<void> => {
      if (isLimited) slot.pauseOrigin(milliseconds);
      return slot.wait(milliseconds);
    };
    return checkCredential(check, { ...checkContext, wait }, observer);
  }

  return async (account, slot, report) => {
    const planned = await plan(account);
    if ("outcome" in planned) return report(planned);
    for (const check of planned) {
      const result = await make(account, check, slot);
      const pause = pauseAfter(result, check);
      if (pause > 0) slot.pauseOrigin(pause * 1000);
      await report(result);
    }
  };
}

/** How long to start no further check of the same origin, in seconds. */
function pauseAfter({ outcome }: CheckResult, { timeoutSeconds }: Check): number {
  if (outcome.kind !== "unavailable" || outcome.response.status !== 429) return 0;
  return Math.min(outcome.retryAfterSeconds ?? 1, timeoutSeconds);
}
