// Everything that the program takes from outside, as one object that a test can replace.

import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endingSignals, Interrupted, orNull } from "../errors.ts";
import { type ByteStream, collect, openByteStream, readNamedFile, stdinStream } from "./byte-stream.ts";
import { runCommand } from "./commands.ts";
import { fileExists, isOnReadOnlySystem, readFile, realPath } from "./file-reading.ts";
import { fileKey, openTarget, removeFile, writeFile } from "./file-writing.ts";
import { askHidden } from "./prompt.ts";
import { allowLookupsOf, keepHeapSmall } from "./resources.ts";
import { type Output, outputOf } from "./streams.ts";

/** The files, commands, memory and threads of this machine. Tests use them too. */
export const machine = {
  readFile,
  readNamedFile,
  fileExists,
  isOnReadOnlySystem,
  realPath,
  writeFile,
  fileKey,
  removeFile,
  openTarget,
  runCommand,
  keepHeapSmall,
  allowLookupsOf,
} as const;

/** What the program takes from outside. Tests pass their own. */
export interface Context extends Readonly<typeof machine> {
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Reads at most `maxBytes` of standard input; asks for one hidden line on a terminal. Rejects with FileProblem or Interrupted. */
  readStdin(maxBytes: number, label: string): Promise<Uint8Array>;
  /** The bytes of a file, or of standard input for null, read as needed until `stop`. Rejects with FileProblem. */
  openStream(path: string | null, stop: AbortSignal): Promise<ByteStream>;
  /** Milliseconds since the epoch. */
  now(): number;
  randomBytes(size: number): Uint8Array;
  /** Resolves after this many milliseconds. Rejects with the reason of `end`, or else of `interrupted`, if that comes first. */
  wait(milliseconds: number, end?: AbortSignal): Promise<void>;
  /** Absolute paths; null if there is none (a deleted working directory, or one whose path is not UTF-8; no home). */
  readonly workingFolder: string | null;
  readonly homeFolder: string | null;
  /** The home folder that the password database names, not the environment; null if it names none. */
  registeredHomeFolder(): string | null;
  /** The user's configuration folder; if it is absent, the platform's (XDG, AppData, Library). */
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

function interruptedBySignals(): AbortSignal {
  const controller = new AbortController();
  // Every running request adds a listener, and there can be hundreds.
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
  // With this variable Node would warn that certificates are not verified, and this program always verifies them.
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  // With these, the YAML parser prints the words of an rc file.
  delete process.env.LOG_TOKENS;
  delete process.env.LOG_STREAM;
  process.title = "referral-auth";
  const interrupted = interruptedBySignals();
  // Node puts U+FFFD in the place of bytes that are not UTF-8, so this would be the path of another folder.
  const folder = orNull(() => process.cwd());
  // An empty or relative HOME would let the working tree pass as the home folder.
  const home = orNull(homedir);
  // Without any home folder, such as that of a container's unknown user, cosmiconfig fails when it loads: it asks for one.
  if (home === null) process.env.HOME = "";
  const { APPDATA } = environment;
  return {
    args,
    environment,
    stdout: outputOf("stdout"),
    stderr: outputOf("stderr"),
    readStdin: async (maxBytes, label) =>
      process.stdin.isTTY
        ? askHidden(label, process.stdin, maxBytes, interrupted)
        : collect(stdinStream(interrupted), maxBytes),
    openStream: async (path, stop) => (path === null ? stdinStream(stop) : openByteStream(path, stop)),
    ...machine,
    now: Date.now,
    randomBytes: (size) => randomBytes(size),
    wait: (milliseconds, end = interrupted) =>
      delay(milliseconds, undefined, { signal: end }).catch(() => {
        throw end.reason;
      }),
    workingFolder: folder?.includes("\ufffd") ? null : folder,
    homeFolder: home !== null && isAbsolute(home) ? home : null,
    registeredHomeFolder: () => orNull(() => userInfo().homedir),
    // On Windows, use a folder beside those of other programs; cosmiconfig would use its subfolder `Config`.
    ...(process.platform === "win32" &&
      APPDATA !== undefined &&
      isAbsolute(APPDATA) && { configurationFolder: join(APPDATA, "referral") }),
    userId: process.getuid?.() ?? null,
    interrupted,
  };
}
