import type { Command, CommanderError } from "commander";
import { Mistake } from "./mistake.ts";
import { nearest } from "./nearest.ts";

const wording: Readonly<Record<string, string>> = {
  "commander.unknownOption": "This command has no such option",
  "commander.unknownCommand": "There is no such command",
  "commander.excessArguments": "There are more arguments than this command takes",
};

/** What could have been meant: the program's commands, or the options of the command that was given. */
function known(error: CommanderError, program: Command, args: readonly string[]): readonly string[] {
  if (error.code === "commander.unknownCommand") return program.commands.map((command) => command.name());
  const command = program.commands.find((one) => args.includes(one.name())) ?? program;
  return [...command.options.flatMap(({ long }) => long ?? []), "--help"];
}

/** A commander error in our own words: what was typed wrong, never the value that was typed. */
export function usageMistake(error: CommanderError, program: Command, args: readonly string[]): Mistake {
  const hint = "See referral-auth --help, or --help after a command; quote values that contain spaces";
  if (error.code === "commander.optionMissingArgument") {
    const flag = /option '([^']*)'/.exec(error.message)?.[1] ?? "An option";
    return new Mistake("usage", `${flag} needs a value`, "Write the value behind it");
  }
  if (error.code === "commander.missingArgument") {
    const name = /argument '([^']*)'/.exec(error.message)?.[1] ?? "";
    return new Mistake("usage", `The argument <${name}> is missing`, hint);
  }
  // What was typed may be a secret with a dash in front: it is repeated only where it resembles something known.
  const typed = /unknown (?:option|command) '([^'=]*)/.exec(error.message)?.[1] ?? "";
  const meant = nearest(typed, known(error, program, args));
  const message = wording[error.code] ?? "The command line is not understood";
  return meant === null
    ? new Mistake("usage", message, hint)
    : new Mistake("usage", `${message}: ${typed}`, `Did you mean ${meant}?`);
}
