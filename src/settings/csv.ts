// Splits the bytes of a file of accounts into records, as they arrive and in linear time: rows of CSV (RFC 4180, and what spreadsheets
// write), or lines of JSON.

import { isUtf8 } from "node:buffer";

/** The most bytes of a line or record of `--accounts`, and of a cell until its quotation mark closes. */
export const maxRecordBytes = 64 * 1024;

/** A row of CSV as a spreadsheet shows it, or a line of JSON. */
export interface AccountRecord {
  /** The number of its row or line, from 1. */
  readonly row: number;
  /** What its cells hold, without quotation marks; a line is one cell. None if it has a problem. */
  readonly cells: readonly string[];
  /** What is wrong with it. Behind one that is `unclosed`, no record can be told from a cell. */
  readonly problem: "too long" | "not UTF-8" | "text behind a mark" | "unclosed" | null;
  /** How many bytes were read at its end. */
  readonly end: number;
}

const [quotationMark, lineFeed, carriageReturn, space, tab] = [0x22, 0x0a, 0x0d, 0x20, 0x09];

/**
 * Splits CSV into records, as RFC 4180 says and programs do: CRLF, LF and CR each end a record, also mixed, and a quotation
 * mark inside an unquoted cell is text. Without a separator, each line is a record, and only LF ends it. It takes time in proportion
 * to the bytes, and keeps one record at most. csv-parse was measured in its place: 28.7 kB of bundle, 2 to 2.9 times the processor
 * time, the rest of a file lost behind one wrong quotation mark, and a message that quotes a cell.
 */
export function recordSplitter(separator: string | null) {
  const isCsv = separator !== null;
  const separatorByte = separator?.charCodeAt(0);
  let state: "start of a cell" | "unquoted" | "quoted" | "behind a mark" = "start of a cell";
  let [pieces, length, read, openedAt, row] = [[] as Uint8Array[], 0, 0, 0, 0];
  let cellEnds: number[] = [];
  let [isBroken, isFilled, isBehindReturn, isEnded] = [false, false, false, false];

  function beginNext(): void {
    [pieces, length, cellEnds, isBroken, isFilled] = [[], 0, [], false, false];
    state = "start of a cell";
    row += 1;
  }

  /** The record that ends with this piece. The next one begins empty. */
  function take(piece: Uint8Array, end: number): AccountRecord {
    length += piece.length;
    const bytes = Buffer.concat([...pieces, piece]);
    const isUnclosed = state === "quoted";
    const problem =
      (isUnclosed && "unclosed") ||
      (length > maxRecordBytes && "too long") ||
      (!isUtf8(bytes) && "not UTF-8") ||
      (isBroken && "text behind a mark") ||
      null;
    let from = 0;
    const cellTo = (to: number): string => {
      const text = bytes.toString("utf8", from, to);
      from = to + 1;
      return isCsv && text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
    };
    const cells = problem === null ? [...cellEnds, length].map(cellTo) : [];
    isEnded = isUnclosed;
    beginNext();
    return { row, cells, problem, end };
  }

  return {
    /** The records that end in this chunk, without those of spaces and tabs alone. */
    *push(chunk: Uint8Array): Generator<AccountRecord> {
      if (isEnded) return;
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at];
        const place = length + at - from;
        if (isBehindReturn) {
          isBehindReturn = false;
          if (byte === lineFeed) {
            from = at + 1;
            continue;
          }
        }
        if (state === "quoted") {
          if (byte !== quotationMark) continue;
          if (place - openedAt > maxRecordBytes) break;
          state = "behind a mark";
        } else if (byte === separatorByte) {
          // Of a record that is too long, the cells are not needed.
          if (place <= maxRecordBytes) cellEnds.push(place);
          isFilled ||= byte !== tab;
          state = "start of a cell";
        } else if (byte === lineFeed || (isCsv && byte === carriageReturn)) {
          // A blank row is counted here: to give each of millions would keep a signal waiting.
          if (isFilled) yield take(chunk.subarray(from, at), read + at + 1);
          else beginNext();
          from = at + 1;
          isBehindReturn = byte === carriageReturn;
        } else if (isCsv && byte === quotationMark && state !== "unquoted") {
          if (state === "start of a cell") openedAt = place + 1;
          isFilled = true;
          state = "quoted";
        } else {
          isBroken ||= state === "behind a mark";
          isFilled ||= byte !== space && byte !== tab && byte !== carriageReturn;
          state = "unquoted";
          // A line has no cells, so go to its end.
          const next = !isCsv && isFilled ? chunk.indexOf(lineFeed, at) : at + 1;
          at = (next < 0 ? chunk.length : next) - 1;
        }
      }
      const rest = chunk.subarray(from);
      read += chunk.length;
      if (state === "quoted" && length + rest.length - openedAt > maxRecordBytes) {
        yield take(rest, read);
        return;
      }
      length += rest.length;
      if (length > maxRecordBytes) pieces = [];
      else pieces.push(rest);
    },
    /** The last record, if no end of a line follows it. */
    *end(): Generator<AccountRecord> {
      if (isFilled) yield take(new Uint8Array(0), read);
    },
  };
}
