import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { orNull } from "../errors.ts";
import { errorCode } from "./error-code.ts";
import { FileProblem, orFileProblem } from "./file-reading.ts";

/** Where a text stands in a spool, in bytes. */
export interface Place {
  readonly start: number;
  readonly length: number;
}

/** A temporary file for texts that are too long for memory. All methods throw FileProblem. */
export interface Spool {
  append(text: string): Place;
  /** The texts at these places, in pieces. The next piece overwrites the one before. */
  pieces(places: readonly Place[]): Iterable<Uint8Array>;
  /** Closes the file, and so deletes it. */
  close(): void;
}

const pieceBytes = 64 * 1024;

/**
 * Makes a new temporary file beside this one, which only its owner can read. The system deletes it when it is closed, even if
 * the process is killed. It has one byte from the beginning, so a full disk is noticed now.
 */
export function openSpool(beside: string): Spool {
  const path = `${beside}.${process.pid}.0.tmp`;
  const descriptor = orFileProblem(() => openSync(path, "wx+", 0o600));
  let end = 0;
  const append = (text: string): Place => {
    const bytes = Buffer.from(text);
    orFileProblem(() => writeFileSync(descriptor, bytes));
    const start = end;
    end += bytes.length;
    return { start, length: bytes.length };
  };
  try {
    append(" ");
  } catch (error) {
    closeSync(descriptor);
    throw error;
  } finally {
    orFileProblem(() => unlinkSync(path));
  }
  return {
    append,
    *pieces(places) {
      // One buffer for all: a new one for each piece takes 55 MB more for 150,000 accounts.
      const piece = Buffer.allocUnsafe(pieceBytes);
      for (const { start, length } of places) {
        for (let done = 0; done < length; ) {
          const most = Math.min(pieceBytes, length - done);
          const count = orFileProblem(() => readSync(descriptor, piece, 0, most, start + done));
          if (count === 0) throw new FileProblem("EIO");
          done += count;
          yield piece.subarray(0, count);
        }
      }
    },
    close: () => closeSync(descriptor),
  };
}

/** Whether a process with this number runs that is not this one. */
function isAlive(id: number): boolean {
  if (id === process.pid) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

/** Removes the temporary files that killed processes left beside this one. In containers, each run can have the same number. */
export function removeLeftovers(beside: string): void {
  const [folder, start] = [dirname(beside), `${basename(beside)}.`];
  // Where a folder may not be listed, or a file is another user's, the report can be written all the same.
  for (const name of orNull(() => readdirSync(folder)) ?? []) {
    const rest = name.startsWith(start) ? name.slice(start.length) : "";
    const id = /^(\d{1,10})(?:\.\d+)?\.tmp$/.exec(rest)?.[1];
    const path = join(folder, name);
    if (id !== undefined && !isAlive(Number(id))) orNull(() => lstatSync(path).isFile() && rmSync(path));
  }
}
