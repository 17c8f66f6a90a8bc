// Reads regular files within limits, and says why one cannot be read.

import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { devNull } from "node:os";
import { errorCode, orNull } from "../errors.ts";

/** Who may use a file, and whose it is; null for anything but a regular file on POSIX. */
export interface Permissions {
  readonly mode: number | null;
  readonly owner: number | null;
}

/** A file as it was when it was opened. */
export interface OpenedFile extends Permissions {
  readonly bytes: Uint8Array;
}

/** The permissions of an open file. */
export function permissionsOf(facts: Stats): Permissions {
  const known = facts.isFile() && process.platform !== "win32";
  return known ? { mode: facts.mode, owner: facts.uid } : { mode: null, owner: null };
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
  EMFILE: "cannot be read: this process may open no more files (ulimit -n)",
  ENFILE: "cannot be read: this machine may open no more files",
  ERR_ACCESS_DENIED: "cannot be read: the permissions of this Node.js forbid it (--allow-fs-read)",
};

/** The error to throw where a file cannot be read: `say` makes it of a reason such as "does not exist". Other errors stay as they are. */
export const ifUnreadable = (error: unknown, say: (what: string, code: string) => Error): unknown =>
  error instanceof FileProblem
    ? say(problems[error.code] ?? `cannot be read (${error.code})`, error.code)
    : error;

/** Turns an error of the operating system into a FileProblem; returns any other error unchanged. */
export function asFileProblem(error: unknown): unknown {
  const code = errorCode(error);
  return code === null || error instanceof FileProblem ? error : new FileProblem(code);
}

/** Runs the action and returns its result. Throws FileProblem for an error of the operating system. */
export function orFileProblem<Value>(action: () => Value): Value {
  try {
    return action();
  } catch (error) {
    throw asFileProblem(error);
  }
}

/** Flags for opening a file: do not wait at a FIFO, and do not take over a terminal. Windows has neither. */
export const withoutWaiting = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Opens a file for reading without waiting: a FIFO without a writer would block the process. */
export function openToRead(path: string): number {
  return openSync(path, constants.O_RDONLY | withoutWaiting);
}

/** The error of opening any file now, `EMFILE` or `ENFILE`; null if that works. */
export function noMoreFiles(): unknown {
  try {
    closeSync(openToRead(devNull));
    return null;
  } catch (error) {
    return /^E[MN]FILE$/.test(errorCode(error) ?? "") ? error : null;
  }
}

/** A regular file of at most `maxBytes`, opened once and checked on the descriptor. Throws FileProblem. */
export function readFile(path: string, maxBytes: number): OpenedFile {
  return orFileProblem(() => {
    const descriptor = openToRead(path);
    try {
      const facts = fstatSync(descriptor);
      if (facts.isDirectory()) throw new FileProblem("EISDIR");
      if (!facts.isFile()) throw new FileProblem("NOT_REGULAR");
      const bytes = facts.size > maxBytes ? null : readFileSync(descriptor);
      // A file of /proc has no size, and any other may grow.
      if (bytes === null || bytes.length > maxBytes) throw new FileProblem("TOO_LARGE");
      return { bytes, ...permissionsOf(facts) };
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Whether something exists at the path, even a broken link. False in a folder that the user may not enter. */
export const fileExists = (path: string): boolean =>
  Boolean(orNull(() => lstatSync(path, { throwIfNoEntry: false })));

/** Whether the path lies on a file system that nobody can write to now, as Kubernetes mounts secrets. */
export function isOnReadOnlySystem(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return errorCode(error) === "EROFS";
  }
}

/** The path with all links resolved. Throws FileProblem. */
export function realPath(path: string): string {
  return orFileProblem(() => realpathSync(path));
}
