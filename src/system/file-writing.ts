import {
  appendFileSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "./error-code.ts";
import { asFileProblem, FileProblem, withoutWaiting } from "./file-reading.ts";

/** The content of a file: a text, or pieces that are made as they are written. */
type Pieces = string | Iterable<string | Uint8Array>;

const piecesOf = (content: Pieces): Iterable<string | Uint8Array> =>
  typeof content === "string" ? [content] : content;

/**
 * The file system, as far as it is written. `writeFile` rejects with FileProblem, `appendFile` throws it; its code is
 * `FOREIGN_LINK` for a link of another user in a folder that all can write to.
 */
export interface WritableFiles {
  /**
   * Replaces a file at once, so that a reader sees the old content or the new; several pieces are written one after the
   * other. Writes into a named pipe or device, whose
   * reader is waited for until the signal comes, with whose reason it then rejects; one that came before is over. A
   * descriptor of this process (`/dev/stdout`) waits as it was opened to.
   */
  writeFile(path: string, content: Pieces, interrupted: AbortSignal): Promise<void>;
  appendFile(path: string, text: string): void;
  /** Whether a report at this path becomes a file of its own: not a pipe, a device or a descriptor. */
  becomesFile(path: string): boolean;
}

const descriptors: Readonly<Record<string, number>> = { "/dev/stdout": 1, "/dev/stderr": 2 };

/** The descriptor of this process that a path stands for, or null. */
function descriptorOf(path: string): number | null {
  const number = /^\/dev\/fd\/(\d{1,9})$/.exec(path)?.[1];
  return number === undefined ? (descriptors[path] ?? null) : Number(number);
}

function replaceFile(path: string, content: Pieces, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // A file or link that somebody put there is neither written nor removed.
  const descriptor = openSync(temporary, "wx", mode);
  try {
    try {
      for (const piece of piecesOf(content)) writeFileSync(descriptor, piece);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes all of the content. What would block is tried again by way of the event loop, so that a signal can end it. */
async function writeAll(descriptor: number, content: Pieces, interrupted: AbortSignal): Promise<void> {
  const before = interrupted.aborted;
  for (const piece of piecesOf(content)) {
    let rest: Uint8Array = Buffer.from(piece);
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
}

/** To replace a device or a named pipe would put a file in its place. A pipe without a reader is refused (ENXIO). */
async function writeInto(path: string, content: Pieces, interrupted: AbortSignal): Promise<void> {
  const descriptor = openSync(path, constants.O_WRONLY | withoutWaiting);
  try {
    await writeAll(descriptor, content, interrupted);
  } finally {
    closeSync(descriptor);
  }
}

/** Who a link or folder belongs to, and the folder's mode. */
interface Owned {
  readonly uid: number;
  readonly mode: number;
}

/**
 * Whether a link may be followed: in a sticky folder that all can write to, only a link of the user's own or of the
 * folder's owner. This is the rule of Linux' protected_symlinks (proc_sys_fs(5)), which resolving a link evades.
 */
export function mayFollow(link: Pick<Owned, "uid">, folder: Owned, user: number): boolean {
  const open = (folder.mode & 0o1002) === 0o1002;
  return !open || link.uid === user || link.uid === folder.uid;
}

const mostLinks = 40;

/** The path with the links at its end resolved. Throws FileProblem for one that may not be followed. */
function followed(path: string): string {
  const user = process.geteuid?.();
  if (user === undefined) return path;
  let target = path;
  for (let count = 0; count <= mostLinks; count += 1) {
    const folder = realpathSync(dirname(target));
    target = join(folder, basename(target));
    const facts = lstatSync(target, quietly);
    // Some links of /proc lead to what has no path (a pipe), and are opened as they are.
    if (facts === undefined && statSync(path, quietly) !== undefined) return path;
    if (!facts?.isSymbolicLink()) return target;
    if (!mayFollow(facts, statSync(folder), user)) throw new FileProblem("FOREIGN_LINK");
    target = resolve(folder, readlinkSync(target));
  }
  throw new FileProblem("ELOOP");
}

const quietly = { throwIfNoEntry: false } as const;

/** The file system of this machine, to write. */
export const fileWriting: WritableFiles = {
  writeFile: async (path, content, interrupted) => {
    try {
      const descriptor = descriptorOf(path);
      // To open it anew would empty a file that standard output goes to, and write over what follows.
      if (descriptor !== null) return await writeAll(descriptor, content, interrupted);
      const target = followed(path);
      const facts = statSync(target, quietly);
      if (facts === undefined) replaceFile(target, content, 0o666);
      else if (facts.isFile()) replaceFile(target, content, facts.mode & 0o777);
      else await writeInto(target, content, interrupted);
    } catch (error) {
      throw asFileProblem(error);
    }
  },
  becomesFile: (path) => {
    if (descriptorOf(path) !== null) return false;
    try {
      return statSync(path, quietly)?.isFile() ?? true;
    } catch {
      return false;
    }
  },
  appendFile: (path, text) => {
    try {
      appendFileSync(followed(path), text);
    } catch (error) {
      throw asFileProblem(error);
    }
  },
};
