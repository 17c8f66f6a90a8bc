// Writes files so that no half or old one stays under the name, and no file of somebody else is replaced or followed.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode, OutputError, orNull } from "../errors.ts";
import { asFileProblem, FileProblem, orFileProblem, withoutWaiting } from "./file-reading.ts";
import { inWords } from "./streams.ts";

const quietly = { throwIfNoEntry: false } as const;

/** Problems of our own, as the end of a sentence. */
const ownProblems: Readonly<Record<string, string>> = {
  NOT_REGULAR: "not a regular file",
  NODES_OWN: "this descriptor is no file, and it may be one of Node.js itself",
};

/** Runs an action that writes or removes the file that `place` names: a flag or variable. Rejects with OutputError if it fails. */
export async function writing<Value>(
  place: string,
  path: string,
  action: () => Value,
): Promise<Awaited<Value>> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const why = ownProblems[error.code] ?? (await inWords(error.code));
    throw new OutputError(`${place}: ${path} could not be written: ${why}`);
  }
}

const streams: Readonly<Record<string, number>> = { "/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2 };

/** The number of the open descriptor that this path names, such as 3 for /dev/fd/3; null for any other path. */
function descriptorOf(path: string): number | null {
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/.exec(path)?.[1];
  return number === undefined ? (streams[path] ?? null) : Number(number);
}

const closeOnExec = 0o2000000;

/**
 * Throws FileProblem for a descriptor that may be Node's own: writing into it crashes the process. A regular file is the caller's. On
 * Linux, so is a descriptor without O_CLOEXEC (63 of bash): Node sets that flag on its own, and on those up to 15 that it inherits.
 */
function checkDescriptor(descriptor: number): void {
  if (fstatSync(descriptor).isFile() || descriptor <= 2) return;
  const facts = orNull(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"));
  const flags = /^flags:\s*([0-7]+)$/m.exec(facts ?? "")?.[1];
  if (flags === undefined || (Number.parseInt(flags, 8) & closeOnExec) !== 0)
    throw new FileProblem("NODES_OWN");
}

/** Makes the missing folders of a path. Node's `recursive` never ends where a folder takes no other, as in /proc. */
function makeFolder(path: string): void {
  if (statSync(path, quietly) !== undefined) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process has just made it, or a link that leads nowhere has its name: opening the file tells which.
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** An output that is begun. */
export interface OutputFile {
  /**
   * Writes the pieces and closes it. Rejects with FileProblem; then no file stays in its place, unless it is one to append to. Waiting
   * for the reader of a pipe ends with the reason of a signal.
   */
  write(pieces: Iterable<string>, interrupted: AbortSignal): Promise<void>;
  /** Closes an output that was not written, and removes its new file. */
  close(): void;
}

// A write for each account would take longer than making its text.
const chunkLength = 64 * 1024;

function* chunksOf(pieces: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

/** If a write would block, it is tried again later, so that a signal can end it. */
async function writeAll(
  descriptor: number,
  pieces: Iterable<string>,
  interrupted: AbortSignal,
): Promise<void> {
  const before = interrupted.aborted;
  for (const chunk of chunksOf(pieces)) {
    let rest: Uint8Array = Buffer.from(chunk);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(descriptor, rest));
      } catch (error) {
        if (errorCode(error) !== "EAGAIN") throw asFileProblem(error);
        await new Promise((resolve) => setTimeout(resolve, 10));
        if (!before) interrupted.throwIfAborted();
      }
    }
  }
}

/** What is written into an open pipe, device or file to append to. */
const into = (descriptor: number, isOurs: boolean): OutputFile => {
  const close = (): void => {
    if (isOurs) orNull(() => closeSync(descriptor));
  };
  return {
    write: (pieces, interrupted) => writeAll(descriptor, pieces, interrupted).finally(close),
    close,
  };
};

/** A new file beside the path, which takes the place of what is there once it is written. Throws an error of the system. */
function newFile(path: string, mode: number): OutputFile {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  // `wx` fails if anything is at this path, even a broken link.
  const descriptor = openSync(temporary, "wx", mode);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return {
    async write(pieces) {
      orFileProblem(() => {
        try {
          for (const chunk of chunksOf(pieces)) writeFileSync(descriptor, chunk);
          close();
          renameSync(temporary, path);
        } catch (error) {
          close();
          rmSync(temporary, { force: true });
          orNull(() => removeFile(path));
          throw error;
        }
      });
    },
    close() {
      if (!isOpen) return;
      close();
      orNull(() => rmSync(temporary, { force: true }));
    },
  };
}

/**
 * Begins an output, after making the missing folders of its path. A new file is made beside a regular file or link, to replace it; a
 * pipe, device or file to append to is opened without waiting; a descriptor of this process is taken as it is. Throws FileProblem.
 */
export function openTarget(path: string, isAppended: boolean): OutputFile {
  return orFileProblem(() => {
    const own = descriptorOf(path);
    if (own !== null) {
      checkDescriptor(own);
      // Opening the path again would truncate a file that standard output is redirected to, and overwrite later output.
      return into(own, false);
    }
    makeFolder(dirname(path));
    const append = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | withoutWaiting;
    if (isAppended) return into(openSync(path, append, 0o666), true);
    const facts = lstatSync(path, quietly);
    if (facts === undefined || facts.isSymbolicLink()) return newFile(path, 0o666);
    if (facts.isFile()) return newFile(path, facts.mode & 0o777);
    // This throws EISDIR for a folder, and ENXIO for a pipe without a reader.
    const descriptor = openSync(path, constants.O_WRONLY | withoutWaiting);
    if (!fstatSync(descriptor).isFile()) return into(descriptor, true);
    // Somebody has just put a file in the place of a pipe.
    closeSync(descriptor);
    throw new FileProblem("NOT_REGULAR");
  });
}

/** Makes a regular file of this text and mode in the place of what is there: of a file or a link. Throws FileProblem. */
export async function writeFile(path: string, text: string, mode: number): Promise<void> {
  const target = orFileProblem(() => {
    if (!isReplaceable(path)) throw new FileProblem("NOT_REGULAR");
    return newFile(path, mode);
  });
  await target.write([text], new AbortController().signal);
}

/** Whether a new file may be put at this path: if nothing is there, or a regular file or a link, which it replaces. */
function isReplaceable(path: string): boolean {
  if (descriptorOf(path) !== null) return false;
  const facts = lstatSync(path, quietly);
  return facts === undefined || facts.isFile() || facts.isSymbolicLink();
}

/** Removes a regular file or a link, if there is one. Throws FileProblem. */
export function removeFile(path: string): void {
  orFileProblem(() => {
    if (isReplaceable(path)) rmSync(path, { force: true });
  });
}

// The usual file systems of these platforms.
const ignoresCase = process.platform === "win32" || process.platform === "darwin";

/** The path with the links of its folders resolved. It and its last folders need not exist. */
function realPathOf(path: string): string {
  const folder = dirname(path);
  return (
    orNull(() => realpathSync(path)) ?? (folder === path ? path : join(realPathOf(folder), basename(path)))
  );
}

/** A key of a regular file, or of one that does not exist yet: equal for all its paths and descriptors. Null for a pipe or a device. */
export function fileKey(path: string): string | null {
  const own = descriptorOf(path);
  const bigint = true;
  const facts = orNull(() => (own === null ? statSync(path, { bigint }) : fstatSync(own, { bigint })));
  if (facts !== null || own !== null) return facts?.isFile() ? `${facts.dev}:${facts.ino}` : null;
  const real = realPathOf(path);
  return ignoresCase ? real.toLowerCase() : real;
}
