import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";

/** A file as it was when it was opened: `mode` and `owner` are null where the platform has no such thing. */
export interface OpenedFile {
  readonly bytes: Uint8Array;
  readonly mode: number | null;
  readonly owner: number | null;
}

/** What kind of file may be read, and how much of it. */
export interface ReadLimits {
  readonly maxBytes: number;
  /** Pipes and devices too, which wait for their writer; only for files that the user named. */
  readonly allowPipe: boolean;
}

/** Why a file was not read: an errno name such as `ENOENT`, or one of these two. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly code: string;

  constructor(code: "NOT_REGULAR" | "TOO_LARGE" | (string & {})) {
    super(code);
    this.code = code;
  }
}

/** The file system, as far as it is read. */
export interface Files {
  /** The file's content, opened once and checked on the descriptor; throws FileProblem. */
  readFile(path: string, limits: ReadLimits): OpenedFile;
  /** Whether something lies at the path, a link that leads nowhere included. */
  fileExists(path: string): boolean;
  /** The path with all links resolved; throws FileProblem. */
  realPath(path: string): string;
}

/** The file system, as far as it is written. Both throw FileProblem. */
export interface WritableFiles {
  /** Replaces the file at once, so that a reader sees the old content or the new. */
  writeFile(path: string, text: string): void;
  appendFile(path: string, text: string): void;
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

/** An error of the operating system as a FileProblem; anything else as it is. */
export function asFileProblem(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && !(error instanceof FileProblem) ? new FileProblem(code) : error;
}

function readFile(path: string, { maxBytes, allowPipe }: ReadLimits): OpenedFile {
  let descriptor: number | undefined;
  try {
    // O_NONBLOCK: opening a FIFO without a writer would wait for ever.
    const flags =
      constants.O_RDONLY | (allowPipe ? 0 : (constants.O_NONBLOCK ?? 0)) | (constants.O_NOCTTY ?? 0);
    descriptor = openSync(path, flags);
    const facts = fstatSync(descriptor);
    if (facts.isDirectory()) throw new FileProblem("EISDIR");
    if (!facts.isFile() && !allowPipe) throw new FileProblem("NOT_REGULAR");
    if (facts.size > maxBytes) throw new FileProblem("TOO_LARGE");
    const posix = process.platform !== "win32";
    return {
      bytes: readDescriptor(descriptor, maxBytes),
      mode: posix ? facts.mode : null,
      owner: posix ? facts.uid : null,
    };
  } catch (error) {
    throw asFileProblem(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The file system of this machine. */
export const fileSystem: Files & WritableFiles = {
  writeFile: (path, text) => {
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, text);
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
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
  readFile,
  fileExists: (path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    } catch {
      // A folder that may not be entered holds nothing for this user.
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
