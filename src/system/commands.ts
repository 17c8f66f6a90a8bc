import { type ChildProcess, spawn } from "node:child_process";
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

/** Runs a command without a shell, and resolves with its standard output. Rejects with CommandProblem. */
export function runCommand(
  [command = "", ...args]: readonly string[],
  { folder, environment, maxBytes, deadlineSeconds, interrupted }: CommandOptions,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    interrupted.throwIfAborted();
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...environment },
      stdio: ["ignore", "pipe", "ignore"],
      detached: hasGroups,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let length = 0;
    let problem: unknown = null;
    const end = (reason: unknown): void => {
      problem ??= reason;
      kill(child);
    };
    const stop = (): void => end(interrupted.reason);
    const timer = setTimeout(
      () => end(new CommandProblem(`took longer than ${deadlineSeconds} seconds`)),
      deadlineSeconds * 1000,
    );
    const finish = (error: unknown): void => {
      clearTimeout(timer);
      interrupted.removeEventListener("abort", stop);
      if (error === null) resolve(Buffer.concat(chunks, length));
      else reject(error);
    };
    interrupted.addEventListener("abort", stop, { once: true });
    child.stdout.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) end(new CommandProblem(`printed more than ${maxBytes} bytes`));
      else chunks.push(chunk);
    });
    child.once("error", (error) =>
      finish(problem ?? new CommandProblem(`could not be started (${errorCode(error) ?? "unknown"})`)),
    );
    child.once("close", (code, signal) => {
      if (problem === null && code !== 0)
        problem = new CommandProblem(
          code === null ? `was ended by ${signal}` : `failed with exit code ${code}`,
        );
      finish(problem);
    });
  });
}
