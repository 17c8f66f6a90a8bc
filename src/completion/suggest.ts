import type { Command, Option } from "commander";

/** A word to suggest, and its meaning. */
export interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/** What to suggest. The shell completes files and commands; profiles are those of the rc file in use. */
type Suggestion = readonly Candidate[] | "files" | "commands" | { readonly profilesOf: Position["config"] };

const words = (names: readonly string[]): Suggestion => names.map((word) => ({ word, summary: "" }));

function valuesOf(option: Option | null, { config }: Position): Suggestion {
  if (option?.argChoices !== undefined) return words(option.argChoices);
  if (option?.attributeName() === "profile") return { profilesOf: config };
  return /[<[](?:path|file)[>\]]/.test(option?.flags ?? "") ? "files" : [];
}

function flagsOf(command: Command): Suggestion {
  const options = command.createHelp().visibleOptions(command);
  return options.flatMap(({ long, description }) => {
    // The first sentence, without the facts in brackets behind it.
    const [summary = ""] = description.split(/ \(|; /, 1);
    return long ? [{ word: long, summary }] : [];
  });
}

/** Suggestions for the next argument; null if the command takes no more. */
function argumentsOf({ command, operands }: Position): Suggestion | null {
  if (command.commands.length > 0) {
    if (operands.length > 0) return null;
    const visible = command.createHelp().visibleCommands(command);
    return visible.map((one) => ({ word: one.name(), summary: one.summary() || one.description() }));
  }
  const declared = command.registeredArguments;
  const argument = declared[operands.length] ?? declared.findLast(({ variadic }) => variadic);
  if (argument?.argChoices) return words(argument.argChoices);
  if (!takesCommand(command)) return null;
  return operands.length === 0 ? "commands" : "files";
}

/** Suggests words for `current`, the word at the cursor, unfiltered; for `--flag=` the value alone. */
export function suggest(program: Command, before: readonly string[], current: string): Suggestion {
  const position = positionOf(program, before);
  const { command, option, optionsEnded } = position;
  if (option?.required) return valuesOf(option, position);
  if (optionsEnded) return argumentsOf(position) ?? [];
  const [, flag] = /^(--[^=]+)=/.exec(current) ?? [];
  if (flag !== undefined) return valuesOf(optionOf(command, flag), position);
  if (current.startsWith("-")) return flagsOf(command);
  // An optional value cannot be suggested. If no argument can follow either, suggest the flags.
  return argumentsOf(position) ?? flagsOf(command);
}

/** The position of the cursor on the command line, from the words before it. */
export interface Position {
  readonly command: Command;
  /** The option whose value comes next; null if none. */
  readonly option: Option | null;
  /** The arguments of the command before the cursor. */
  readonly operands: readonly string[];
  /** True after `--` and in the command of `emulator`: later words are not options. */
  readonly optionsEnded: boolean;
  /** The value of `--config`; false after `--no-config`. */
  readonly config: string | false | undefined;
}

/** The option with this long flag, including `--help`. */
function optionOf(command: Command, flag: string): Option | null {
  const options = command.createHelp().visibleOptions(command);
  return options.find(({ long }) => long === flag) ?? null;
}

/** Whether the command runs another command: its first argument starts that one, and later options belong to it. */
function takesCommand({ registeredArguments }: Command): boolean {
  const [first] = registeredArguments;
  return first?.name() === "command" && first.variadic;
}

/** Reads the words like the program: subcommands, flags with and without values, `--`. Ignores unknown flags. */
function positionOf(program: Command, words: readonly string[]): Position {
  let command = program;
  let option: Option | null = null;
  let optionsEnded = false;
  const operands: string[] = [];
  let config: Position["config"];
  const given = (found: Option, value: string | false): void => {
    if (found.attributeName() === "config") config = value;
  };
  for (const word of words) {
    const waiting: Option | null = option;
    option = null;
    if (waiting?.required) given(waiting, word);
    // A word after an option with an optional value is its value, unless it looks like a flag.
    else if (waiting !== null && !word.startsWith("-")) continue;
    else if (!optionsEnded && word === "--") optionsEnded = true;
    else if (!optionsEnded && word.startsWith("-")) {
      const [, flag = word, value] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [];
      const found = optionOf(command, flag);
      if (found?.negate) given(found, false);
      else if (found !== null && value !== undefined) given(found, value);
      else if (found?.required || found?.optional) option = found;
    } else {
      const child: Command | undefined = command.commands.find((one) => one.name() === word);
      if (child !== undefined && operands.length === 0) command = child;
      else operands.push(word);
      optionsEnded ||= operands.length > 0 && takesCommand(command);
    }
  }
  return { command, option, operands, optionsEnded, config };
}
