// What a run shows on standard error between its results, and which account may be diagnosed.

import type { Check } from "../check/check-context.ts";
import type { CheckObserver } from "../check/observer.ts";
import { cut } from "../redaction/cut.ts";
import { writeLine } from "../report/messages.ts";
import { columnsOf } from "../report/paint.ts";
import type { Progress } from "../report/progress.ts";
import { shownAccount } from "../report/report.ts";
import type { Account, Accounts } from "../settings/accounts-file.ts";
import type { Settings } from "../settings/resolve.ts";
import type { TestRun } from "./options.ts";

/**
 * Makes the observer of a check. It writes to standard error what happens between results, and allows a diagnosis only for the first
 * refused account of each origin. `shownName` gives a name as it may be shown.
 */
export function observers(
  { quiet, verbose }: TestRun,
  accounts: Pick<Accounts, "total" | "left">,
  shownName: (account: Account) => string | null,
  { step, context: { stderr } }: Pick<Progress, "step" | "context">,
): (account: Account, check: Check) => CheckObserver {
  /** The first refused account of each origin, and whether a message has said that no other is diagnosed. */
  const firstRefused = new Map<string, { readonly account: Account; isTold: boolean }>();
  return (account, { baseUrl, redact }) => ({
    announceCost: (message) => writeLine(message, stderr),
    announce: step,
    limited: (news) => {
      const { total, left } = accounts;
      const rest = total === null ? "" : `; of ${total} accounts, ${left.size} are left`;
      return writeLine(`${redact(baseUrl.origin)} ${news}${rest}`, stderr);
    },
    retrying: async (message) => {
      // Of several accounts, the report says how each ended: a mail of the night needs no line for each retry.
      if (!quiet && accounts.total === 1) await writeLine(message, stderr);
    },
    observed: async (record) => {
      if (!verbose) return;
      const { exchangeLog } = await import("../report/verbose.ts");
      await stderr.write(exchangeLog(record(), columnsOf(stderr)));
    },
    mayDiagnose: async () => {
      const first = firstRefused.get(baseUrl.origin) ?? { account, isTold: false };
      firstRefused.set(baseUrl.origin, first);
      if (first.account === account) return true;
      if (first.isTold) return false;
      first.isTold = true;
      if (quiet) return false;
      const name = shownAccount({ ...first.account, profile: shownName(first.account) });
      const message = `${cut(name, 100)} is the first account that ${redact(baseUrl.origin)} refused; no other is diagnosed, since each refusal may count towards a lock-out; to diagnose another account, check it alone`;
      await writeLine(message, stderr);
      return false;
    },
  });
}

/** Returns a function that warns of what `look` says of an account's settings. One warning is enough for a run. */
export function warnOnce(look: (own: Settings) => string | null, warn: (text: string) => Promise<void>) {
  let isWarned = false;
  return async (own: Settings): Promise<void> => {
    const warning = isWarned ? null : look(own);
    if (warning === null) return;
    isWarned = true;
    await warn(warning);
  };
}
