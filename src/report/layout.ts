// Rows of a label and a text, and how texts are wrapped, by the width of a terminal.

import { stripVTControlCharacters } from "node:util";
import { escapeText } from "../redaction/escape.ts";
import type { Paint } from "./paint.ts";

const indent = 2;
/** The column where the text of each line begins: the longest verdict, and a space. */
export const textColumn = 12;

/** How many characters of a text are shown: colours are none. */
export const widthOf = (text: string): number => stripVTControlCharacters(text).length;

/** The text and spaces up to this width. */
export const padded = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - widthOf(text)));

/** Breaks a line between words to fit these columns. The text begins at column `start`, and further lines at `hang`. */
function wrapWords(text: string, columns: number, hang: number, start = hang): string {
  let column = start;
  let isEmpty = true;
  const parts = text.split(" ").map((word, index) => {
    const width = widthOf(word);
    const isBroken = !isEmpty && column + 1 + width > columns;
    isEmpty &&= width === 0;
    const gap = index === 0 ? "" : isBroken ? `\n${" ".repeat(hang)}` : " ";
    column = isBroken ? hang + width : column + gap.length + width;
    return gap + word;
  });
  return parts.join("");
}

/** Escapes the text and wraps it between words. Further lines stand at this column. */
export function wrapped(text: string, { columns }: Pick<Paint, "columns">, column = textColumn): string {
  return wrapWords(escapeText(text, 1_000), columns, column);
}

/** A label and its text, escaped and wrapped; ends in a line end. */
export function row(label: string, text: string, paint: Paint): string {
  return `${" ".repeat(indent)}${paint.label(label.padEnd(textColumn - indent))}${wrapped(text, paint)}\n`;
}

/** Breaks the lines of a help or a table that are longer than the terminal. Such a line loses its alignment, and no word is cut. */
export function fitted(text: string, columns: number): string {
  const fittedLine = (line: string): string => {
    if (widthOf(line) <= columns) return line;
    const hang = line.search(/\S/) + 4;
    const narrow = line.replace(/(?<=\S) {2,}/g, "  ");
    return wrapWords(narrow, columns, hang, 0);
  };
  const lines = text.split("\n").map(fittedLine).join("\n").split("\n");
  return lines.map((line) => line.trimEnd()).join("\n");
}
