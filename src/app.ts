// The program: it declares the commands, and it is the one place where anything thrown becomes an exit code and a message.

import { Command, CommanderError } from "commander";
import { addCompletionCommand } from "./commands/completion.ts";
import { addConfigCommand } from "./commands/config.ts";
import { addEmulatorCommand } from "./commands/emulator.ts";
import { addHeaderCommand } from "./commands/header.ts";
import { addHelpCommand, helpColumns, printHelp } from "./commands/help.ts";
import { helpOption } from "./commands/setting-options.ts";
import { addTestCommand } from "./commands/test.ts";
import { usageError } from "./commands/usage.ts";
import { describeError } from "./describe-error.ts";
import { InputError, Interrupted, orNull, ReaderGone, wrongUsage } from "./errors.ts";
import { exitCodeOfRun } from "./exit-codes.ts";
import { reportRunError } from "./report/messages.ts";
import type { Context } from "./system/context.ts";
import { version } from "./version.ts";

/** The commands, in the order of the help. The last two need all others declared. */
const commands = {
  test: addTestCommand,
  header: addHeaderCommand,
  config: addConfigCommand,
  emulator: addEmulatorCommand,
  completion: addCompletionCommand,
  help: addHelpCommand,
} as const;
const commandNames = Object.keys(commands) as ReadonlyArray<keyof typeof commands>;

const firstSteps = `
First steps:
  $ referral-auth emulator referral-auth test   try it without an account
  $ referral-auth help test                     settings, exit codes, examples`;

/** The program with all its commands, or the requested one alone. Commander's output goes to `print`, and its errors are thrown. */
export function buildProgram(
  context: Context,
  exitWith: (code: number) => void,
  print: (text: string) => void,
): Command {
  const program = new Command("referral-auth")
    .description("Checks credentials of the referral service's API, and finds out why one is refused.")
    .version(version, "-V, --version", "print the version")
    .helpOption(...helpOption)
    .addHelpText("after", firstSteps)
    .exitOverride()
    // The descriptions say the defaults.
    .configureHelp({ optionDescription: ({ description }) => description })
    .configureOutput({
      writeOut: print,
      // Commander's messages quote what was typed, which can hold a secret; `usageError` rewords them.
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(helpColumns(context), 80),
      getOutHasColors: () => false,
    })
    // Without a command: the help, on standard error, as wrong usage.
    .action(() => {
      exitWith(2);
      program.outputHelp();
    });
  // Declare only the requested command, to start faster. Help and completion need all of them.
  const given = commandNames.filter(
    (name) => name === context.args[0] && name !== "completion" && name !== "help",
  );
  for (const name of given.length > 0 ? given : commandNames) commands[name](program, context, exitWith);
  program.commands.forEach(guard);
  return program;
}

/** Refuses an empty value of an option, since a shell variable is not set, and a second value, since one of them would be lost. */
function guard(command: Command): void {
  const given = new Map<string, string | undefined>();
  let twice: string | undefined;
  for (const option of command.options) {
    const { long, description, parseArg = (text: string) => text } = option;
    if (option.isBoolean()) continue;
    option.argParser((text: string, before: unknown) => {
      const hint = "Give it a value, or leave the option out";
      if (text === "") throw wrongUsage(`${long} is empty: is its variable set?`, hint);
      return parseArg(text, before);
    });
    if (description.includes("may be repeated")) continue;
    // Commander calls no parser for an option without a value.
    command.on(`option:${option.name()}`, () => {
      const name = option.attributeName();
      const before = given.get(name);
      if (before !== undefined)
        twice ??=
          before === long ? `${long} is given twice` : `${before} and ${long} cannot be used together`;
      given.set(name, long);
    });
  }
  command.hook("preAction", () => {
    if (twice !== undefined) throw wrongUsage(twice, "Keep one of the two");
  });
}

/** The command whose `--json` is on the command line, as its parser reads it whatever else is wrong; null if there is none. */
function wantsJson({ commands }: Command, [name, ...words]: Context["args"]): string | null {
  const command = commands.find((one) => one.name() === name);
  if (command === undefined) return null;
  // The parsers throw for a wrong value, and `--json` may stand behind it.
  for (const option of command.options) option.argParser(() => null);
  orNull(() => command.parseOptions(words));
  return command.opts().json === true ? command.name() : null;
}

/**
 * Runs the program and resolves with the exit code; never rejects. It reports every error but an interruption and a reader that has left.
 */
export async function main(context: Context): Promise<number> {
  let exitCode = 1;
  let printed = "";
  const exitWith = (code: number): void => {
    exitCode = code;
  };
  const print = (text: string): void => {
    printed += text;
  };
  const program = buildProgram(context, exitWith, print);
  try {
    await program.parseAsync([...context.args], { from: "user" }).catch((error) => {
      if (!(error instanceof CommanderError)) throw error;
      if (error.exitCode !== 0) throw usageError(error, program, context.args);
      exitCode = 0;
    });
    if (printed !== "") await printHelp(printed, exitCode === 0 ? context.stdout : context.stderr);
    return exitCode;
  } catch (error) {
    const code = exitCodeOfRun(error);
    try {
      if (!(error instanceof Interrupted || error instanceof ReaderGone)) {
        const commands = error instanceof InputError ? error.commands : [];
        const json = wantsJson(program, context.args);
        await reportRunError({ code, ...describeError(error) }, context, json, commands);
      }
      return code;
    } catch {
      // The output is lost, so the exit code is all that is left.
      return 1;
    }
  }
}
