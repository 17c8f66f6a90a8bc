import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";
import { asFileProblem, FileProblem, orFileProblem, withoutWaiting } from "./file-reading.ts";
import { makeFolder } from "./folders.ts";
import { followed, quietly } from "./links.ts";
import { openSpool, removeLeftovers, type Spool } from "./spool.ts";

/** The content of a file, in pieces that are made while they are written. */
type Pieces = Iterable<string | Uint8Array>;

const descriptors: Readonly<Record<string, number>> = { "/dev/stdout": 1, "/dev/stderr": 2 };

/** The descriptor of this process that a path names, or null. */
function descriptorOf(path: string): number | null {
  const number = /^\/dev\/fd\/(\d{1,9})$/.exec(path)?.[1];
  return number === undefined ? (descriptors[path] ?? null) : Number(number);
}

// A link that `followed` leaves, such as /dev/stdin to a file that was deleted, is no file: it is neither replaced nor removed.
const factsOf = process.geteuid === undefined ? statSync : lstatSync;

/** Replaces a file, which keeps its mode; a new one gets this mode, less the umask. */
function replaceFile(path: string, content: Pieces, newMode: number): void {
  const facts = factsOf(path, quietly);
  const mode = facts ? facts.mode & 0o777 : newMode;
  const temporary = `${path}.${process.pid}.tmp`;
  // `wx` fails if somebody has put a file or link there, so that it is neither written nor removed.
  const descriptor = openSync(temporary, "wx", mode);
  try {
    try {
      for (const piece of content) writeFileSync(descriptor, piece);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes all of the content. If a write would block, it tries again later, so that a signal can end it. */
async function writeAll(descriptor: number, content: Pieces, interrupted: AbortSignal): Promise<void> {
  const before = interrupted.aborted;
  for (const piece of content) {
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

/**
 * Whether a pipe is no place for a report or credentials: in a folder like `/tmp`, somebody else can have made it and read it.
 * It must belong to the user, and only the user may write to it. Windows has no user ids (undefined) and no such pipes.
 */
export function isForeignPipe(
  facts: Pick<Stats, "uid" | "mode" | "isFIFO">,
  user: number | undefined,
): boolean {
  return user !== undefined && facts.isFIFO() && (facts.uid !== user || (facts.mode & 0o022) !== 0);
}

/** Opens a pipe or device, or a file to append to, without waiting. Checks what was opened. */
function openInto(path: string, flags: number): number {
  // This throws ENXIO for a pipe without a reader.
  const descriptor = openSync(path, constants.O_WRONLY | flags | withoutWaiting, 0o666);
  const facts = fstatSync(descriptor);
  // A file is appended to or replaced. Here somebody has just put one in the place of a pipe.
  const isPut = facts.isFile() && (flags & constants.O_APPEND) === 0;
  if (!isPut && !isForeignPipe(facts, process.geteuid?.())) return descriptor;
  closeSync(descriptor);
  throw new FileProblem("FOREIGN_PIPE");
}

// The usual file systems of these platforms.
const ignoresCase = process.platform === "win32" || process.platform === "darwin";

/** A file, pipe or device that is open to be written. All methods throw FileProblem, or reject with it. */
export interface Target {
  /** A temporary file beside a regular file, for what is too long for memory; null for anything else. */
  readonly spool: Spool | null;
  /**
   * Replaces a file at once, so that a reader sees either the old or the new content. It writes into a named pipe or device,
   * and waits for the reader until a signal comes; then it rejects with the signal's reason. A signal that came before the call
   * does not count. A descriptor of this process (`/dev/stdout`) blocks or not, as it was opened.
   */
  write(content: Pieces, interrupted: AbortSignal): Promise<void>;
  /** Closes it, and removes the temporary file. */
  close(): void;
}

/** What a path names: the path of a regular file, which may not exist yet, or an open descriptor of anything else. */
function openedAt(
  path: string,
  isAppended: boolean,
): { readonly file: string } | Pick<Target, "write" | "close"> {
  const into = (descriptor: number, close: () => void) => ({
    close,
    write: (content: Pieces, interrupted: AbortSignal) =>
      writeAll(descriptor, content, interrupted).catch((error) => {
        throw asFileProblem(error);
      }),
  });
  const own = descriptorOf(path);
  if (own !== null) {
    fstatSync(own);
    // Opening the path again would truncate a file that standard output is redirected to, and overwrite later output.
    return into(own, () => {});
  }
  const target = followed(path);
  if (!isAppended && (factsOf(target, quietly)?.isFile() ?? true)) return { file: target };
  const descriptor = openInto(target, isAppended ? constants.O_APPEND | constants.O_CREAT : 0);
  return into(descriptor, () => closeSync(descriptor));
}

/**
 * Opens what a path names, to replace it or to append to it, and finds out whether it can be written. It makes the missing folders
 * of the path, and removes the temporary files that killed processes left beside the file. Throws FileProblem, whose code is
 * `FOREIGN_LINK` for a link of another user in a folder that everyone can write to, and `FOREIGN_PIPE` for a pipe that is
 * another user's or that others can write to.
 */
export function openTarget(path: string, isAppended: boolean): Target {
  return orFileProblem(() => {
    makeFolder(dirname(path));
    const opened = openedAt(path, isAppended);
    if (!("file" in opened)) return { ...opened, spool: null };
    const { file } = opened;
    removeLeftovers(file);
    const spool = openSpool(file);
    const write: Target["write"] = async (content) => orFileProblem(() => replaceFile(file, content, 0o666));
    return { spool, write, close: spool.close };
  });
}

/** Writes as a `Target` does. A new file gets this mode, less the umask. Rejects with the FileProblem that `openTarget` throws. */
export async function writeFile(
  path: string,
  content: Pieces,
  interrupted: AbortSignal,
  mode: number,
): Promise<void> {
  const opened = orFileProblem(() => openedAt(path, false));
  if ("file" in opened) return orFileProblem(() => replaceFile(opened.file, content, mode));
  await opened.write(content, interrupted).finally(opened.close);
}

/**
 * A key of the regular file that a report at this path becomes, whether or not it exists: equal for two paths of the same
 * file. Null if the path names a pipe, a device or a descriptor.
 */
export function fileKey(path: string): string | null {
  if (descriptorOf(path) !== null) return null;
  let target = path;
  try {
    target = followed(path);
    if (statSync(target, quietly)?.isFile() === false) return null;
  } catch (error) {
    // The folder may not exist yet.
    if (errorCode(error) !== "ENOENT") return null;
  }
  return ignoresCase ? target.toLowerCase() : target;
}

/** Removes a regular file, if there is one; pipes, devices and descriptors stay. Throws FileProblem, as `openTarget` does. */
export function removeFile(path: string): void {
  if (descriptorOf(path) !== null) return;
  orFileProblem(() => {
    const target = followed(path);
    if (factsOf(target, quietly)?.isFile()) rmSync(target);
  });
}
