import { type Check, checkCredential, failedCheck, unjudgedCheck } from "../check/check.ts";
import { type CheckContext, contextOfRun } from "../check/check-context.ts";
import type { CheckObserver } from "../check/observer.ts";
import type { CheckResult } from "../check/outcome.ts";
import { type CheckSettings, prepareChecks } from "../check/prepare.ts";
import { endsTheRun } from "../describe-error.ts";
import { InputError } from "../errors.ts";
import { escapeText } from "../report/escape.ts";
import { shownAccount } from "../report/report-writer.ts";
import type { Context } from "../system/context.ts";
import { accountSettings, originOf, type RunSettings, shownName } from "./run-settings.ts";
import type { Slot } from "./schedule.ts";
import type { Account } from "./test-accounts.ts";

/** How the checks of a run are made and observed. */
interface CheckOptions extends CheckSettings {
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** The origin of an account's checks; empty if it is unknown. It ignores a bug, which `make` then reports as the result. */
export function originOrNone(settings: RunSettings, account: Account): string {
  if (account.error !== null) return "";
  try {
    return originOf(settings, account);
  } catch {
    return "";
  }
}

/** The result of an account whose settings cannot be used. */
const notChecked = (profile: string | null, error: InputError): CheckResult =>
  unjudgedCheck(profile, "not-checked", "settings", error);

/** Plans and makes the checks of accounts. */
export class AccountChecks {
  readonly #options: CheckOptions;
  readonly #settings: RunSettings;
  readonly #several: boolean;
  readonly #context: Context;
  readonly #checkContext: CheckContext;
  /** The first refused account of each base URL, and whether a message has said that no other is diagnosed. */
  readonly #diagnosed = new Map<string, { readonly account: Account; isTold: boolean }>();

  constructor(options: CheckOptions, settings: RunSettings, several: boolean, context: Context) {
    this.#options = options;
    this.#settings = settings;
    this.#several = several;
    this.#context = context;
    this.#checkContext = contextOfRun(context);
  }

  /** Makes the checks of an account and reports each result. Rejects if the whole run ends. */
  async make(account: Account, slot: Slot, report: (result: CheckResult) => Promise<void>): Promise<void> {
    const planned = await this.#plan(account);
    if ("outcome" in planned) return report(planned);
    for (const check of planned) {
      const result = await this.#check(account, check, slot);
      const pause = pauseAfter(result, check);
      if (pause > 0) slot.pauseOrigin(pause * 1000);
      await report(result);
    }
  }

  /** The checks of an account, or its result if it cannot be checked: after a bug, or if the settings of one of several are invalid. */
  async #plan(account: Account): Promise<readonly Check[] | CheckResult> {
    if (account.error !== null) return notChecked(null, account.error);
    try {
      return await prepareChecks(accountSettings(this.#settings, account), this.#options);
    } catch (error) {
      const shown = shownName(this.#settings, account);
      if (!endsTheRun(error)) return failedCheck(shown, error);
      // Invalid settings of one account do not stop the others. A usage error stops the run.
      if (!this.#several || !(error instanceof InputError) || error.kind === "usage") throw error;
      return notChecked(shown, error);
    }
  }

  /** Makes one check. While it waits for another attempt, other accounts can use its slot. */
  async #check(account: Account, check: Check, slot: Slot): Promise<CheckResult> {
    let isLimited = false;
    const answered = (status: number | null): void => {
      isLimited = status === 429;
    };
    const observer: CheckObserver = {
      ...this.#observer(answered, check.retries > 0),
      mayDiagnose: () => this.#mayDiagnose(account, check),
    };
    const wait = (milliseconds: number): Promise<void> => {
      if (isLimited) slot.pauseOrigin(milliseconds);
      return slot.wait(milliseconds);
    };
    return checkCredential(check, { ...this.#checkContext, wait }, observer);
  }

  // Every refusal may count towards a lock-out, so only one of many accounts is diagnosed.
  async #mayDiagnose(account: Account, { url }: Check): Promise<boolean> {
    const first = this.#diagnosed.get(url.href) ?? { account, isTold: false };
    this.#diagnosed.set(url.href, first);
    if (first.account === account) return true;
    if (first.isTold || this.#options.quiet) return false;
    first.isTold = true;
    const profile = shownName(this.#settings, first.account);
    const name = escapeText(shownAccount({ ...first.account, profile }) ?? "");
    await this.#context.stderr.write(
      `${name} is the first account that its base URL refused; no other is diagnosed, since each refusal may count towards a lock-out\n`,
    );
    return false;
  }

  // Progress goes to standard error, so that standard output contains only results.
  #observer(
    answered: (status: number | null) => void,
    wantsStatus: boolean,
  ): Omit<CheckObserver, "mayDiagnose"> {
    const { quiet, verbose } = this.#options;
    const { stderr } = this.#context;
    return {
      announce: async (message) => {
        if (!quiet) await stderr.write(`${escapeText(message)}\n`);
      },
      observed: async (record) => {
        if (wantsStatus) answered(record().status);
        if (!verbose) return;
        const { exchangeLog } = await import("../report/verbose.ts");
        await stderr.write(exchangeLog(record()));
      },
    };
  }
}

/** How long to start no further check of the same origin, in seconds. */
function pauseAfter({ outcome }: CheckResult, { timeoutSeconds }: Check): number {
  if (outcome.kind !== "unavailable" || outcome.response.status !== 429) return 0;
  return Math.min(outcome.retryAfterSeconds ?? 1, timeoutSeconds);
}
