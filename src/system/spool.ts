import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { orFileProblem } from "./file-reading.ts";

/** A temporary file for a text that is too long for memory. All methods throw FileProblem. */
export interface Spool {
  append(text: string): void;
  /** Everything that was appended, in pieces. */
  pieces(): Iterable<Uint8Array>;
  /** Deletes the file. */
  remove(): void;
}

const pieceBytes = 64 * 1024;

/** Makes a new temporary file beside this one, which only its owner can read; `number` tells several of them apart. */
export function openSpool(beside: string, number: number): Spool {
  const path = `${beside}.${process.pid}.${number}.tmp`;
  const descriptor = orFileProblem(() => openSync(path, "wx+", 0o600));
  return {
    append: (text) => {
      let rest: Uint8Array = Buffer.from(text);
      while (rest.length > 0) rest = rest.subarray(orFileProblem(() => writeSync(descriptor, rest)));
    },
    *pieces() {
      const piece = Buffer.allocUnsafe(pieceBytes);
      for (let position = 0; ; ) {
        const count = orFileProblem(() => readSync(descriptor, piece, 0, pieceBytes, position));
        if (count === 0) return;
        position += count;
        yield piece.subarray(0, count);
      }
    },
    remove: () => {
      closeSync(descriptor);
      orFileProblem(() => rmSync(path, { force: true }));
    },
  };
}
