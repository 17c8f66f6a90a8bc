import type { Context } from "../system/context.ts";
import type { Accounts } from "./test-accounts.ts";
import type { ReportOptions } from "./test-report.ts";

/** What a terminal shows of a run while it lasts. */
export interface Progress {
  /** The context of the run: what it prints on a terminal does not mix with the progress. */
  readonly context: Context;
  /** Notes that a check is finished. */
  finished(isAccepted: boolean): void;
  /** Removes the progress from the terminal. */
  end(): void;
}

/** Shows the progress of a run over several accounts if standard error is a terminal; `accounts` is null if there are none. */
export async function progressOf(
  { quiet, json }: ReportOptions,
  accounts: Pick<Accounts, "several" | "total"> | null,
  context: Context,
): Promise<Progress> {
  const { environment, stdout, stderr } = context;
  const { terminal } = stderr;
  const isWanted = accounts?.several && accounts.total !== 0 && accounts.total !== 1 && !quiet;
  // In CI the log would keep every step. A JSON document has lines that are not finished, and the bar would erase their start.
  if (!isWanted || terminal === undefined || environment.CI || (json && stdout.isTerminal))
    return { context, finished: () => {}, end: () => {} };
  const { startProgressBar } = await import("../report/progress-bar.ts");
  const bar = startProgressBar(terminal, accounts.total, context.now);
  return {
    context: {
      ...context,
      stdout: bar.beside(stdout),
      stderr: bar.beside(stderr),
      readStdin: (maxBytes, label) => bar.aside(() => context.readStdin(maxBytes, label)),
    },
    finished: bar.finished,
    end: bar.end,
  };
}
