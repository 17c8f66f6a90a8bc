import type { Context } from "../system/context.ts";
import type { Output } from "../system/streams.ts";

/** What a terminal shows of a run while it lasts. */
export interface Progress {
  /** The context of the run: what it prints on a terminal does not mix with the progress. */
  readonly context: Context;
  /** Notes that a check is finished. */
  finished(isAccepted: boolean): void;
  /** Removes the progress from the terminal. */
  end(): void;
}

/** The accounts of a run: whether several were chosen, and how many there are; `total` is null for a stream. */
interface Expected {
  readonly several: boolean;
  readonly total: number | null;
}

const figures = "{value}{ofTotal} done, {failed} failed, {rate}/s";

/**
 * Shows on standard error how many checks are done, how many failed, the rate, and the time left: in a run over several
 * accounts, if it is a terminal. `accounts` is null if there are none.
 */
export async function progressOf(
  { quiet, json }: { readonly quiet: boolean; readonly json: boolean },
  accounts: Expected | null,
  context: Context,
): Promise<Progress> {
  const { environment, stdout, stderr, now } = context;
  const { terminal } = stderr;
  const isWanted = accounts?.several && accounts.total !== 0 && accounts.total !== 1 && !quiet;
  // In CI the log would keep every step. A JSON document has lines that are not finished, and the bar would erase their start.
  if (!isWanted || terminal === undefined || environment.CI || (json && stdout.isTerminal))
    return { context, finished: () => {}, end: () => {} };
  const { SingleBar } = await import("cli-progress");
  const { total } = accounts;
  const began = now();
  let done = 0;
  let failed = 0;
  let isOver = false;
  let hidden = 0;
  const payload = (): object => {
    const rate = (done * 1000) / Math.max(1, now() - began);
    return {
      ofTotal: total === null ? "" : ` of ${total}`,
      failed,
      rate: Math.round(rate),
      left: total === null || rate === 0 ? "" : `, ${Math.ceil((total - done) / rate)} s left`,
    };
  };
  const bar = new SingleBar({
    stream: terminal,
    format: total === null ? figures : `{bar} ${figures}{left}`,
    barsize: 20,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
  });
  const show = (): void => {
    if (!isOver && hidden === 0) bar.start(total ?? 0, done, payload());
  };
  /** Removes the bar until the action is over: it prints whole lines, or asks for one. */
  const aside = async <Value>(action: () => Promise<Value>): Promise<Value> => {
    hidden += 1;
    bar.stop();
    return action().finally(() => {
      hidden -= 1;
      show();
    });
  };
  const beside = (output: Output): Output => {
    if (!output.isTerminal) return output;
    const { columns, terminal } = output;
    return { isTerminal: true, columns, terminal, write: (text) => aside(() => output.write(text)) };
  };
  show();
  return {
    context: {
      ...context,
      stdout: beside(stdout),
      stderr: beside(stderr),
      readStdin: (maxBytes, label) => aside(() => context.readStdin(maxBytes, label)),
    },
    finished: (isAccepted) => {
      done += 1;
      if (!isAccepted) failed += 1;
      bar.update(done, payload());
    },
    end: () => {
      isOver = true;
      bar.stop();
    },
  };
}
