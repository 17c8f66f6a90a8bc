import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import type { Readable } from "node:stream";
import { errorCode } from "./error-code.ts";
import { pipeStream } from "./pipe.ts";

/** A file as it was when it was opened. `mode` and `owner` are null on Windows. */
export interface OpenedFile {
  readonly bytes: Uint8Array;
  readonly mode: number | null;
  readonly owner: number | null;
}

/** Why a file could not be read or written. The code is an errno name such as `ENOENT`, or a name of our own. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EACCES: "cannot be read: permission denied",
  EPERM: "cannot be read: permission denied",
  EISDIR: "is a folder, not a file",
  ELOOP: "is a symbolic link that leads back to itself",
  NOT_REGULAR: "is not a regular file",
  ENXIO: "is not a regular file",
  TOO_LARGE: "is too large",
};

/** Why a file could not be read, as the end of a sentence. */
export function describeFileProblem(problem: FileProblem): string {
  return problems[problem.code] ?? `cannot be read (${problem.code})`;
}

/** Read access to the file system. */
export interface Files {
  /** A regular file of at most `maxBytes`, opened once and checked on the descriptor; throws FileProblem. */
  readFile(path: string, maxBytes: number): OpenedFile;
  /**
   * A file that the user named. It may be a pipe or device too; then this waits for its data. Rejects with FileProblem, or
   * with the reason of `interrupted`.
   */
  readNamedFile(path: string, maxBytes: number, interrupted: AbortSignal): Promise<Uint8Array>;
  /** Whether something exists at the path, even a broken link. */
  fileExists(path: string): boolean;
  /** The path with all links resolved; throws FileProblem. */
  realPath(path: string): string;
}

function readDescriptor(descriptor: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const count = readSync(descriptor, chunk);
    if (count === 0) return Buffer.concat(chunks, length);
    length += count;
    if (length > maxBytes) throw new FileProblem("TOO_LARGE");
    chunks.push(chunk.subarray(0, count));
  }
}

/** Turns an error of the operating system into a FileProblem; returns any other error unchanged. */
export function asFileProblem(error: unknown): unknown {
  const code = errorCode(error);
  return code === null || error instanceof FileProblem ? error : new FileProblem(code);
}

/** Flags for opening a file: do not wait at a FIFO, and do not take over a terminal. Windows has neither. */
export const withoutWaiting = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Opens a file for reading without waiting: a FIFO without a writer would block the process. */
export function openToRead(path: string): number {
  return openSync(path, constants.O_RDONLY | withoutWaiting);
}

function open(path: string): { readonly descriptor: number; readonly facts: Stats } {
  const descriptor = openToRead(path);
  return { descriptor, facts: fstatSync(descriptor) };
}

function readRegular(descriptor: number, facts: Stats, maxBytes: number): Buffer {
  if (facts.isDirectory()) throw new FileProblem("EISDIR");
  if (!facts.isFile()) throw new FileProblem("NOT_REGULAR");
  if (facts.size > maxBytes) throw new FileProblem("TOO_LARGE");
  return readDescriptor(descriptor, maxBytes);
}

function readFile(path: string, maxBytes: number): OpenedFile {
  let descriptor: number | undefined;
  try {
    const opened = open(path);
    descriptor = opened.descriptor;
    const { facts } = opened;
    const posix = process.platform !== "win32";
    return {
      bytes: readRegular(descriptor, facts, maxBytes),
      mode: posix ? facts.mode : null,
      owner: posix ? facts.uid : null,
    };
  } catch (error) {
    throw asFileProblem(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** All bytes of a stream, at most `maxBytes`. Rejects with FileProblem, or with the reason of `interrupted`. */
export async function collect(
  stream: Readable,
  maxBytes: number,
  interrupted: AbortSignal,
): Promise<Uint8Array> {
  const stop = (): void => void stream.destroy(interrupted.reason);
  if (interrupted.aborted) stop();
  interrupted.addEventListener("abort", stop, { once: true });
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > maxBytes) throw new FileProblem("TOO_LARGE");
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  } catch (error) {
    throw asFileProblem(error);
  } finally {
    interrupted.removeEventListener("abort", stop);
    stream.destroy();
  }
}

async function readNamedFile(path: string, maxBytes: number, interrupted: AbortSignal): Promise<Uint8Array> {
  try {
    const { descriptor, facts } = open(path);
    if (facts.isFIFO()) {
      return await collect(pipeStream(descriptor), maxBytes, interrupted);
    }
    try {
      return facts.isCharacterDevice()
        ? readDescriptor(descriptor, maxBytes)
        : readRegular(descriptor, facts, maxBytes);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw asFileProblem(error);
  }
}

/** Read access to the file system of this machine. */
export const fileSystem: Files = {
  readFile,
  readNamedFile,
  fileExists: (path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    } catch {
      // If the user may not enter the folder, its files do not exist for this user.
      return false;
    }
  },
  realPath: (path) => {
    try {
      return realpathSync(path);
    } catch (error) {
      throw asFileProblem(error);
    }
  },
};
