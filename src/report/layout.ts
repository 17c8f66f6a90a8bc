import type { Output } from "../system/streams.ts";
import { escapeText } from "./escape.ts";
import type { Paint } from "./paint.ts";

const indent = 2;
/** The columns that the label of a row takes, including the space before the text. */
const labelWidth = 10;
// Longer lines are hard to read.
const mostColumns = 100;

/** The width to wrap text at: the terminal's, at most 100, 80 if it is unknown. Infinity if the stream is no terminal. */
export function columnsOf({ isTerminal, columns }: Output): number {
  return isTerminal ? Math.min(columns || 80, mostColumns) : Number.POSITIVE_INFINITY;
}

/** Escapes the text and wraps it between words. The first line is `taken` columns shorter; the others begin with `hanging` spaces. */
export function wrapped(text: string, { columns }: Paint, hanging: number, taken = hanging): string {
  const lines: string[] = [];
  let line = "";
  let room = columns - taken;
  for (const word of escapeText(text, 1_000).split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
      room = columns - hanging;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join(`\n${" ".repeat(hanging)}`);
}

/** A label and its text, escaped and wrapped; ends in a line end. */
export function row(label: string, text: string, paint: Paint): string {
  const hanging = indent + labelWidth;
  return `${" ".repeat(indent)}${paint.label(label.padEnd(labelWidth))}${wrapped(text, paint, hanging)}\n`;
}
