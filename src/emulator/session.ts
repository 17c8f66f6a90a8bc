import { spawn } from "node:child_process";
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

/** The options of the command line. Credentials that are not given are random. */
export interface SessionOptions
  extends Partial<Credentials>,
    Pick<EmulatorOptions, "port" | "digest" | "hash" | "authorization" | "strict" | "explain" | "answer"> {
  /** How far the server's clock is ahead, in seconds. */
  readonly clockOffset?: number;
  /** How long to wait before each answer, in milliseconds. */
  readonly latency?: number;
}

/**
 * Runs an emulator as long as the command runs, and returns the exit code of the command. Without a command it prints how
 * to reach the emulator, runs until the context is interrupted, and throws the reason of the interruption. Throws InputError
 * for credentials that no client could send and for a port that it cannot open, OutputError if it cannot print.
 */
export async function runSession(
  { token, username, secret, clockOffset = 0, latency = 0, ...options }: SessionOptions,
  words: readonly string[],
  context: Context,
): Promise<number> {
  const credentials = completeCredentials({ token, username, secret }, context.randomBytes);
  let logged = Promise.resolve();
  const { interrupted, now } = context;
  const onWindows = context.userId === null;
  interrupted.throwIfAborted();
  const emulator = await startEmulator({
    ...options,
    clockOffsetSeconds: clockOffset,
    latencyMilliseconds: latency,
    credentials,
    now,
    log: (line) => {
      // Requests are answered even if the log cannot be written.
      logged = context.stderr.write(`${line}\n`).catch(() => {});
    },
    // The command reports its own successes.
    refusalsOnly: words.length > 0,
  });
  try {
    const variables = clientVariables(emulator.url, credentials);
    if (words.length === 0) {
      await context.stdout.write(exportLines(variables));
      return await untilInterrupted(interrupted);
    }
    return await runCommand(words, childEnvironment(context.environment, variables), interrupted, onWindows);
  } catch (error) {
    const code = errorCode(error);
    if (code === null) throw error;
    const { exitCode, text } = startFailure(words[0] ?? "", code, onWindows);
    await context.stderr.write(text);
    return exitCode;
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
  // Node has another code for an empty name; a shell says that it is not found.
  return code === "ENOENT" || command === ""
    ? {
        exitCode: 127,
        text: `Error: The command "${name}" was not found\n  try       Check its spelling, the PATH and, for a script, the interpreter in its first line${batch}\n`,
      }
    : {
        exitCode: 126,
        text: `Error: The command "${name}" cannot be executed (${code})\n  try       Check that it is a program and that this user may execute it${batch}\n`,
      };
}

/** The exit code of a program of Windows that Ctrl-C ended: STATUS_CONTROL_C_EXIT. */
const controlCExit = 0xc000013a;

/**
 * Runs a command without a shell on this process's own streams, and resolves with its exit code when it has ended. If a
 * signal ended it, that is 128 plus the signal's number (POSIX.1-2024, Shell Command Language, 2.8.2). It passes an
 * interruption on to the command, which decides what to do; on Windows, the console has told the command already, and Node
 * would end it at once. Rejects with an interruption that came before the start, and with Node's error if the command cannot be
 * started.
 */
export function runCommand(
  [command = "", ...args]: readonly string[],
  environment: Context["environment"],
  interrupted: AbortSignal,
  onWindows: boolean,
): Promise<number> {
  return new Promise((resolve, reject) => {
    interrupted.throwIfAborted();
    const child = spawn(command, args, { stdio: "inherit", env: { ...environment } });
    const forward = (): void => {
      const { reason } = interrupted;
      if (!(reason instanceof Interrupted)) child.kill("SIGTERM");
      else if (!onWindows) child.kill(reason.signal);
    };
    interrupted.addEventListener("abort", forward, { once: true });
    child.on("error", (error) => {
      // A signal that could not be delivered is an error too; then the command is still running.
      if (child.pid === undefined) reject(error);
    });
    // Not `close`: a background process of the command may keep the streams open.
    child.once("exit", (code, signal) => {
      interrupted.removeEventListener("abort", forward);
      const ending = code === controlCExit ? "SIGINT" : signal;
      resolve(ending === null ? (code ?? 128) : 128 + constants.signals[ending]);
    });
  });
}
