import { Command, CommanderError } from "commander";
import { addCompletionCommand } from "./commands/completion.ts";
import { addConfigCommand } from "./commands/config.ts";
import { addEmulatorCommand } from "./commands/emulator.ts";
import { addHeaderCommand } from "./commands/header.ts";
import { addTestCommand } from "./commands/test.ts";
import { usageError } from "./commands/usage.ts";
import { describeError } from "./describe-error.ts";
import { InputError, Interrupted } from "./errors.ts";
import { type ExitCode, exitCodeOfError } from "./exit-codes.ts";
import { reportRunError } from "./report/run-error.ts";
import type { Context } from "./system/context.ts";
import { version } from "./version.ts";

/** The commands, in the order of the help. */
const commands = {
  test: addTestCommand,
  header: addHeaderCommand,
  config: addConfigCommand,
  emulator: addEmulatorCommand,
  completion: addCompletionCommand,
} as const;
const commandNames = Object.keys(commands) as ReadonlyArray<keyof typeof commands>;

/**
 * The program with all its commands, or the one that the arguments begin with. What commander prints goes to `print`;
 * errors are thrown.
 */
export function buildProgram(
  context: Context,
  exitWith: (code: number) => void,
  print: (text: string) => void,
): Command {
  const program = new Command("referral-auth")
    .description("Checks credentials of the referral service's API, and finds out why one is refused.")
    .version(version, "-V, --version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: print,
      // Its messages quote what was typed, which can hold a secret; `usageMistake` words them anew.
      writeErr: () => {},
      getOutHelpWidth: () => 80,
      getOutHasColors: () => false,
    })
    .action(() => {
      throw new InputError(
        "usage",
        "No command is given",
        "Run referral-auth test, or see referral-auth --help",
      );
    });
  // To declare the flags of all commands takes longer than to parse; help and completion tell of all.
  const given = commandNames.filter((name) => name === context.args[0] && name !== "completion");
  for (const name of given.length > 0 ? given : commandNames) commands[name](program, context, exitWith);
  return program;
}

/** Runs the program and resolves with the exit code that its command chose. */
async function run(context: Context): Promise<number> {
  let exitCode = 1;
  let printed = "";
  const program = buildProgram(
    context,
    (code) => {
      exitCode = code;
    },
    (text) => {
      printed += text;
    },
  );
  try {
    await program.parseAsync([...context.args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error, program, context.args);
    await context.stdout.write(printed);
    return 0;
  }
}

/**
 * Runs the program and resolves with the exit code; never rejects. The one place where anything thrown becomes a code.
 */
export function main(context: Context): Promise<number> {
  return run(context).catch((error: unknown) => reportThrown(error, context));
}

/** The exit code of what was thrown, which is reported unless it is an interruption; never rejects. */
async function reportThrown(error: unknown, context: Context): Promise<ExitCode> {
  const code = exitCodeOfError(error);
  if (error instanceof Interrupted) return code;
  try {
    await reportRunError({ code, ...describeError(error) }, context);
    return code;
  } catch {
    // Nobody is left to read a message; the code still tells.
    return 1;
  }
}
