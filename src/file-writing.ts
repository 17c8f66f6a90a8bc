import { appendFileSync, lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { asFileProblem } from "./file-system.ts";

/** The file system, as far as it is written. Both throw FileProblem. */
export interface WritableFiles {
  /** Replaces the file at once, so that a reader sees the old content or the new; writes into a link, pipe or device. */
  writeFile(path: string, text: string): void;
  appendFile(path: string, text: string): void;
}

function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The file system of this machine, to write. */
export const fileWriting: WritableFiles = {
  writeFile: (path, text) => {
    try {
      const there = lstatSync(path, { throwIfNoEntry: false });
      // To replace a link (/dev/stdout), a device or a named pipe would put a file in its place.
      if (there === undefined || there.isFile()) replaceFile(path, text);
      else writeFileSync(path, text);
    } catch (error) {
      throw asFileProblem(error);
    }
  },
  appendFile: (path, text) => {
    try {
      appendFileSync(path, text);
    } catch (error) {
      throw asFileProblem(error);
    }
  },
};
