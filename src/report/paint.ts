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

/** The width to wrap text at: the terminal's, at most 100, 80 if it is unknown. Infinity if the stream is not a terminal. */
export function columnsOf({ isTerminal, columns }: Output): number {
  return isTerminal ? Math.min(columns || 80, mostColumns) : Number.POSITIVE_INFINITY;
}

const plain = (text: string): string => text;

/** No colour. */
export function plainPaint(columns: number): Paint {
  return { columns, good: plain, bad: plain, warn: plain, label: plain };
}

/** Whether a stream gets colour. `--no-color` counts first, then NO_COLOR (no-color.org), FORCE_COLOR and the terminal. */
export function wantsColor(
  isTerminal: boolean,
  allowed: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (!allowed || environment.NO_COLOR) return false;
  const forced = environment.FORCE_COLOR;
  if (forced) return forced !== "0" && forced !== "false";
  return isTerminal && environment.TERM !== "dumb";
}

/** The paint of a stream. Loads chalk only for colour. */
export async function paintOf(color: boolean, columns = Number.POSITIVE_INFINITY): Promise<Paint> {
  if (!color) return plainPaint(columns);
  const { Chalk } = await import("chalk");
  const { green, red, yellow, dim } = new Chalk({ level: 1 });
  return { columns, good: green.bold, bad: red.bold, warn: yellow.bold, label: dim };
}
