import type { Command, Option } from "commander";

/** Where the cursor is, as the words in front of it tell. */
export interface Position {
  readonly command: Command;
  /** The option that the next word is the value of; null where it is none's. */
  readonly option: Option | null;
  /** The arguments of the command so far. */
  readonly operands: readonly string[];
  /** After `--`, and in the command of `emulator`: no further word is an option. */
  readonly optionsEnded: boolean;
  /** What `--config` names; false after `--no-config`. */
  readonly config: string | false | undefined;
}

/** The option of this long flag, `--help` included. */
export function optionOf(command: Command, flag: string): Option | null {
  return (
    command
      .createHelp()
      .visibleOptions(command)
      .find(({ long }) => long === flag) ?? null
  );
}

/** Whether the command runs another one, which its first argument starts and to which later options belong. */
export function takesCommand({ registeredArguments }: Command): boolean {
  const [first] = registeredArguments;
  return first?.name() === "command" && first.variadic;
}

/** Reads the words as the program would read them: subcommands, flags with and without values, `--`. Unknown flags are let be. */
export function positionOf(program: Command, words: readonly string[]): Position {
  let command = program;
  let option: Option | null = null;
  let optionsEnded = false;
  let operands: readonly string[] = [];
  let config: Position["config"];
  const given = (name: string, value: string | false): void => {
    if (name === "config") config = value;
  };
  for (const word of words) {
    if (option?.required) {
      given(option.attributeName(), word);
      option = null;
      continue;
    }
    // An optional value is one unless it looks like a flag.
    const isOptionalValue: boolean = option !== null && !word.startsWith("-");
    option = null;
    if (isOptionalValue) continue;
    if (!optionsEnded && word === "--") {
      optionsEnded = true;
    } else if (!optionsEnded && word.startsWith("-")) {
      const [, flag = word, value] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [];
      const found = optionOf(command, flag);
      if (found?.negate) given(found.attributeName(), false);
      else if (found !== null && value !== undefined) given(found.attributeName(), value);
      else if (found?.required || found?.optional) option = found;
    } else {
      const child: Command | undefined = command.commands.find((one) => one.name() === word);
      if (child !== undefined && operands.length === 0) {
        command = child;
      } else {
        operands = [...operands, word];
        optionsEnded ||= takesCommand(command);
      }
    }
  }
  return { command, option, operands, optionsEnded, config };
}
