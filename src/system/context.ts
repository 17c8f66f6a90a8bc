import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { endingSignals, Interrupted } from "../errors.ts";
import { type ByteStream, byteStreamOf, openByteStream } from "./byte-stream.ts";
import { type Commands, commands } from "./commands.ts";
import { collect, type Files, fileSystem } from "./file-reading.ts";
import { fileWriting, type WritableFiles } from "./file-writing.ts";
import { askHidden } from "./prompt.ts";
import { openSpool, type Spool } from "./spool.ts";
import { type Output, outputOf } from "./streams.ts";

/** All that reaches the program from outside. A test hands in its own. */
export interface Context extends Files, WritableFiles, Commands {
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /**
   * All of standard input, at most `maxBytes`. If it is a terminal, asks for one line with this label, and what is typed is
   * not shown. Rejects with FileProblem, or with Interrupted if a signal comes first.
   */
  readStdin(maxBytes: number, label: string): Promise<Uint8Array>;
  /** The bytes of a file, or of standard input for null, read as needed until `stop`. Rejects with FileProblem. */
  openStream(path: string | null, stop: AbortSignal): Promise<ByteStream>;
  /** Makes a temporary file beside this one; `number` tells several of them apart. Throws FileProblem. */
  openSpool(beside: string, number: number): Spool;
  /** Milliseconds since the epoch. */
  now(): number;
  randomBytes(size: number): Uint8Array;
  /** Resolves after so many milliseconds; rejects with the reason of `interrupted` when that comes first. */
  wait(milliseconds: number): Promise<void>;
  /** Has memory collected earlier and the heap kept small, for a run over very many checks. */
  keepHeapSmall(): void;
  /** Absolute paths; null where there is none (a deleted working directory, no home). */
  readonly workingFolder: string | null;
  readonly homeFolder: string | null;
  /** The home folder that the password database names, whatever the environment says; null where it names none. */
  registeredHomeFolder(): string | null;
  /** The user's configuration folder; absent, the platform tells (XDG, AppData, Library). */
  readonly configurationFolder?: string;
  /** All addresses of a host name; if it is absent, the operating system's lookup. */
  readonly lookup?: (
    host: string,
  ) => Promise<ReadonlyArray<{ readonly address: string; readonly family: number }>>;
  /** The user's id on POSIX, null elsewhere. */
  readonly userId: number | null;
  /** Aborted with an Interrupted as its reason when a signal arrives. */
  readonly interrupted: AbortSignal;
}

function attempt<Value>(action: () => Value): Value | null {
  try {
    return action();
  } catch {
    return null;
  }
}

function interruptedBySignals(): AbortSignal {
  const controller = new AbortController();
  // Every request under way listens, and there can be hundreds.
  setMaxListeners(0, controller.signal);
  for (const signal of endingSignals) {
    process.once(signal, () => controller.abort(new Interrupted(signal)));
  }
  return controller.signal;
}

/** The context of the running process. Blanks the process title, since arguments can hold a secret. */
export function processContext(): Context {
  const args = process.argv.slice(2);
  const environment = { ...process.env };
  // Verification is on whatever it says, and Node would warn that it is off.
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.title = "referral-auth";
  const interrupted = interruptedBySignals();
  // An empty or relative HOME would make the working tree pass for the user's own folder.
  const home = attempt(homedir);
  const { APPDATA } = environment;
  return {
    args,
    environment,
    stdout: outputOf("stdout"),
    stderr: outputOf("stderr"),
    readStdin: (maxBytes, label) =>
      process.stdin.isTTY
        ? askHidden(label, process.stdin, maxBytes, interrupted)
        : collect(process.stdin, maxBytes, interrupted),
    openStream: async (path, stop) =>
      path === null ? byteStreamOf(process.stdin, stop) : openByteStream(path, stop),
    openSpool,
    ...fileSystem,
    ...fileWriting,
    ...commands,
    now: Date.now,
    randomBytes: (size) => randomBytes(size),
    wait: (milliseconds) =>
      new Promise((resolve, reject) => {
        interrupted.throwIfAborted();
        const stop = (): void => {
          clearTimeout(timer);
          reject(interrupted.reason);
        };
        const timer = setTimeout(() => {
          interrupted.removeEventListener("abort", stop);
          resolve();
        }, milliseconds);
        interrupted.addEventListener("abort", stop, { once: true });
      }),
    // 138 MB for 10,000 profiles with a token each instead of 297, and 108 instead of 244 for a stream. It takes a tenth
    // more processor time. 100 percent would be 155 MB.
    keepHeapSmall: () => setFlagsFromString("--semi-space-growth-factor=1 --heap-growing-percent=60"),
    workingFolder: attempt(() => process.cwd()),
    homeFolder: home !== null && isAbsolute(home) ? home : null,
    registeredHomeFolder: () => attempt(() => userInfo().homedir),
    // Beside the folders of other programs; cosmiconfig would look one folder deeper, in `Config`.
    ...(process.platform === "win32" &&
      APPDATA !== undefined &&
      isAbsolute(APPDATA) && { configurationFolder: join(APPDATA, "referral") }),
    userId: process.getuid?.() ?? null,
    interrupted,
  };
}
