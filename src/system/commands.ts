// Runs a command for its output. No message shows what it prints.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { errorCode } from "../errors.ts";
import { inWords } from "./streams.ts";

/** Why a command gave no output. The message is the end of a sentence and never contains what the command printed. */
export class CommandProblem extends Error {
  override readonly name = "CommandProblem";
  /** Whether the program ran. If it did not, the message follows its name. */
  readonly wasStarted: boolean;

  constructor(message: string, wasStarted = true) {
    super(message);
    this.wasStarted = wasStarted;
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

const notStarted = async (error: unknown): Promise<CommandProblem> =>
  new CommandProblem(`could not be started: ${await inWords(errorCode(error) ?? "unknown")}`, false);

/** Runs a command without a shell for its standard output. Rejects with CommandProblem, or the reason of `interrupted`. */
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
    throw await notStarted(error);
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
    problem ??= await notStarted(error);
  } finally {
    clearTimeout(timer);
    interrupted.removeEventListener("abort", stop);
  }
  if (problem !== null) throw problem;
  return Buffer.concat(chunks, length);
}
