import { SingleBar } from "cli-progress";

/** A progress bar on a terminal, for a run with many checks. */
export interface ProgressBar {
  finished(accepted: boolean): void;
  /** Removes the bar. */
  end(): void;
}

/** Shows how many checks are done, how many failed, the rate, and the time left. `now` is in milliseconds. */
export function startProgressBar(
  terminal: NodeJS.WritableStream,
  total: number,
  now: () => number,
): ProgressBar {
  const began = now();
  let done = 0;
  let failed = 0;
  const figures = (): object => ({
    failed,
    rate: Math.round((done * 1000) / Math.max(1, now() - began)),
  });
  const bar = new SingleBar({
    stream: terminal,
    format: "{bar} {value} of {total} done, {failed} failed, {rate}/s, {eta_formatted} left",
    barsize: 20,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
  });
  bar.start(total, 0, figures());
  return {
    finished: (accepted) => {
      done += 1;
      if (!accepted) failed += 1;
      bar.update(done, figures());
    },
    end: () => bar.stop(),
  };
}
