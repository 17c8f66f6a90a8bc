import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { errorCode } from "./error-code.ts";

/** Why a command gave no output. The message is the end of a sentence and never contains what the command printed. */
export class CommandProblem extends Error {
  override readonly name = "CommandProblem";
}

/** How a command is run. */
interface CommandOptions {
  /** Its working directory. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly maxBytes: number;
  readonly deadlineSeconds: number;
  /** Ends the command, which then rejects with the signal's reason. */
  readonly interrupted: AbortSignal;
}

// A command can start other processes. All are in one process group, so that they end together.
const hasGroups = process.platform !== "win32";

function kill(child: ChildProcess): void {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // It has ended already.
  }
  // A process that left the group may keep the pipe open.
  child.stdout?.destroy();
}

function notStarted(error: unknown): CommandProblem {
  return new CommandProblem(`could not be started (${errorCode(error) ?? "unknown"})`);
}

/** Runs a command without a shell, and resolves with its standard output. Rejects with CommandProblem. */
export async function runCommand(
  [command = "", ...args]: readonly string[],
  { folder, environment, maxBytes, deadlineSeconds, interrupted }: CommandOptions,
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
    throw notStarted(error);
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
    problem ??= notStarted(error);
  } finally {
    clearTimeout(timer);
    interrupted.removeEventListener("abort", stop);
  }
  if (problem !== null) throw problem;
  return Buffer.concat(chunks, length);
}
