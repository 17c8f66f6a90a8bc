import type { Command, CommanderError } from "commander";
import { type InputError, wrongUsage } from "../errors.ts";
import { nearest } from "../settings/nearest.ts";
import { curlFlagOf } from "./curl-flags.ts";

const help = "See referral-auth --help, or --help after a command";

/** The name that a message of commander quotes first, without a value after `=`. */
function quoted({ message }: CommanderError): string {
  return /'([^'=]*)/.exec(message)?.[1] ?? "";
}

// The typed text can be a secret that begins with a dash. Repeat it only if it resembles a known name.
function unknown(message: string, typed: string, known: readonly string[]): InputError {
  const meant = nearest(typed, known);
  return meant === null
    ? wrongUsage(message, help)
    : wrongUsage(`${message}: ${typed}`, `Did you mean ${meant}?`);
}

/** The error for a command that does not exist. It suggests the nearest one that does, or lists all. */
export function unknownCommand(typed: string, known: readonly string[]): InputError {
  const error = unknown("There is no such command", typed, known);
  // A short word of plain letters, such as `login`, is hardly a secret.
  if (error.hint !== help || !/^[a-z]{2,10}$/.test(typed)) return error;
  return wrongUsage(`There is no command ${typed}`, `The commands are ${known.join(", ")}`);
}

function unknownOption(typed: string, program: Command, command: Command | undefined): InputError {
  const flags = [...(command ?? program).options.flatMap(({ long }) => long ?? []), "--help"];
  // It was given a value, as in --json=1.
  if (flags.includes(typed)) return wrongUsage(`${typed} takes no value`, `Write ${typed} alone`);
  // Explain flags of curl for commands that take credentials, but not for the emulator.
  const curl = command === undefined || flags.includes("--wsse") ? curlFlagOf(typed) : null;
  if (curl !== null) return wrongUsage(`The option ${curl.flag} of curl does not exist here`, curl.instead);
  const message =
    command === undefined ? "There is no such option before a command" : "This command has no such option";
  const error = unknown(message, typed, flags);
  // An option of `test` without the command in front of it.
  const isOfTest = program.commands.some(
    (one) => one.name() === "test" && one.options.some(({ long }) => long === typed),
  );
  return command === undefined && error.hint === help && isOfTest
    ? wrongUsage(message, "Write the command first, as in referral-auth test --token")
    : error;
}

/** Rewords an error of commander. The new message never repeats a value. */
export function usageError(error: CommanderError, program: Command, args: readonly string[]): InputError {
  const [first = ""] = args;
  const names = program.commands.map((command) => command.name());
  const command = program.commands[names.indexOf(first)];
  // For a misspelt command, commander reports an extra argument, or the options after it.
  if (command === undefined && !first.startsWith("-")) return unknownCommand(first, names);
  switch (error.code) {
    case "commander.optionMissingArgument":
      return wrongUsage(`${quoted(error)} needs a value`, "Write the value after it");
    case "commander.missingArgument":
      return wrongUsage(`The argument <${quoted(error)}> is missing`, help);
    case "commander.unknownOption":
      return unknownOption(quoted(error), program, command);
    case "commander.conflictingOption": {
      const flags = [...error.message.matchAll(/'(--[a-z-]+)/g)].map(([, flag]) => flag);
      return wrongUsage(`${flags.join(" and ")} cannot be used together`, "Keep one of the two");
    }
    case "commander.excessArguments":
      return wrongUsage(
        args.some((arg) => /^https?:\/\//i.test(arg))
          ? "A URL is given without an option"
          : "There are more arguments than this command takes",
        command?.options.some(({ long }) => long === "--base-url")
          ? "Write the base URL after --base-url, and quote values that contain spaces"
          : `${help}; quote values that contain spaces`,
      );
    default:
      return wrongUsage("The command line cannot be understood", help);
  }
}
