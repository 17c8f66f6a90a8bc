import { spawn } from "node:child_process";
import { constants } from "node:os";
import { Interrupted } from "../errors.ts";
import { escapeText } from "../report/escape.ts";
import type { Context } from "../system/context.ts";
import { errorCode } from "../system/error-code.ts";

type CommandContext = Pick<Context, "interrupted" | "stderr" | "userId">;

/** The exit code of a program of Windows that Ctrl-C ended: STATUS_CONTROL_C_EXIT. */
const controlCExit = 0xc000013a;

/** Resolves with the exit code. Rejects with Node's error if the command cannot be started. */
function ended(
  [command = "", ...args]: readonly string[],
  environment: Context["environment"],
  { interrupted, userId }: CommandContext,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...environment } });
    const forward = (): void => {
      const { reason } = interrupted;
      if (!(reason instanceof Interrupted)) child.kill("SIGTERM");
      else if (userId !== null) child.kill(reason.signal);
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

/**
 * Runs a command without a shell on this process's own streams, and resolves with its exit code when it has ended. If a
 * signal ended it, that is 128 plus the signal's number; if it cannot be started, 127 or 126, and standard error says why
 * (POSIX.1-2024, Shell Command Language, 2.8.2). It passes an interruption on to the command, which decides what to do; on
 * Windows, the console has told the command already, and Node would end it at once. Rejects with an interruption that came
 * before the start.
 */
export async function runClientCommand(
  words: readonly string[],
  environment: Context["environment"],
  context: CommandContext,
): Promise<number> {
  context.interrupted.throwIfAborted();
  try {
    return await ended(words, environment, context);
  } catch (error) {
    const code = errorCode(error);
    if (code === null) throw error;
    const name = escapeText(words[0] ?? "", 200);
    // Node has another code for an empty name; a shell says that it is not found. Node cannot start a batch file of Windows.
    const isMissing = code === "ENOENT" || name === "";
    const batch = context.userId === null ? `; start a batch file by cmd: cmd /c ${name}` : "";
    const [problem, hint] = isMissing
      ? ["was not found", "its spelling, the PATH and, for a script, the interpreter in its first line"]
      : [`cannot be executed (${code})`, "that it is a program and that this user may execute it"];
    await context.stderr.write(
      `Error: The command "${name}" ${problem}\n  try       Check ${hint}${batch}\n`,
    );
    return isMissing ? 127 : 126;
  }
}
