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
  /** Notes that a check is finished. */
  finished(isAccepted: boolean): void;
  /** Removes the progress from the terminal. */
  end(): void;
}

const redrawMs = 100;
const clearLine = "\r\u001b[2K";

/** The first words of a text, escaped: as many as fit these columns. */
const firstWords = (text: string, columns: number): string =>
  wrapped(text, { columns: columns - 1 }, 0).split("\n")[0] ?? "";

/**
 * Shows one line on standard error, if it is a terminal that can rewrite it. In a run over several accounts it says how many
 * checks are done and how many failed; during a diagnosis, which request is made. On other streams only `--verbose` shows a
 * step. `accounts` is null if no account is known yet; its `total` is null for a stream.
 */
export function progressOf(
  { quiet, json, verbose }: { readonly quiet: boolean; readonly json: boolean; readonly verbose: boolean },
  accounts: { readonly several: boolean; readonly total: number | null } | null,
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
  const { several = false, total = null } = accounts ?? {};
  const isCounted = several && total !== 0 && total !== 1 && !quiet;
  let done = 0;
  let failed = 0;
  let hidden = 0;
  let step = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const counted = (): string => `${done}${total === null ? "" : ` of ${total}`} done, ${failed} failed`;
  let shown = "";
  const draw = (): void => {
    const line = hidden > 0 ? "" : firstWords(step || (isCounted ? counted() : ""), stderr.columns || 80);
    // If standard error is closed, the next message reports it.
    if (line !== "" || shown !== "") void stderr.write(clearLine + line).catch(() => {});
    shown = line;
  };
  const hide = (by: 1 | -1): void => {
    hidden += by;
    draw();
  };
  /** Removes the line until the action is over: it prints whole lines, or asks for one. */
  const aside = <Value>(action: () => Promise<Value>): Promise<Value> => {
    hide(1);
    return action().finally(() => hide(-1));
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
    finished: (isAccepted) => {
      step = "";
      done += 1;
      if (!isAccepted) failed += 1;
      timer ??= setTimeout(() => {
        timer = undefined;
        draw();
      }, redrawMs);
    },
    end: () => {
      clearTimeout(timer);
      draw();
      hide(1);
    },
  };
}
