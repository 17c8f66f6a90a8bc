import type { Account } from "../accounts/account.ts";
import { type Check, checkCredential, failedCheck, unjudgedCheck } from "../check/check.ts";
import { contextOfRun } from "../check/check-context.ts";
import type { CheckObserver } from "../check/observer.ts";
import type { CheckResult } from "../check/outcome.ts";
import { type CheckSettings, prepareChecks } from "../check/prepare.ts";
import { endsTheRun } from "../describe-error.ts";
import { InputError } from "../errors.ts";
import { escapeText } from "../report/escape.ts";
import { columnsOf, wrapped } from "../report/layout.ts";
import { shownAccount } from "../report/report-writer.ts";
import { unusedBaseUrl } from "../settings/advice.ts";
import { RunInputs } from "../settings/inputs.ts";
import type { Settings } from "../settings/resolve.ts";
import type { RunSettings } from "../settings/run-settings.ts";
import type { Context } from "../system/context.ts";
import { type Aside, runAtOnce } from "./at-once.ts";
import type { Accounts } from "./test-accounts.ts";

/** How the checks of a run are made and observed. */
interface CheckOptions extends CheckSettings {
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** How many requests run at once. */
  readonly concurrency: number;
}

/** Is called with each result, and when an account has no further one. */
export interface ResultListener {
  result(account: Account, result: CheckResult): Promise<void>;
  finished(account: Account): Promise<void>;
}

/**
 * Makes the checks of all accounts and reports each when it is finished. After a 429 no request goes to its origin while
 * the pause lasts that it asks for; accounts of other origins go on. Rejects if the whole run ends.
 */
export async function checkAccounts(
  { accounts, several }: Accounts,
  options: CheckOptions,
  settings: RunSettings,
  listener: ResultListener,
  stop: AbortController,
  context: Context,
): Promise<void> {
  const { quiet, verbose } = options;
  const { stderr, now } = context;
  const inputs = new RunInputs(context);
  const runContext = contextOfRun(context);
  /** The end of each origin's pause, in milliseconds since the epoch. */
  const pauses = new Map<string, number>();
  const mayDiagnose = onlyTheFirst(async (name) => {
    if (!quiet) await stderr.write(`${onlyOneIsDiagnosed(name)}\n`);
  });

  let isWarned = context.environment.REFERRAL_BASE_URL === undefined;
  // Which server is tested must not be a surprise. One warning is enough for a run.
  async function warnOfBaseUrl(own: Settings): Promise<void> {
    const warning = isWarned ? null : unusedBaseUrl(own);
    if (warning === null) return;
    isWarned = true;
    await stderr.write(`Warning: ${escapeText(warning, 1_000)}\n`);
  }

  function pause(origin: string, milliseconds: number): void {
    for (const [other, end] of pauses) if (end <= now()) pauses.delete(other);
    pauses.set(origin, Math.max(pauses.get(origin) ?? 0, now() + milliseconds));
  }

  async function untilFree(origin: string, aside: Aside): Promise<void> {
    for (let rest = 1; rest > 0; ) {
      rest = (pauses.get(origin) ?? 0) - now();
      if (rest > 0) await aside(() => context.wait(rest));
    }
  }

  /** The checks of an account, or its result if it cannot be checked: after a bug, or if the settings of one of several are invalid. */
  async function plan(account: Account): Promise<readonly Check[] | CheckResult> {
    const notChecked = (error: InputError): CheckResult =>
      unjudgedCheck(settings.shownName(account), "not-checked", "settings", error);
    if (account.error !== null) return notChecked(account.error);
    try {
      const own = settings.of(account);
      await warnOfBaseUrl(own);
      return await prepareChecks(own, inputs, options);
    } catch (error) {
      if (!endsTheRun(error)) return failedCheck(settings.shownName(account), error);
      // A usage error stops the run.
      if (!several || !(error instanceof InputError) || error.kind === "usage") throw error;
      return notChecked(error);
    }
  }

  async function make(account: Account, check: Check, aside: Aside): Promise<CheckResult> {
    const { origin } = check.url;
    let isLimited = false;
    // Progress goes to standard error, so that standard output contains only results.
    const observer: CheckObserver = {
      announce: async (message) => {
        if (!quiet) await stderr.write(`${wrapped(message, { columns: columnsOf(stderr) }, 2)}\n`);
      },
      observed: async (record) => {
        if (check.retries > 0) isLimited = record().response?.status === 429;
        if (!verbose) return;
        const { exchangeLog } = await import("../report/verbose.ts");
        await stderr.write(exchangeLog(record(), columnsOf(stderr)));
      },
      mayDiagnose: () =>
        mayDiagnose(origin, account, () =>
          shownAccount({ ...account, profile: settings.shownName(account) }),
        ),
    };
    const wait = (milliseconds: number): Promise<void> => {
      if (isLimited) pause(origin, milliseconds);
      return aside(() => context.wait(milliseconds));
    };
    const result = await checkCredential(check, { ...runContext, wait }, observer);
    const seconds = pauseAfter(result, check);
    if (seconds > 0) pause(origin, seconds * 1000);
    return result;
  }

  await runAtOnce(accounts, options.concurrency, stop, async (account, aside) => {
    const planned = await plan(account);
    if ("outcome" in planned) await listener.result(account, planned);
    else
      for (const check of planned) {
        await untilFree(check.url.origin, aside);
        await listener.result(account, await make(account, check, aside));
      }
    await listener.finished(account);
  });
}

/** How long to send nothing to the origin of this check, in seconds. */
function pauseAfter({ outcome }: CheckResult, { timeoutSeconds }: Check): number {
  if (outcome.kind !== "unavailable" || outcome.response.status !== 429) return 0;
  return Math.min(outcome.retryAfterSeconds ?? 1, timeoutSeconds);
}

const onlyOneIsDiagnosed = (name: string): string =>
  `${escapeText(name)} is the first account that its server refused; no other is diagnosed, since each refusal may count towards a lock-out; to diagnose another account, check it alone`;

/**
 * Returns a function that says whether to diagnose a refused account. It allows only the first of each origin, and tells
 * which one that is when it first forbids another.
 */
function onlyTheFirst(tell: (first: string) => Promise<void>) {
  const firsts = new Map<string, { readonly account: Account; readonly name: string; isTold: boolean }>();
  return async (origin: string, account: Account, nameOf: () => string | null): Promise<boolean> => {
    const first = firsts.get(origin) ?? { account, name: nameOf() ?? "", isTold: false };
    firsts.set(origin, first);
    if (first.account === account) return true;
    if (!first.isTold) {
      first.isTold = true;
      await tell(first.name);
    }
    return false;
  };
}
