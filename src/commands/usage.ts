import type { Command, CommanderError } from "commander";
import { InputError } from "../errors.ts";
import { nearest } from "../settings/nearest.ts";

const help = "See referral-auth --help, or --help after a command";

/** The name that a message of commander's quotes first, without a value behind `=`. */
function quoted({ message }: CommanderError): string {
  return /'([^'=]*)/.exec(message)?.[1] ?? "";
}

// What was typed may be a secret with a dash in front: it is repeated only where it resembles something known.
function unknown(message: string, typed: string, known: readonly string[]): InputError {
  const meant = nearest(typed, known);
  return meant === null
    ? new InputError("usage", message, help)
    : new InputError("usage", `${message}: ${typed}`, `Did you mean ${meant}?`);
}

/** A commander error in our own words: what was typed wrong, never the value that was typed. */
export function usageError(error: CommanderError, program: Command, args: readonly string[]): InputError {
  const [first = ""] = args;
  const names = program.commands.map((command) => command.name());
  const command = program.commands[names.indexOf(first)];
  // The program itself takes no argument: to commander a misspelt command is one too many, or its options are unknown.
  if (command === undefined && !first.startsWith("-"))
    return unknown("There is no such command", first, names);
  switch (error.code) {
    case "commander.optionMissingArgument":
      return new InputError("usage", `${quoted(error)} needs a value`, "Write the value after it");
    case "commander.missingArgument":
      return new InputError("usage", `The argument <${quoted(error)}> is missing`, help);
    case "commander.unknownOption": {
      const flags = (command ?? program).options.flatMap(({ long }) => long ?? []);
      const message =
        command === undefined
          ? "There is no such option before a command"
          : "This command has no such option";
      return unknown(message, quoted(error), [...flags, "--help"]);
    }
    case "commander.excessArguments":
      return new InputError(
        "usage",
        "There are more arguments than this command takes",
        `${help}; quote values that contain spaces`,
      );
    default:
      return new InputError("usage", "The command line is not understood", help);
  }
}
