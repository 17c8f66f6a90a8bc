import { escapeText } from "./escape.ts";
import type { Paint } from "./paint.ts";

const width = 80;
const indent = 2;
/** The columns that the label of a row takes, its distance to the text included. */
export const labelWidth = 10;

function wrap(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** A label and a text, escaped and wrapped at 80 columns; ends in a line end. */
export function row(label: string, text: string, paint: Paint): string {
  const hanging = `\n${" ".repeat(indent + labelWidth)}`;
  const lines = wrap(escapeText(text, 1_000), width - indent - labelWidth);
  return `${" ".repeat(indent)}${paint.label(label.padEnd(labelWidth))}${lines.join(hanging)}\n`;
}
