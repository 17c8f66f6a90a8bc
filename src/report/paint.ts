// Colour, and the width to wrap at. chalk is loaded only where there is colour.

import type { Context } from "../system/context.ts";
import type { Output } from "../system/streams.ts";

/** How a report is shown: its colours, and the width to wrap at (Infinity for no wrapping). */
export interface Paint {
  readonly columns: number;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  label(text: string): string;
}

// Longer lines are hard to read.
const mostColumns = 100;

/** The width to wrap text at: the terminal's, at most `most`, 80 if it is unknown. Infinity if the stream is not a terminal. */
export function columnsOf({ isTerminal, columns }: Output, most = mostColumns): number {
  return isTerminal ? Math.min(columns || 80, most) : Number.POSITIVE_INFINITY;
}

/** Whether the terminal can neither show colour nor move its cursor. */
export function isDumb({ TERM }: Context["environment"]): boolean {
  return TERM === "dumb" || TERM === "";
}

/** Whether a stream gets colour. `--no-color` counts first, then NO_COLOR (no-color.org), FORCE_COLOR, TERM and the terminal. */
export function wantsColor(
  isTerminal: boolean,
  allowed: boolean,
  environment: Context["environment"],
): boolean {
  const { NO_COLOR, FORCE_COLOR } = environment;
  if (!allowed || NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && !isDumb(environment);
}

/** The paint of a stream. Loads chalk only for colour. */
export async function paintOf(color: boolean, columns = Number.POSITIVE_INFINITY): Promise<Paint> {
  const plain = (text: string): string => text;
  if (!color) return { columns, good: plain, bad: plain, warn: plain, label: plain };
  const { Chalk } = await import("chalk");
  const { green, red, yellow, dim } = new Chalk({ level: 1 });
  return { columns, good: green.bold, bad: red.bold, warn: yellow.bold, label: dim };
}
