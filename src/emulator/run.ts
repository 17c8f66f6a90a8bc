import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { Interrupted } from "../mistake.ts";

/** A command as it was typed, without any shell, and the environment that it gets. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How a command ended: with a code, as a shell tells it, or without ever having run. `code` is the errno's name. */
export type Ending =
  | { readonly kind: "ended"; readonly exitCode: number }
  | { readonly kind: "not-run"; readonly code: string };

/**
 * Runs the command on this process's own streams and resolves when it has ended; 128 and the signal's number where a
 * signal ended it (POSIX.1-2024, Shell Command Language, 2.8.2). An interruption is passed on to the command, which
 * decides itself what becomes of it; before the start it is thrown.
 */
export function runCommand(line: CommandLine, interrupted: AbortSignal): Promise<Ending> {
  return new Promise((resolve, reject) => {
    if (interrupted.aborted) return reject(interrupted.reason);
    const child = start(line);
    if ("code" in child) return resolve({ kind: "not-run", code: child.code });

    const forward = (): void => {
      const { reason } = interrupted;
      child.process.kill(reason instanceof Interrupted ? reason.signal : "SIGTERM");
    };
    interrupted.addEventListener("abort", forward, { once: true });
    const end = (ending: Ending): void => {
      interrupted.removeEventListener("abort", forward);
      resolve(ending);
    };
    child.process.on("error", (error) => {
      // A signal that could not be delivered is an error too, and the command is still running then.
      if (child.process.pid === undefined) end({ kind: "not-run", code: codeOf(error) });
    });
    // Not `close`: a grandchild in the background may keep the streams.
    child.process.once("exit", (code, signal) => {
      end({ kind: "ended", exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) });
    });
  });
}

function start(line: CommandLine): { readonly process: ChildProcess } | { readonly code: string } {
  // As a shell would say it; Node takes an empty name for a bug of its caller.
  if (line.command === "") return { code: "ENOENT" };
  try {
    const { command, args, environment } = line;
    return { process: spawn(command, args, { stdio: "inherit", env: { ...environment } }) };
  } catch (error) {
    // Node reports a few errno as events and throws the others.
    return { code: codeOf(error) };
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
