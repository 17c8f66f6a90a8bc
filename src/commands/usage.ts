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
  const index = words.indexOf(typed);
  const hint = didYouMean(typed, [...known, "--version"]) || `The commands are ${known.join(", ")}`;
  return (
    miswritten(typed, index, ["--help", "--version"]) ?? wrongUsage(`${wordAt(index)} is no command`, hint)
  );
}

const verified = "Certificates are always verified; --ca-cert FILE adds one to trust";

/** What users of curl, gh and HTTPie type, and ours for it, or why there is none. */
const foreignFlags: Readonly<Record<string, string>> = {
  "-k": verified,
  "--insecure": verified,
  "-x": "Write --proxy URL",
  "-H": "Leave it out: no other header fields are sent; --token-file FILE gives the token",
  "-u": "Write --wsse --username NAME --secret-file FILE",
  "-m": "Write --timeout SECONDS",
  "-p": "Write --profile NAME, or --secret-file FILE for a password; the emulator has --port N",
  "-L": "Leave it out: redirects are never followed, since another server would get the credential",
  "-X": "Leave it out: each request is GET {base_url}/test-authentication",
};

/** The error for a word that begins with a dash of a mail program or word processor; null for any other word. Most of it may be a secret. */
export function dashed(word: string, index: number, flags: readonly string[]): InputError | null {
  if (!typographicDash.test(word)) return null;
  return wrongUsage(
    `${wordAt(index)} begins with a dash that is no hyphen: it ${unseenIn(word.slice(0, 2), /[^-]/)?.problem}`,
    `Type hyphens by hand: ${nearest(word, flags) ?? "--"}`,
  );
}

/** The error for a word with such a dash or a character that nobody sees, which is why it is none of ours; null for any other word. */
function miswritten(word: string, index: number, flags: readonly string[]): InputError | null {
  const found = unseenIn(word);
  return dashed(word, index, flags) ?? (found && wrongUsage(`${wordAt(index)} ${found.problem}`, found.hint));
}

/** The long flags of a command. */
export const flagsOf = ({ options }: Command): string[] => [
  ...options.flatMap(({ long }) => long ?? []),
  "--help",
];

/** The error for a word that no option takes, by its place. */
function wrongWord(command: Command, index: number, words: readonly string[]): InputError {
  const name = command.name();
  const { [index]: word = "" } = words;
  const flags = flagsOf(command);
  const problem = `${wordAt(index)} is no option of ${name}`;
  const place = `(${name} is word 1)`;
  const wrong = miswritten(word, index, flags);
  if (wrong !== null) return wrong;
  if (/^https?:\/\//i.test(word) && flags.includes("--base-url"))
    return wrongUsage(`${problem}: it is a URL`, `Write --base-url before it ${place}`);
  return wrongUsage(
    problem,
    flags.includes("--profile")
      ? `Write --profile before the name of a profile, --accounts before a file of accounts; give a token by --token-file or REFERRAL_TOKEN; write a value with spaces in quotes ${place}`
      : `See referral-auth help ${name} ${place}`,
  );
}

function unknownOption(
  typed: string,
  program: Command,
  command: Command | undefined,
  words: readonly string[],
): InputError {
  const [flag = ""] = typed.split("=", 1);
  const flags = flagsOf(command ?? program);
  // It was given a value, as in --json=1.
  if (flags.includes(flag)) return wrongUsage(`${flag} takes no value`, `Write ${flag} alone`);
  const index = words.indexOf(typed);
  const wrong = miswritten(flag, index, flags);
  if (wrong !== null) return wrong;
  // A value can be glued to a short flag.
  const letter = flag.startsWith("--") ? flag : flag.slice(0, 2);
  const { [letter]: foreign } = foreignFlags;
  const near = foreign === undefined && flag.startsWith("--") ? didYouMean(flag, flags) : "";
  const shown = foreign !== undefined ? letter : isRepeatable(flag) ? flag : wordAt(index);
  if (command !== undefined && shown === wordAt(index) && near === "")
    return wrongWord(command, index, words);
  const where = command === undefined ? "before a command" : `of ${command.name()}`;
  const help = command === undefined ? "Write the command first" : `See referral-auth help ${command.name()}`;
  return wrongUsage(`${shown} is no option ${where}`, foreign ?? (near || help));
}

/** The error for the first word that belongs to no option. */
export function excessWord(command: Command, words: readonly string[]): InputError {
  const word = command.args[command.registeredArguments.length];
  const takesValue = (flag = ""): boolean =>
    command.options.some(({ long, required, optional }) => long === flag && (required || optional));
  // The first word is the command.
  const index = words.findIndex((one, at) => at > 0 && one === word && !takesValue(words[at - 1]));
  return wrongWord(command, index < 0 ? words.indexOf(word ?? "", 1) : index, words);
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
