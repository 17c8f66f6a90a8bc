import type { Command, Option } from "commander";

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
export function optionOf(command: Command, flag: string): Option | null {
  const options = command.createHelp().visibleOptions(command);
  return options.find(({ long }) => long === flag) ?? null;
}

/** Whether the command runs another command: its first argument starts that one, and later options belong to it. */
export function takesCommand({ registeredArguments }: Command): boolean {
  const [first] = registeredArguments;
  return first?.name() === "command" && first.variadic;
}

/** Reads the words like the program: subcommands, flags with and without values, `--`. Ignores unknown flags. */
export function positionOf(program: Command, words: readonly string[]): Position {
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
