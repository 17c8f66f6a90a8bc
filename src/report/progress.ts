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

const redrawMs = 100;
const barWidth = 20;
const clearLine = "\r\u001b[2K";
const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";

/**
 * Shows on standard error how many checks are done, how many failed, the rate, and the time left: in a run over several
 * accounts, if it is a terminal. `accounts` is null if there are none, and `total` for a stream.
 */
export function progressOf(
  { quiet, json }: { readonly quiet: boolean; readonly json: boolean },
  accounts: { readonly several: boolean; readonly total: number | null } | null,
  context: Context,
): Progress {
  const { environment, stdout, stderr, now } = context;
  const isWanted = accounts?.several && accounts.total !== 0 && accounts.total !== 1 && !quiet;
  // In CI the log would keep every step. A JSON document has lines that are not finished, and the bar would erase their start.
  if (!isWanted || !stderr.isTerminal || environment.CI || (json && stdout.isTerminal))
    return { context, finished: () => {}, end: () => {} };
  const { total } = accounts;
  const began = now();
  let done = 0;
  let failed = 0;
  let hidden = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const line = (): string => {
    const rate = (done * 1000) / Math.max(1, now() - began);
    const figures = `${failed} failed, ${Math.round(rate)}/s`;
    if (total === null) return `${done} done, ${figures}`;
    const bar = "=".repeat(Math.min(1, done / total) * barWidth).padEnd(barWidth, "-");
    const left = rate === 0 ? "" : `, ${Math.ceil((total - done) / rate)} s left`;
    return `${bar} ${done} of ${total} done, ${figures}${left}`;
  };
  // If standard error is closed, the next message reports it.
  const write = (text: string): void => void stderr.write(text).catch(() => {});
  const draw = (): void => {
    timer = undefined;
    if (hidden === 0) write(hideCursor + clearLine + line().slice(0, stderr.columns || 80));
  };
  const hide = (): void => {
    hidden += 1;
    if (hidden === 1) write(clearLine + showCursor);
  };
  /** Removes the bar until the action is over: it prints whole lines, or asks for one. */
  const aside = <Value>(action: () => Promise<Value>): Promise<Value> => {
    hide();
    return action().finally(() => {
      hidden -= 1;
      draw();
    });
  };
  const beside = (output: Output): Output =>
    output.isTerminal ? { ...output, write: (text) => aside(() => output.write(text)) } : output;
  draw();
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
      timer ??= setTimeout(draw, redrawMs);
    },
    end: () => {
      clearTimeout(timer);
      draw();
      hide();
    },
  };
}
