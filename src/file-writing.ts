import {
  appendFileSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { errorCode } from "./error-code.ts";
import { asFileProblem, withoutWaiting } from "./file-system.ts";

/** The file system, as far as it is written. `writeFile` rejects with FileProblem, `appendFile` throws it. */
export interface WritableFiles {
  /**
   * Replaces a file at once, so that a reader sees the old content or the new. Writes into a named pipe or device, whose
   * reader is waited for until the signal comes, with whose reason it then rejects; one that came before is over. A
   * descriptor of this process (`/dev/stdout`) waits as it was opened to.
   */
  writeFile(path: string, text: string, interrupted: AbortSignal): Promise<void>;
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

/** Writes all of the text. What would block is tried again by way of the event loop, so that a signal can end it. */
async function writeAll(descriptor: number, text: string, interrupted: AbortSignal): Promise<void> {
  const before = interrupted.aborted;
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (errorCode(error) !== "EAGAIN") throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (!before) interrupted.throwIfAborted();
    }
  }
}

/** To replace a device or a named pipe would put a file in its place. A pipe without a reader is refused (ENXIO). */
async function writeInto(path: string, text: string, interrupted: AbortSignal): Promise<void> {
  const descriptor = openSync(path, constants.O_WRONLY | withoutWaiting);
  try {
    await writeAll(descriptor, text, interrupted);
  } finally {
    closeSync(descriptor);
  }
}

/** The file system of this machine, to write. */
export const fileWriting: WritableFiles = {
  writeFile: async (path, text, interrupted) => {
    try {
      const descriptor = descriptorOf(path);
      // To open it anew would empty a file that standard output goes to, and write over what follows.
      if (descriptor !== null) return await writeAll(descriptor, text, interrupted);
      const quietly = { throwIfNoEntry: false } as const;
      const facts = statSync(path, quietly);
      if (facts?.isFile()) replaceFile(realpathSync(path), text, facts.mode & 0o777);
      else if (facts !== undefined) await writeInto(path, text, interrupted);
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
