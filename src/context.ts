import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { Interrupted, OutputFailure } from "./mistake.ts";

/** A stream that a result or a message goes to. */
export interface Output {
  readonly isTerminal: boolean;
  /** Resolves when the text has left the process; rejects with OutputFailure when it could not. */
  write(text: string): Promise<void>;
}

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

/** All that reaches the program from outside. A test hands in its own. */
export interface Context extends Files {
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** All of standard input, at most `maxBytes`; rejects with FileProblem, or Interrupted where a signal came first. */
  readStdin(maxBytes: number): Promise<Uint8Array>;
  /** Milliseconds since the epoch. */
  now(): number;
  randomBytes(size: number): Uint8Array;
  /** Resolves after so many milliseconds; rejects with the reason of `interrupted` when that comes first. */
  wait(milliseconds: number): Promise<void>;
  /** Absolute paths; null where there is none (a deleted working directory, no home). */
  readonly workingFolder: string | null;
  readonly homeFolder: string | null;
  /** The user's id on POSIX, null elsewhere. */
  readonly userId: number | null;
  /** Aborted with an Interrupted as its reason when a signal arrives. */
  readonly interrupted: AbortSignal;
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

function asFileProblem(error: unknown): unknown {
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

// Not a synchronous read: a terminal's Ctrl-C could not end it.
async function readStdin(maxBytes: number, interrupted: AbortSignal): Promise<Uint8Array> {
  const stop = (): void => void process.stdin.destroy(interrupted.reason);
  interrupted.addEventListener("abort", stop, { once: true });
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of process.stdin) {
      length += chunk.length;
      if (length > maxBytes) throw new FileProblem("TOO_LARGE");
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  } catch (error) {
    throw asFileProblem(error);
  } finally {
    interrupted.removeEventListener("abort", stop);
  }
}

function attempt<Value>(action: () => Value): Value | null {
  try {
    return action();
  } catch {
    return null;
  }
}

/** The file system of this machine. */
export const fileSystem: Files = {
  readFile,
  fileExists: (path) => attempt(() => lstatSync(path)) !== null,
  realPath: (path) => {
    try {
      return realpathSync(path);
    } catch (error) {
      throw asFileProblem(error);
    }
  },
};

function outputOf(stream: NodeJS.WriteStream): Output {
  let failed = false;
  // Without a listener a closed pipe would end the process with a stack trace; the write's own callback reports it.
  stream.on("error", () => {
    failed = true;
  });
  return {
    isTerminal: stream.isTTY === true,
    write: (text) =>
      new Promise((resolve, reject) => {
        if (failed) return reject(new OutputFailure("the stream is closed"));
        stream.write(text, (error) =>
          error ? reject(new OutputFailure("the stream is closed")) : resolve(),
        );
      }),
  };
}

function interruptedBySignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => controller.abort(new Interrupted(signal)));
  }
  return controller.signal;
}

/** The context of the running process. Blanks the process title, since arguments can hold a secret. */
export function processContext(): Context {
  const args = process.argv.slice(2);
  process.title = "referral-auth";
  const interrupted = interruptedBySignals();
  // An empty or relative HOME would make the working tree pass for the user's own folder.
  const home = attempt(homedir);
  return {
    args,
    environment: process.env,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    readStdin: (maxBytes) => readStdin(maxBytes, interrupted),
    ...fileSystem,
    now: Date.now,
    randomBytes,
    wait: (milliseconds) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, milliseconds);
        const stop = (): void => {
          clearTimeout(timer);
          reject(interrupted.reason);
        };
        interrupted.addEventListener("abort", stop, { once: true });
      }),
    workingFolder: attempt(() => process.cwd()),
    homeFolder: home !== null && isAbsolute(home) ? home : null,
    userId: process.getuid?.() ?? null,
    interrupted,
  };
}
