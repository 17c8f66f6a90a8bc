import type { Account } from "../accounts/account.ts";
import { type Check, checkCredential, failedCheck, unjudgedCheck } from "../check/check.ts";
import { contextOfRun } from "../check/check-context.ts";
import type { CheckResult } from "../check/outcome.ts";
import { type CheckSettings, prepareChecks } from "../check/prepare.ts";
import { endsTheRun } from "../describe-error.ts";
import { InputError } from "../errors.ts";
import { RunInputs } from "../settings/inputs.ts";
import type { RunSettings } from "../settings/run-settings.ts";
import type { Context } from "../system/context.ts";
import { baseUrlWarning, observers } from "./check-observer.ts";
import { Places } from "./places.ts";
import type { Accounts } from "./test-accounts.ts";

// Items that are read and not finished, for each place: so many can wait for a pause to end.
const openForEach = 16;

/** Waits for something. Meanwhile the job does not count as running, so another can run. */
type Aside = (wait: () => Promise<void>) => Promise<void>;

/**
 * Reads the items as they are needed and runs a job for each, at most `limit` at once. A job that waits `aside` leaves its
 * place to the next item, until 16 times `limit` items are open. Otherwise one origin that asks for a pause would stop all
 * others, and 200 accounts of a server that is down would take 29 s instead of 3 with `--retry 2`. If a job or the source fails, `stop` is aborted with the error; it may end the source. Resolves when no job runs
 * any more, and rejects with the reason of `stop`.
 */
export async function runAtOnce<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  stop: AbortController,
  job: (item: Item, aside: Aside) => Promise<void>,
): Promise<void> {
  const most = openForEach * limit;
  const open = new Places(most);
  const running = new Places(limit);
  const aside: Aside = async (wait) => {
    running.leave();
    await wait().finally(() => running.enter());
    stop.signal.throwIfAborted();
  };
  const run = async (item: Item): Promise<void> => {
    try {
      if (!stop.signal.aborted) await job(item, aside);
    } catch (error) {
      stop.abort(error);
    }
    running.leave();
    open.leave();
  };
  try {
    for await (const item of items) {
      await open.enter();
      await running.enter();
      void run(item);
      if (stop.signal.aborted) break;
    }
  } catch (error) {
    stop.abort(error);
  }
  // When every place is free, no job runs.
  for (let count = 0; count < most; count += 1) await open.enter();
  stop.signal.throwIfAborted();
}

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
  const inputs = new RunInputs(context);
  const checkContext = contextOfRun(context);
  const observerOf = observers(options, (account) => settings.shownName(account), context);
  const warnOfBaseUrl = baseUrlWarning(context);
  const { now } = context;
  /** The end of each origin's pause, in milliseconds since the epoch. */
  const pauses = new Map<string, number>();

  function pause({ url: { origin } }: Check, milliseconds: number): void {
    for (const [other, end] of pauses) if (end <= now()) pauses.delete(other);
    pauses.set(origin, Math.max(pauses.get(origin) ?? 0, now() + milliseconds));
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
    for (let rest = 1; rest > 0; ) {
      rest = (pauses.get(check.url.origin) ?? 0) - now();
      if (rest > 0) await aside(() => context.wait(rest));
    }
    const observer = observerOf(account, check);
    let isLimited = false;
    const wait = (milliseconds: number): Promise<void> => {
      if (isLimited) pause(check, milliseconds);
      return aside(() => context.wait(milliseconds));
    };
    const result = await checkCredential(
      check,
      { ...checkContext, wait },
      {
        ...observer,
        observed: async (record) => {
          if (check.retries > 0) isLimited = record().response?.status === 429;
          await observer.observed(record);
        },
      },
    );
    const { outcome } = result;
    if (outcome.kind === "unavailable" && outcome.response.status === 429)
      pause(check, 1000 * Math.min(outcome.retryAfterSeconds ?? 1, check.timeoutSeconds));
    return result;
  }

  await runAtOnce(accounts, options.concurrency, stop, async (account, aside) => {
    const planned = await plan(account);
    if ("outcome" in planned) await listener.result(account, planned);
    else for (const check of planned) await listener.result(account, await make(account, check, aside));
    await listener.finished(account);
  });
}
