import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "./error-code.ts";
import { asFileProblem, FileProblem, orFileProblem, withoutWaiting } from "./file-reading.ts";

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

function replaceFile(path: string, content: Pieces, mode: number): void {
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
 * Whether a link may be followed. In a sticky folder that everyone can write to, it must belong to the user or to the
 * folder's owner. This is Linux' rule protected_symlinks (proc_sys_fs(5)), which does not apply if a program resolves links.
 */
export function mayFollow(
  link: Pick<Stats, "uid">,
  folder: Pick<Stats, "uid" | "mode">,
  user: number,
): boolean {
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
    // Some links of /proc lead to something without a path, such as a pipe. Open these unresolved.
    if (facts === undefined && statSync(path, quietly) !== undefined) return path;
    if (!facts?.isSymbolicLink()) return target;
    if (!mayFollow(facts, statSync(folder), user)) throw new FileProblem("FOREIGN_LINK");
    target = resolve(folder, readlinkSync(target));
  }
  throw new FileProblem("ELOOP");
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

/** Opens a file, pipe or device with these flags without waiting, checks what was opened, and writes into it. */
async function writeInto(
  path: string,
  flags: number,
  content: Pieces,
  interrupted: AbortSignal,
): Promise<void> {
  // This throws ENXIO for a pipe without a reader.
  const descriptor = openSync(path, constants.O_WRONLY | flags | withoutWaiting, 0o666);
  try {
    const facts = fstatSync(descriptor);
    if (isForeignPipe(facts, process.geteuid?.())) throw new FileProblem("FOREIGN_PIPE");
    // A file is appended to or replaced. Here somebody has just put one in the place of a pipe.
    if (facts.isFile() && (flags & constants.O_APPEND) === 0) throw new FileProblem("FOREIGN_PIPE");
    await writeAll(descriptor, content, interrupted);
  } finally {
    closeSync(descriptor);
  }
}

const quietly = { throwIfNoEntry: false } as const;
// The usual file systems of these platforms.
const ignoresCase = process.platform === "win32" || process.platform === "darwin";

/**
 * Replaces a file at once, so that a reader sees either the old or the new content. It writes into a named pipe or device,
 * and waits for the reader until a signal comes; then it rejects with the signal's reason. A signal that came before the
 * call does not count. A descriptor of this process (`/dev/stdout`) blocks or not, as it was opened. A new file gets this mode,
 * less the umask. Rejects with FileProblem, whose code is `FOREIGN_LINK` for a link of another user in a folder that everyone
 * can write to, and `FOREIGN_PIPE` for a pipe that is another user's or that others can write to.
 */
export async function writeFile(
  path: string,
  content: Pieces,
  interrupted: AbortSignal,
  mode = 0o666,
): Promise<void> {
  try {
    const own = descriptorOf(path);
    // Opening the path again would truncate a file that standard output is redirected to, and overwrite later output.
    if (own !== null) return await writeAll(own, content, interrupted);
    const target = followed(path);
    const facts = factsOf(target, quietly);
    if (facts?.isFile() ?? true) return replaceFile(target, content, facts ? facts.mode & 0o777 : mode);
    await writeInto(target, 0, content, interrupted);
  } catch (error) {
    throw asFileProblem(error);
  }
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
    // A report in a folder that does not exist will fail, and until then it is treated as a file.
    if (errorCode(error) !== "ENOENT") return null;
  }
  return ignoresCase ? target.toLowerCase() : target;
}

/** Appends to a file, pipe or device. Waits and rejects as `writeFile` does. */
export async function appendFile(path: string, text: string, interrupted: AbortSignal): Promise<void> {
  try {
    const own = descriptorOf(path);
    if (own !== null) return await writeAll(own, [text], interrupted);
    await writeInto(followed(path), constants.O_APPEND | constants.O_CREAT, [text], interrupted);
  } catch (error) {
    throw asFileProblem(error);
  }
}

/** Removes a regular file, if there is one; pipes, devices and descriptors stay. Throws FileProblem, as `writeFile` rejects. */
export function removeFile(path: string): void {
  if (descriptorOf(path) !== null) return;
  orFileProblem(() => {
    const target = followed(path);
    if (factsOf(target, quietly)?.isFile()) rmSync(target);
  });
}
