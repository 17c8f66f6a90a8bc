import type { Command, CommanderError } from "commander";
import { Mistake } from "./mistake.ts";
import { nearest } from "./nearest.ts";

const tooMany = "commander.excessArguments";
const unknownCommand = "commander.unknownCommand";
const wording: Readonly<Record<string, string>> = {
  "commander.unknownOption": "This command has no such option",
  [unknownCommand]: "There is no such command",
  [tooMany]: "There are more arguments than this command takes",
};

/** What could have been meant: the program's commands, or the options of the command that was given. */
function known(code: string, program: Command, args: readonly string[]): readonly string[] {
  if (code === unknownCommand) return program.commands.map((command) => command.name());
  const command = program.commands.find((one) => args.includes(one.name())) ?? program;
  return [...command.options.flatMap(({ long }) => long ?? []), "--help"];
}

/** A commander error in our own words: what was typed wrong, never the value that was typed. */
export function usageMistake(error: CommanderError, program: Command, args: readonly string[]): Mistake {
  // The program itself takes no argument, so to commander a misspelt command is one too many.
  const noCommand = !program.commands.some((command) => args.includes(command.name()));
  const code = noCommand && error.code === tooMany ? unknownCommand : error.code;
  const help = "See referral-auth --help, or --help after a command";
  if (error.code === "commander.optionMissingArgument") {
    const flag = /option '([^']*)'/.exec(error.message)?.[1] ?? "An option";
    return new Mistake("usage", `${flag} needs a value`, "Write the value after it");
  }
  if (error.code === "commander.missingArgument") {
    const name = /argument '([^']*)'/.exec(error.message)?.[1] ?? "";
    return new Mistake("usage", `The argument <${name}> is missing`, help);
  }
  // What was typed may be a secret with a dash in front: it is repeated only where it resembles something known.
  const typed =
    code === unknownCommand ? (args[0] ?? "") : (/unknown option '([^'=]*)/.exec(error.message)?.[1] ?? "");
  const meant = nearest(typed, known(code, program, args));
  const message = wording[code] ?? "The command line is not understood";
  return meant === null
    ? new Mistake("usage", message, code === tooMany ? `${help}; quote values that contain spaces` : help)
    : new Mistake("usage", `${message}: ${typed}`, `Did you mean ${meant}?`);
}
