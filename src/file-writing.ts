import {
  appendFileSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { asFileProblem } from "./file-system.ts";

/** The file system, as far as it is written. Both throw FileProblem. */
export interface WritableFiles {
  /** Replaces a file at once, so that a reader sees the old content or the new; writes into a pipe or device. */
  writeFile(path: string, text: string): void;
  appendFile(path: string, text: string): void;
}

const descriptors: Readonly<Record<string, number>> = { "/dev/stdout": 1, "/dev/stderr": 2 };

/** The descriptor of this process that a path stands for, or null. */
function descriptorOf(path: string): number | null {
  const number = /^\/dev\/fd\/(\d{1,9})$/.exec(path)?.[1];
  return number === undefined ? (descriptors[path] ?? null) : Number(number);
}

function replaceFile(path: string, text: string, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // A file or link that somebody put there is neither written nor removed.
  const descriptor = openSync(temporary, "wx", mode);
  try {
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** To replace a device or a named pipe would put a file in its place. */
function writeInto(path: string, facts: Stats, text: string): void {
  // Without a reader the pipe would hold this process, and no signal end it: this fails at once then.
  if (facts.isFIFO()) closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  writeFileSync(path, text);
}

/** The file system of this machine, to write. */
export const fileWriting: WritableFiles = {
  writeFile: (path, text) => {
    try {
      const descriptor = descriptorOf(path);
      // To open it anew would empty a file that standard output goes to, and write over what follows.
      if (descriptor !== null) return writeFileSync(descriptor, text);
      const quietly = { throwIfNoEntry: false } as const;
      const facts = statSync(path, quietly);
      if (facts?.isFile()) replaceFile(realpathSync(path), text, facts.mode & 0o777);
      else if (facts !== undefined) writeInto(path, facts, text);
      // A link may lead nowhere yet.
      else if (lstatSync(path, quietly) !== undefined) writeFileSync(path, text);
      else replaceFile(path, text, 0o666);
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
