import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Context } from "../context.ts";
import { errorCode } from "../error-code.ts";
import { Interrupted } from "../mistake.ts";
import { escapeText } from "../report/escape.ts";
import {
  type Credentials,
  childEnvironment,
  clientVariables,
  completeCredentials,
  exportLines,
} from "./credentials.ts";
import type { EmulatorOptions } from "./options.ts";
import { startEmulator } from "./server.ts";

/** The emulator as the command line wants it: credentials that are not given are made up for this run. */
export interface SessionSettings
  extends Omit<EmulatorOptions, "credentials" | "now" | "log" | "refusalsOnly"> {
  readonly given: Partial<Credentials>;
}

/**
 * Runs an emulator for as long as the command runs, and gives the exit code of the command. Without one, prints how to
 * reach it and runs until the context is interrupted, whose reason it then throws. Throws Mistake for credentials that
 * no client could send and for a port that cannot be had, OutputFailure where the printing fails.
 */
export async function runSession(
  { given, ...settings }: SessionSettings,
  [command, ...args]: readonly string[],
  context: Context,
): Promise<number> {
  const credentials = completeCredentials(given, context.randomBytes);
  let logged = Promise.resolve();
  const log = (line: string): void => {
    // The log is an aid: where nobody takes it, the requests are answered all the same.
    logged = context.stderr.write(`${line}\n`).catch(() => {});
  };
  // What a command does right is its own to report.
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
    const failure = notRun(command, ending.code, context.userId === null);
    await context.stderr.write(failure.text);
    return failure.exitCode;
  } finally {
    await emulator.close();
    // Streams keep the order of their writes, so the last line out means all are.
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

// 127 and 126: POSIX.1-2024, Shell Command Language, 2.8.2. Windows starts no batch file without cmd, and Node refuses to.
function notRun(
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
      if (child.process.pid === undefined) end({ kind: "not-run", code: errorCode(error) ?? "unknown" });
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
    return { code: errorCode(error) ?? "unknown" };
  }
}
