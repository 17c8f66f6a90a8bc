import { SingleBar } from "cli-progress";
import type { Output } from "../system/streams.ts";

/** A progress bar on a terminal, for a run with many checks. */
export interface ProgressBar {
  finished(accepted: boolean): void;
  /** Removes the bar until the action is over: it prints whole lines, or asks for one. */
  aside<Value>(action: () => Promise<Value>): Promise<Value>;
  /** The output for texts of whole lines. If it is a terminal, the bar moves out of their way. */
  beside(output: Output): Output;
  /** Removes the bar. */
  end(): void;
}

const figures = "{value}{ofTotal} done, {failed} failed, {rate}/s";

/**
 * Shows how many checks are done, how many failed, the rate, and the time left. `total` is null if it is not known. `now` is
 * in milliseconds.
 */
export function startProgressBar(
  terminal: NodeJS.WritableStream,
  total: number | null,
  now: () => number,
): ProgressBar {
  const began = now();
  let done = 0;
  let failed = 0;
  let isOver = false;
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
  let hidden = 0;
  const show = (): void => {
    if (!isOver && hidden === 0) bar.start(total ?? 0, done, payload());
  };
  const aside = async <Value>(action: () => Promise<Value>): Promise<Value> => {
    hidden += 1;
    bar.stop();
    return action().finally(() => {
      hidden -= 1;
      show();
    });
  };
  show();
  return {
    finished: (accepted) => {
      done += 1;
      if (!accepted) failed += 1;
      bar.update(done, payload());
    },
    aside,
    beside: (output) => {
      if (!output.isTerminal) return output;
      const { columns, terminal } = output;
      return { isTerminal: true, columns, terminal, write: (text) => aside(() => output.write(text)) };
    },
    end: () => {
      isOver = true;
      bar.stop();
    },
  };
}
