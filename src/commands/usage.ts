// Errors for a command line that commander refuses. No message repeats a value, which may be a secret.

import type { Command, CommanderError } from "commander";
import { type InputError, wrongUsage } from "../errors.ts";
import { didYouMean, nearest } from "../options/nearest.ts";
import { typographicDash, unseenIn } from "../wsse/characters.ts";

/** The text that a message of commander quotes first. */
const quoted = ({ message }: CommanderError): string => /'(.*)'/s.exec(message)?.[1] ?? "";

/** Whether a message may repeat an unknown flag. A secret may stand behind `--token` or `--secret` without a space. */
const isRepeatable = (flag: string): boolean => /^(?:-[A-Za-z]|--(?!token|secret)[a-z-]{1,24})$/.test(flag);

/** A word by its place: it may be a secret, so it is not repeated. */
const wordAt = (index: number): string => (index < 0 ? "A word" : `Word ${index + 1}`);

/** The error for a command that does not exist. */
export function unknownCommand(
  typed: string,
  known: readonly string[],
  words: readonly string[],
): InputError {
  const wrong = dashed(typed, words.indexOf(typed), ["--help", "--version"]);
  if (wrong !== null) return wrong;
  const hint = didYouMean(typed, known) || `The commands are ${known.join(", ")}`;
  return wrongUsage(`${wordAt(words.indexOf(typed))} is no command`, hint);
}

/** The error for a word that begins with a dash of a mail program or word processor; null for any other word. Most of it may be a secret. */
function dashed(word: string, index: number, flags: readonly string[]): InputError | null {
  if (!typographicDash.test(word)) return null;
  const meant = nearest(word, flags);
  return wrongUsage(
    `${wordAt(index)} begins with a dash that is no hyphen: it ${unseenIn(word.slice(0, 2), /[^-]/)?.problem}`,
    `Type two hyphens by hand: ${meant ?? "--"}`,
  );
}

/** The error for a word that is no option, by its place. */
function wrongWord(command: Command, index: number, words: readonly string[]): InputError {
  const name = command.name();
  const flags = command.options.flatMap(({ long }) => long ?? []);
  const wrong = dashed(words[index] ?? "", index, flags);
  if (wrong !== null) return wrong;
  const hint = command.options.some(({ long }) => long === "--profile")
    ? `Write --profile before the name of a profile; give a token by --token-file or REFERRAL_TOKEN; write a value with spaces in quotes`
    : `See referral-auth help ${name}`;
  return wrongUsage(`${wordAt(index)} is no option of ${name}`, `${hint} (${name} is word 1)`);
}

function unknownOption(
  typed: string,
  program: Command,
  command: Command | undefined,
  words: readonly string[],
): InputError {
  const [flag = ""] = typed.split("=", 1);
  const flags = [...(command ?? program).options.flatMap(({ long }) => long ?? []), "--help"];
  // It was given a value, as in --json=1.
  if (flags.includes(flag)) return wrongUsage(`${flag} takes no value`, `Write ${flag} alone`);
  const index = words.indexOf(typed);
  const near = flag.startsWith("--") ? didYouMean(flag, flags) : "";
  const shown = isRepeatable(flag) ? flag : wordAt(index);
  if (command === undefined)
    return wrongUsage(
      `${shown} is no option before a command`,
      near || "Write the command first, as in referral-auth test --token",
    );
  if (!isRepeatable(flag) && near === "") return wrongWord(command, index, words);
  return wrongUsage(
    `${shown} is no option of ${command.name()}`,
    near || `See referral-auth help ${command.name()}`,
  );
}

/** The error for the first word that belongs to no option. */
export function excessWord(command: Command, words: readonly string[]): InputError {
  const word = command.args[command.registeredArguments.length];
  const takesValue = (flag = ""): boolean =>
    command.options.some(({ long, required, optional }) => long === flag && (required || optional));
  const index = words.findIndex((one, at) => one === word && !takesValue(words[at - 1]));
  return wrongWord(command, index < 0 ? words.indexOf(word ?? "") : index, words);
}

/** Rewords an error of commander. The new message never repeats a value. */
export function usageError(error: CommanderError, program: Command, words: readonly string[]): InputError {
  const [first = ""] = words;
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
  }
  return wrongUsage("The command line cannot be understood", "See referral-auth help");
}
