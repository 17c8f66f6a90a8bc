// Runs a command for its output. What it prints reaches no message.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { errorCode } from "../errors.ts";
import { fileExists } from "./file-reading.ts";
import { inWords } from "./streams.ts";

/** Why a command gave no output. The message is the end of a sentence and never contains what the command printed. */
export class CommandProblem extends Error {
  override readonly name = "CommandProblem";
  /** What to do, if the program could not be started; the message then follows the program's name. */
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

// A command can start other processes. All are in one process group, so that they end together.
const hasGroups = process.platform !== "win32";

function kill(child: ChildProcess): void {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // The group has ended already.
  }
  // A process that left the group may keep the pipe open.
  child.stdout?.destroy();
}

async function notStarted(error: unknown, program: string, folder: string): Promise<CommandProblem> {
  const code = errorCode(error) ?? "unknown";
  const because = (message: string, hint: string) => new CommandProblem(message, hint);
  if (code === "EACCES")
    return because("cannot be executed: permission denied", "Check its permissions (chmod +x)");
  if (code !== "ENOENT")
    return because(
      `could not be started: ${await inWords(code)}`,
      "Check the limits of this process (ulimit -a)",
    );
  if (!/[\\/]/.test(program))
    return because(
      "was not found in PATH",
      /\s/.test(program)
        ? "Write each of its words as an item of the list: no shell divides them"
        : "Install it, or write its whole path: services and cron have a shorter PATH than a terminal",
    );
  if (!fileExists(resolve(folder, program))) return because("does not exist", "Correct the path");
  return because(
    "names a program in its first line (#!) that does not exist",
    "Correct that line; after Windows line ends it is not found either: dos2unix FILE",
  );
}

/**
 * Runs a command in this folder without a shell, and resolves with its standard output. Rejects with CommandProblem, or with the
 * reason of `interrupted`, which ends the command.
 */
export async function runCommand(
  [command = "", ...args]: readonly string[],
  {
    folder,
    environment,
    maxBytes,
    deadlineSeconds,
    interrupted,
  }: {
    readonly folder: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly maxBytes: number;
    readonly deadlineSeconds: number;
    readonly interrupted: AbortSignal;
  },
): Promise<Uint8Array> {
  interrupted.throwIfAborted();
  let child: ChildProcess;
  try {
    child = spawn(command, args, {
      cwd: folder,
      env: { ...environment },
      stdio: ["ignore", "pipe", "ignore"],
      detached: hasGroups,
      windowsHide: true,
    });
  } catch (error) {
    // Some errors, such as E2BIG, are thrown at once; the child reports the others.
    throw await notStarted(error, command, folder);
  }
  let problem: unknown = null;
  const end = (reason: unknown): void => {
    problem ??= reason;
    kill(child);
  };
  const stop = (): void => end(interrupted.reason);
  const late = (): void => end(new CommandProblem(`took longer than ${deadlineSeconds} seconds`));
  interrupted.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(late, deadlineSeconds * 1000);
  const chunks: Buffer[] = [];
  let length = 0;
  // Without a free file descriptor, there is no pipe.
  child.stdout?.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) end(new CommandProblem(`printed more than ${maxBytes} bytes`));
    else chunks.push(chunk);
  });
  try {
    const [code, signal] = await once(child, "close");
    if (code !== 0) {
      const reason = code === null ? `was ended by ${signal}` : `failed with exit code ${code}`;
      problem ??= new CommandProblem(reason);
    }
  } catch (error) {
    problem ??= await notStarted(error, command, folder);
  } finally {
    clearTimeout(timer);
    interrupted.removeEventListener("abort", stop);
  }
  if (problem !== null) throw problem;
  return Buffer.concat(chunks, length);
}
