// Errors for a command line that commander refuses. A value may be a secret, so a message tells a word's place.

import type { Command, CommanderError } from "commander";
import { type InputError, wrongUsage } from "../errors.ts";
import { didYouMean, nearest } from "../options/nearest.ts";
import { typographicDash, unseenIn } from "../wsse/characters.ts";

/** The text that a message of commander quotes first. */
const quoted = ({ message }: CommanderError): string => /'(.*)'/s.exec(message)?.[1] ?? "";

const verified = "Certificates are always verified; --ca-cert FILE adds one to trust";

/** What users of curl type, and ours for it, or why there is none. */
const ofCurl: Readonly<Record<string, string>> = {
  "-k": verified,
  "--insecure": verified,
  "-x": "Write --proxy URL",
  "-H": "Leave it out: no other header fields are sent; --token-file FILE gives the token",
  "-u": "Write --wsse --username NAME --secret-file FILE",
  "-L": "Leave it out: redirects are never followed, since another server would get the credential",
  "-X": "Leave it out: each request is GET {base_url}/test-authentication",
};

const wordAt = (index: number): string => (index < 0 ? "A word" : `Word ${index + 1}`);

/** The long flags of a command. */
export const flagsOf = ({ options }: Command): string[] => [
  ...options.flatMap(({ long }) => long ?? []),
  "--help",
];

/** The error for a word with an invisible or typographic character, by which it is none of ours; null for any other word. */
export function miswritten(word: string, index: number, flags: readonly string[]): InputError | null {
  const found = unseenIn(word);
  if (found === null) return null;
  const hyphens = `Type hyphens by hand: ${nearest(word, flags) ?? "--"}`;
  const hint = typographicDash.test(word) ? hyphens : found.hint;
  return wrongUsage(`${wordAt(index)} ${found.problem}`, hint);
}

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

/** The error for a word that is no option, or belongs to none; without a command, it stands before one. */
function strangeWord(
  word: string,
  words: readonly string[],
  program: Command,
  command: Command | undefined,
): InputError {
  const { options } = command ?? program;
  const takesValue = (flag = ""): boolean =>
    options.some(({ long, required, optional }) => long === flag && (required || optional));
  // The first word is the command.
  const start = command === undefined ? 0 : 1;
  const free = words.findIndex((one, at) => at >= start && one === word && !takesValue(words[at - 1]));
  // Commander names what is glued to a short flag of ours, as in `-vx`, by its rest.
  const isIt = (one: string): boolean => one === word || (/^-[^-]/.test(one) && one.endsWith(word.slice(1)));
  const index = free < 0 ? words.findIndex(isIt) : free;
  const flags = flagsOf(command ?? program);
  const [flag = ""] = word.split("=", 1);
  if (flags.includes(flag)) return wrongUsage(`${flag} takes no value`, `Write ${flag} alone`);
  const wrong = miswritten(flag, index, flags);
  if (wrong !== null) return wrong;
  // A value can be glued to a short flag.
  const short = flag.startsWith("--") ? flag : flag.slice(0, 2);
  const ours = free < 0 ? undefined : ofCurl[short];
  // Never show a word that may hold a secret: one glued to `--token` or `--secret`, or one that stands behind an option.
  const isName = /^(?:-[A-Za-z]|--(?!token|secret)[a-z-]{1,24})$/.test(flag) && free >= 0;
  const shown = ours !== undefined ? short : isName ? flag : wordAt(index);
  const near = flag.startsWith("-") ? didYouMean(flag, flags) : "";
  if (command === undefined)
    return wrongUsage(`${shown} is no option before a command`, ours ?? (near || "Write the command first"));
  const name = command.name();
  if (shown !== wordAt(index))
    return wrongUsage(`${shown} is no option of ${name}`, ours ?? (near || `See referral-auth help ${name}`));
  const isUrl = /^https?:\/\//i.test(word) && flags.includes("--base-url");
  const advice = isUrl
    ? "Write --base-url before the URL"
    : `Write a value behind its option, in quotes if it has spaces; see referral-auth help ${name}`;
  return wrongUsage(`${shown} is no option of ${name} (${name} is word 1)`, near || advice);
}

/** Rewords an error of commander. The new message never repeats a value. */
export function usageError(error: CommanderError, program: Command, words: readonly string[]): InputError {
  const [first = ""] = words;
  const names = program.commands.map((command) => command.name());
  const command = program.commands[names.indexOf(first)];
  // For a misspelt command, commander reports an extra argument, or the options after it.
  if (command === undefined && !first.startsWith("-")) return unknownCommand(first, names, words);
  const { registeredArguments: [argument] = [], args = [] } = command ?? {};
  const choices = `Choose one of ${argument?.argChoices?.join(", ")}`;
  switch (error.code) {
    case "commander.optionMissingArgument":
      return wrongUsage(`${quoted(error)} needs a value`, "Write the value after it");
    case "commander.missingArgument":
      return wrongUsage(`The argument <${argument?.name()}> is missing`, choices);
    case "commander.invalidArgument":
      return wrongUsage(`The argument <${argument?.name()}> is none of its choices`, choices);
    case "commander.unknownOption":
      return strangeWord(quoted(error), words, program, command);
    case "commander.excessArguments":
      return strangeWord(args[command?.registeredArguments.length ?? 0] ?? "", words, program, command);
    case "commander.conflictingOption": {
      const flags = [...error.message.matchAll(/'(--[a-z-]+)/g)].map(([, flag]) => flag);
      return wrongUsage(`${flags.join(" and ")} cannot be used together`, "Keep one of the two");
    }
  }
  return wrongUsage("The command line cannot be understood", "See referral-auth help");
}
