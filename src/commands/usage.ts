import type { Command, CommanderError } from "commander";
import { type InputError, wrongUsage } from "../errors.ts";
import { environmentLevel, environmentProxySecrets, secretTexts } from "../settings/levels.ts";
import { didYouMean, nearest } from "../settings/nearest.ts";
import type { Context } from "../system/context.ts";
import { insteadOf, shownOption } from "./first-guesses.ts";

/** The name that a message of commander quotes first, without a value after `=`. */
function quoted({ message }: CommanderError): string {
  return /'([^'=]*)/.exec(message)?.[1] ?? "";
}

/** Whether a word may be repeated: one of a few plain letters, such as `login`, is hardly a secret. */
const isPlain = (word: string): boolean => /^[a-z]{2,10}$/.test(word);

/** The error for a command that does not exist. It suggests the nearest one that does, or lists all. */
export function unknownCommand(typed: string, known: readonly string[], words: Words): InputError {
  const meant = didYouMean(typed, known);
  const isShown =
    (meant !== "" || isPlain(typed)) && !others(words, words.args.indexOf(typed)).includes(typed);
  const message = isShown ? `There is no command ${typed}` : "There is no such command";
  return wrongUsage(message, meant || `The commands are ${known.join(", ")}`);
}

type Words = Pick<Context, "args" | "environment">;

/** The texts that a shown word must not be part of: the other words of the command line, and the secrets of the environment. */
function others({ args, environment }: Words, place: number): readonly string[] {
  const secrets = [...secretTexts([environmentLevel(environment)]), ...environmentProxySecrets(environment)];
  return [...args.filter((_, index) => index !== place), ...secrets];
}

function unknownOption(
  typed: string,
  program: Command,
  command: Command | undefined,
  words: Words,
): InputError {
  const flagsOf = (one: Command | undefined): readonly string[] =>
    one?.options.flatMap(({ long }) => long ?? []) ?? [];
  const flags = [...flagsOf(command ?? program), "--help"];
  // It was given a value, as in --json=1.
  if (flags.includes(typed)) return wrongUsage(`${typed} takes no value`, `Write ${typed} alone`);
  const ofTest = flagsOf(program.commands.find((one) => one.name() === "test"));
  const place = words.args.findIndex((arg) => arg.startsWith(typed));
  const meant = nearest(typed, flags);
  const shown = shownOption(typed, meant, words.args[place - 1] ?? "", others(words, place));
  const named = shown === null ? "such option" : `option ${shown}`;
  const message =
    command === undefined ? `There is no ${named} before a command` : `This command has no ${named}`;
  const instead = shown === null ? null : insteadOf(shown, command === undefined ? ofTest : flags);
  if (instead !== null) return wrongUsage(message, instead);
  if (meant !== null) return wrongUsage(message, `Did you mean ${meant}?`);
  if (command === undefined && ofTest.includes(typed))
    return wrongUsage(message, "Write the command first, as in referral-auth test --token");
  return wrongUsage(message, helpOf(command));
}

const helpOf = (command: Command | undefined): string =>
  `See referral-auth help${command === undefined ? "" : ` ${command.name()}`}`;

/** The error for a word that belongs to no option. */
function excessWord(command: Command, words: Words): InputError {
  const { args } = words;
  const word = command.args[command.registeredArguments.length] ?? "";
  const at = args.indexOf(word);
  const optionOf = (flag = "") =>
    command.options.find(({ long, required, optional }) => long === flag && (required || optional));
  const [, attached] = /^(--[^=]+)=/.exec(args[at - 1] ?? "") ?? [];
  const before = optionOf(attached ?? args[at - 2]);
  if (!command.options.some(({ long }) => long === "--profile"))
    return wrongUsage("There are more arguments than this command takes", helpOf(command));
  if (/^https?:\/\//i.test(word))
    return wrongUsage("A URL is given without an option", "Write the base URL after --base-url");
  if (before !== undefined && optionOf(args[at - 1]) !== undefined)
    return wrongUsage(`${before.long} needs a value`, "Write the value after it");
  if (before !== undefined)
    return wrongUsage(
      `A word after the value of ${before.long} belongs to no option`,
      "If the value contains spaces, put it in quotes",
    );
  const all = args.includes("--all") ? " without --all" : "";
  return isPlain(word) && !others(words, at).includes(word)
    ? wrongUsage(`The word ${word} belongs to no option`, `Did you mean --profile ${word}${all}?`)
    : wrongUsage("A word belongs to no option", `Write --profile before the name of a profile${all}`);
}

/** Rewords an error of commander. The new message never repeats a value. */
export function usageError(error: CommanderError, program: Command, words: Words): InputError {
  const { args } = words;
  const [first = ""] = args;
  const names = program.commands.map((command) => command.name());
  const command = program.commands[names.indexOf(first)];
  // For a misspelt command, commander reports an extra argument, or the options after it.
  if (command === undefined && !first.startsWith("-")) return unknownCommand(first, names, words);
  switch (error.code) {
    case "commander.optionMissingArgument":
      return wrongUsage(`${quoted(error)} needs a value`, "Write the value after it");
    case "commander.missingArgument":
    case "commander.invalidArgument": {
      const [argument] = command?.registeredArguments ?? [];
      const what = error.code === "commander.missingArgument" ? "is missing" : "is none of its choices";
      const hint = `Choose one of ${argument?.argChoices?.join(", ")}`;
      return wrongUsage(`The argument <${argument?.name()}> ${what}`, hint);
    }
    case "commander.unknownOption":
      return unknownOption(quoted(error), program, command, words);
    case "commander.conflictingOption": {
      const flags = [...error.message.matchAll(/'(--[a-z-]+)/g)].map(([, flag]) => flag);
      return wrongUsage(`${flags.join(" and ")} cannot be used together`, "Keep one of the two");
    }
    case "commander.excessArguments":
      if (command !== undefined) return excessWord(command, words);
      break;
  }
  return wrongUsage("The command line cannot be understood", helpOf(command));
}
