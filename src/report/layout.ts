import type { Output } from "../system/streams.ts";
import { escapeText } from "./escape.ts";
import type { Paint } from "./paint.ts";

const indent = 2;
/** The column where the text of each line begins: the longest verdict, and a space. */
export const textColumn = 12;
// Longer lines are hard to read.
const mostColumns = 100;

/** The width to wrap text at: the terminal's, at most 100, 80 if it is unknown. Infinity if the stream is not a terminal. */
export function columnsOf({ isTerminal, columns }: Output): number {
  return isTerminal ? Math.min(columns || 80, mostColumns) : Number.POSITIVE_INFINITY;
}

/** Escapes the text and wraps it between words. Further lines stand at this column. */
export function wrapped(text: string, { columns }: Pick<Paint, "columns">, column = textColumn): string {
  const lines: string[] = [];
  let line = "";
  const room = columns - column;
  for (const word of escapeText(text, 1_000).split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join(`\n${" ".repeat(column)}`);
}

/** A label and its text, escaped and wrapped; ends in a line end. */
export function row(label: string, text: string, paint: Paint): string {
  return `${" ".repeat(indent)}${paint.label(label.padEnd(textColumn - indent))}${wrapped(text, paint)}\n`;
}
