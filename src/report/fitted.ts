import { stripVTControlCharacters } from "node:util";
import { wrapWords } from "./escape.ts";

const lengthOf = (text: string): number => stripVTControlCharacters(text).length;

/** Breaks the lines of a help or a table that are longer than the terminal. Such a line loses its alignment, and no word is cut. */
export function fitted(text: string, columns: number): string {
  const fittedLine = (line: string): string => {
    if (lengthOf(line) <= columns) return line;
    const hang = line.search(/\S/) + 4;
    const narrow = line.replace(/(?<=\S) {2,}/g, "  ");
    return wrapWords(narrow, columns, hang, 0, lengthOf);
  };
  const lines = text.split("\n").map(fittedLine).join("\n").split("\n");
  return lines.map((line) => line.trimEnd()).join("\n");
}
