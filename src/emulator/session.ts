import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { Interrupted } from "../errors.ts";
import { escapeText } from "../report/escape.ts";
import type { Context } from "../system/context.ts";
import { errorCode } from "../system/error-code.ts";
import {
  type Credentials,
  childEnvironment,
  clientVariables,
  completeCredentials,
  exportLines,
} from "./accepted-credentials.ts";
import type { EmulatorOptions } from "./emulator-options.ts";
import { startEmulator } from "./server.ts";

/** How the command line starts the emulator. Credentials that are not given are random. */
export interface SessionSettings
  extends Omit<EmulatorOptions, "credentials" | "now" | "log" | "refusalsOnly"> {
  readonly given: Partial<Credentials>;
}

/**
 * Runs an emulator as long as the command runs, and returns the exit code of the command. Without a command it prints how
 * to reach the emulator, runs until the context is interrupted, and throws the reason of the interruption. Throws InputError
 * for credentials that no client could send and for a port that it cannot open, OutputError if it cannot print.
 */
export async function runSession(
  { given, ...settings }: SessionSettings,
  [command, ...args]: readonly string[],
  context: Context,
): Promise<number> {
  const credentials = completeCredentials(given, context.randomBytes);
  let logged = Promise.resolve();
  const log = (line: string): void => {
    // Requests are answered even if the log cannot be written.
    logged = context.stderr.write(`${line}\n`).catch(() => {});
  };
  // The command reports its own successes.
  const refusalsOnly = command !== undefined;
  const { interrupted, now } = context;
  interrupted.throwIfAborted();
  const emulator = await startEmulator({ ...settings, credentials, now, log, refusalsOnly });
  try {
    const variables = clientVariables(emulator.url, credentials);
    if (command === undefined) {
      await context.stdout.write(exportLines(variables));
      return await untilInterrupted(interrupted);
    }
    const environment = childEnvironment(context.environment, variables);
    const ending = await runCommand({ command, args, environment }, interrupted);
    if (ending.kind === "ended") return ending.exitCode;
    const failure = startFailure(command, ending.code, context.userId === null);
    await context.stderr.write(failure.text);
    return failure.exitCode;
  } finally {
    await emulator.close();
    // Writes keep their order, so all lines are written when the last one is.
    await logged;
  }
}

function untilInterrupted(interrupted: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(interrupted.reason);
    if (interrupted.aborted) end();
    interrupted.addEventListener("abort", end, { once: true });
  });
}

// 127 and 126: POSIX.1-2024, Shell Command Language, 2.8.2. Node cannot start a batch file of Windows without cmd.
function startFailure(
  command: string,
  code: string,
  onWindows: boolean,
): { readonly exitCode: number; readonly text: string } {
  const name = escapeText(command, 200);
  const batch = onWindows ? `; start a batch file by cmd: cmd /c ${name}` : "";
  return code === "ENOENT"
    ? {
        exitCode: 127,
        text: `Error: The command "${name}" was not found\n  try       Check its spelling, the PATH and, for a script, the interpreter in its first line${batch}\n`,
      }
    : {
        exitCode: 126,
        text: `Error: The command "${name}" cannot be executed (${code})\n  try       Check that it is a program and that this user may execute it${batch}\n`,
      };
}

/** A command to run without a shell, and its environment. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How a command ended: with an exit code, or because it could not be started. `code` is the name of the errno. */
export type CommandEnd =
  | { readonly kind: "ended"; readonly exitCode: number }
  | { readonly kind: "not-run"; readonly code: string };

/**
 * Runs the command on this process's own streams and resolves when it has ended. If a signal ended it, the exit code is
 * 128 plus the signal's number (POSIX.1-2024, Shell Command Language, 2.8.2). It passes an interruption on to the command,
 * which decides what to do. Before the start, it rejects with the interruption instead.
 */
export function runCommand(line: CommandLine, interrupted: AbortSignal): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    if (interrupted.aborted) return reject(interrupted.reason);
    const child = start(line);
    if ("code" in child) return resolve({ kind: "not-run", code: child.code });

    const forward = (): void => {
      const { reason } = interrupted;
      child.process.kill(reason instanceof Interrupted ? reason.signal : "SIGTERM");
    };
    interrupted.addEventListener("abort", forward, { once: true });
    const end = (ending: CommandEnd): void => {
      interrupted.removeEventListener("abort", forward);
      resolve(ending);
    };
    child.process.on("error", (error) => {
      // A signal that could not be delivered is an error too; then the command is still running.
      if (child.process.pid === undefined) end({ kind: "not-run", code: errorCode(error) ?? "unknown" });
    });
    // Not `close`: a background process of the command may keep the streams open.
    child.process.once("exit", (code, signal) => {
      end({ kind: "ended", exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) });
    });
  });
}

function start(line: CommandLine): { readonly process: ChildProcess } | { readonly code: string } {
  // Node throws a TypeError for an empty name; a shell says that it is not found.
  if (line.command === "") return { code: "ENOENT" };
  try {
    const { command, args, environment } = line;
    return { process: spawn(command, args, { stdio: "inherit", env: { ...environment } }) };
  } catch (error) {
    // Node reports some errors as events and throws the others.
    return { code: errorCode(error) ?? "unknown" };
  }
}
