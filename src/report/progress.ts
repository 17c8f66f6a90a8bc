// The line of progress on standard error, if that is a terminal: rewritten at most ten times a second, and never mixed with other
// text.

import type { Context } from "../system/context.ts";
import type { Output } from "../system/streams.ts";
import { wrapped } from "./layout.ts";
import { writeLine } from "./messages.ts";
import { isDumb } from "./paint.ts";

/** What a terminal shows of a run while it lasts. */
export interface Progress {
  /** The context of the run: what it prints on a terminal does not mix with the progress. */
  readonly context: Context;
  /** Shows a step of a check until the next one, or until a check is finished. */
  step(text: string): Promise<void>;
  /** Notes that a check is finished, and with it this share of all accounts; 0 if its account has further checks. */
  finished(isAccepted: boolean, share: number): void;
  /** From now on it shows how long a 429 holds back the run, by when that ends in milliseconds since the epoch; null if nothing is held back. */
  shows(heldUntil: () => number | null): void;
  /** Removes the progress from the terminal. */
  end(): void;
}

const redrawMs = 100;
const clearLine = "\r\u001b[2K";

/** The first words of a text, escaped: as many as fit these columns. */
const firstWords = (text: string, columns: number): string =>
  wrapped(text, { columns: columns - 1 }, 0).split("\n")[0] ?? "";

const narrow = 60;
const widestBar = 30;
const narrowestBar = 2;

function shortDuration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  return seconds < 6_000 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}

/**
 * What a terminal of these columns shows of several checks: a bar if the end is known, how many are done and failed, how many a
 * second, and about how long yet. It takes a column less than there are.
 */
export function progressLine(
  run: {
    readonly done: number;
    readonly failed: number;
    readonly total: number | null;
    /** The share of the whole that is finished, from 0 to 1; null if nobody knows the end. */
    readonly share: number | null;
    readonly perSecond: number | null;
    readonly secondsLeft: number | null;
    /** How long a 429 holds back the run still; null if it does not. */
    readonly heldSeconds: number | null;
  },
  columns: number,
): string {
  const { done, failed, total, share, perSecond, secondsLeft, heldSeconds } = run;
  const isNarrow = columns < narrow;
  const counts = [`${done}${total === null || isNarrow ? "" : ` of ${total}`} done`, `${failed} failed`];
  const rate = perSecond && `${perSecond < 9.95 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;
  const left = secondsLeft === null ? null : shortDuration(secondsLeft);
  const pace = isNarrow ? [rate, left?.replace(" ", "")] : [rate, left && `about ${left} left`];
  const held = heldSeconds === null ? null : `held back by 429 for ${shortDuration(heldSeconds)}`;
  const parts = [...(held && isNarrow ? counts.slice(0, 1) : counts), ...(held ? [held] : pace)];
  const words = parts.filter((part) => typeof part === "string").join(isNarrow ? " " : ", ");
  const width = Math.min(widestBar, columns - words.length - "[] ".length - 1);
  if (share === null || width < narrowestBar) return firstWords(words, columns);
  const full = Math.floor(share * width);
  return `[${"#".repeat(full)}${".".repeat(width - full)}] ${words}`;
}

// A rate is that of the last half minute: a server that was slow at first does not spoil the rest.
const sampleMs = 1_000;
const mostSamples = 30;

/** Counts finished checks, and measures how fast they are. `whole` is the sum of all shares; null if nobody knows it. */
function counter(total: number | null, whole: number | null, now: () => number) {
  let [done, failed, finished] = [0, 0, 0];
  const samples = [{ at: now(), done, finished }];
  return {
    add(isAccepted: boolean, share: number): void {
      done += 1;
      if (!isAccepted) failed += 1;
      finished += share;
    },
    line(columns: number, heldUntil: number | null): string {
      const at = now();
      const [first = { at, done, finished }] = samples;
      const seconds = (at - first.at) / 1_000;
      const last = samples.at(-1) ?? first;
      if (at - last.at >= sampleMs) samples.push({ at, done, finished });
      if (samples.length > mostSamples) samples.shift();
      const isMeasured = seconds >= 1 && done > first.done;
      const share = whole === null || whole === 0 ? null : Math.min(1, finished / whole);
      const perSecond = isMeasured ? (done - first.done) / seconds : null;
      const isForeseen = isMeasured && whole !== null && finished > first.finished;
      const secondsLeft = isForeseen
        ? (Math.max(0, whole - finished) * seconds) / (finished - first.finished)
        : null;
      const heldSeconds = heldUntil === null ? null : Math.max(0, heldUntil - at) / 1_000;
      return progressLine({ done, failed, total, share, perSecond, secondsLeft, heldSeconds }, columns);
    },
  };
}

/**
 * Shows one line on standard error, if it is a terminal that can rewrite it. In a run over several accounts it says how far the
 * run is; during a diagnosis, which request is made. On other streams only `--verbose` shows a step. `accounts` is null if no
 * account is known yet; its `total` is null for a stream, and `whole` is the sum of the shares of its accounts, if it is known.
 */
export function progressOf(
  { quiet, json, verbose }: { readonly quiet: boolean; readonly json: boolean; readonly verbose: boolean },
  accounts: {
    readonly several: boolean;
    readonly total: number | null;
    readonly whole: number | null;
  } | null,
  context: Context,
): Progress {
  const { environment, stdout, stderr } = context;
  // In CI the log would keep every step. A JSON document has lines that are not finished, and this line would erase their start.
  if (!stderr.isTerminal || isDumb(environment) || environment.CI || (json && stdout.isTerminal))
    return {
      context,
      step: async (text) => {
        if (verbose) await writeLine(text, stderr);
      },
      finished: () => {},
      shows: () => {},
      end: () => {},
    };
  const { several = false, total = null, whole = null } = accounts ?? {};
  const isCounted = several && total !== 0 && total !== 1 && !quiet;
  const count = counter(total, whole, context.now);
  let hidden = 0;
  let step = "";
  let shown = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let heldUntil: () => number | null = () => null;
  const show = (line: string): void => {
    if (line === shown) return;
    shown = line;
    // If standard error is closed, the next message reports it.
    void stderr.write(clearLine + line).catch(() => {});
  };
  /** Draws the line, but not within 100 ms of the last time: then it is drawn when they are over. */
  const draw = (): void => {
    isDue = timer !== undefined;
    if (isDue || hidden > 0) return;
    const columns = stderr.columns || 80;
    const until = heldUntil();
    const line = step === "" ? (isCounted ? count.line(columns, until) : "") : firstWords(step, columns);
    // A pause passes while nothing else happens.
    if (line === shown && until === null) return;
    show(line);
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue || until !== null) draw();
    }, redrawMs);
  };
  /** Removes the line until the action is over: it prints whole lines, or asks for one. */
  const aside = <Value>(action: () => Promise<Value>): Promise<Value> => {
    hidden += 1;
    show("");
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
    step: async (text) => {
      if (verbose) return writeLine(text, beside(stderr));
      step = text;
      draw();
    },
    finished: (isAccepted, share) => {
      step = "";
      count.add(isAccepted, share);
      draw();
    },
    shows: (until) => {
      heldUntil = until;
    },
    end: () => {
      hidden += 1;
      clearTimeout(timer);
      show("");
    },
  };
}
