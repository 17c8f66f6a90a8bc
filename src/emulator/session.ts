import type { Context } from "../context.ts";
import { escapeText } from "../report/escape.ts";
import { type Credentials, completeCredentials } from "./credentials.ts";
import { childEnvironment, clientVariables, exportLines } from "./environment.ts";
import type { EmulatorOptions } from "./options.ts";
import { runCommand } from "./run.ts";
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
    const failure = notRun(command, ending.code);
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

// 127 and 126: POSIX.1-2024, Shell Command Language, 2.8.2.
function notRun(command: string, code: string): { readonly exitCode: number; readonly text: string } {
  const name = escapeText(command, 200);
  return code === "ENOENT"
    ? {
        exitCode: 127,
        text: `Error: The command "${name}" was not found\n  try       Check its spelling, the PATH and, for a script, the interpreter in its first line\n`,
      }
    : {
        exitCode: 126,
        text: `Error: The command "${name}" cannot be executed (${code})\n  try       Check that it is a program and that this user may execute it\n`,
      };
}
