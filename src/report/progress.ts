// The line of progress on standard error, if that is a terminal. It is rewritten at most ten times a second, and never mixes with text.

import type { Context } from "../system/context.ts";
import type { Output } from "../system/streams.ts";
import { durationInWords } from "../words.ts";
import { wrapped } from "./layout.ts";
import { writeLine } from "./messages.ts";
import { isDumb } from "./paint.ts";

/** What a terminal shows of a run while it lasts. */
export interface Progress {
  /** The context of the run: what it prints on a terminal does not mix with the progress. */
  readonly context: Context;
  /** Shows a step of a check until the next one, or until a check is finished. */
  step(text: string): Promise<void>;
  /** Notes that a check is finished. `share` is its account's part of all accounts; 0 if the account has further checks. */
  finished(isAccepted: boolean, share: number): void;
  /** Removes the progress from the terminal. */
  end(): void;
}

const redrawMs = 100;
const clearLine = "\r\u001b[2K";
const bar = 20;

/** The first words of a text, escaped: as many as fit these columns. */
const firstWords = (text: string, columns: number): string =>
  wrapped(text, { columns: columns - 1 }, 0).split("\n")[0] ?? "";

/** How many checks are done and failed; if the end is known, a bar and the time left. `share`: what is finished, from 0 to 1. */
export function progressLine(
  { done, failed, seconds }: Readonly<Record<"done" | "failed" | "seconds", number>>,
  share: number | null,
  columns: number,
): string {
  const counts = `${done} done, ${failed} failed`;
  if (share === null) return firstWords(counts, columns);
  const full = Math.floor(Math.min(1, share) * bar);
  // A guess from the first moments would jump.
  const isForeseen = share > 0 && share < 1 && seconds >= 1;
  const yet = (seconds * (1 - share)) / share;
  // To the second, and of a long time to the minute.
  const unit = yet < 100 ? 1 : 60;
  const left = isForeseen ? `, about ${durationInWords(Math.ceil(yet / unit) * unit)} left` : "";
  return firstWords(`[${"#".repeat(full)}${".".repeat(bar - full)}] ${counts}${left}`, columns);
}

/**
 * Shows one line on standard error, if it is a terminal that can rewrite it: of several accounts how far the run is, and during a diagnosis
 * which request is made. Elsewhere only `--verbose` shows a step. `accounts` is null if they could not be loaded; `whole` is the sum of the
 * shares of all accounts, null if nobody knows it.
 */
export function progressOf(
  { quiet, json, verbose }: Readonly<Record<"quiet" | "json" | "verbose", boolean>>,
  accounts: Readonly<Record<"total" | "whole", number | null>> | null,
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
      end: () => {},
    };
  const { total = 1, whole = null } = accounts ?? {};
  const isCounted = total !== 1 && !quiet;
  const began = context.now();
  let [done, failed, finished] = [0, 0, 0];
  let hidden = 0;
  let step = "";
  let shown = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
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
    const counts = { done, failed, seconds: (context.now() - began) / 1_000 };
    const counted = isCounted ? progressLine(counts, whole && finished / whole, columns) : "";
    const line = step === "" ? counted : firstWords(step, columns);
    if (line === shown) return;
    show(line);
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) draw();
    }, redrawMs);
  };
  /** Removes the line until the action is over: it prints whole lines, or asks for one. */
  const withoutLine = <Value>(action: () => Promise<Value>): Promise<Value> => {
    hidden += 1;
    show("");
    return action().finally(() => {
      hidden -= 1;
      draw();
    });
  };
  /** The output, which hides the line while it prints whole lines on a terminal. */
  const hidingLine = (output: Output): Output =>
    output.isTerminal ? { ...output, write: (text) => withoutLine(() => output.write(text)) } : output;
  draw();
  return {
    context: {
      ...context,
      stdout: hidingLine(stdout),
      stderr: hidingLine(stderr),
      readStdin: (maxBytes, label) => withoutLine(() => context.readStdin(maxBytes, label)),
    },
    step: async (text) => {
      if (verbose) return writeLine(text, hidingLine(stderr));
      step = text;
      draw();
    },
    finished: (isAccepted, share) => {
      step = "";
      done += 1;
      if (!isAccepted) failed += 1;
      finished += share;
      draw();
    },
    end: () => {
      hidden += 1;
      clearTimeout(timer);
      show("");
    },
  };
}
