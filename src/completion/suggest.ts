// What can stand at the cursor, from the declared commands and options. It reads no file.

import type { Command } from "commander";
import type { Options } from "../settings/run-settings.ts";

/** What to suggest: words and their meanings. The shell completes files and commands; profiles are those of the rc file that `--config` chooses. */
type Suggestion =
  | ReadonlyArray<Readonly<Record<"word" | "summary", string>>>
  | "files"
  | "commands"
  | { readonly profilesOf: Options["config"] };

const words = (names: readonly string[]): Suggestion => names.map((word) => ({ word, summary: "" }));

function valuesOf(flag: string | undefined, command: Command): Suggestion {
  const option = command.options.find(({ long }) => long === flag);
  if (option?.argChoices !== undefined) return words(option.argChoices);
  if (option?.attributeName() === "profile") return { profilesOf: command.opts<Options>().config };
  return /[<[](?:path|file)[>\]]/.test(option?.flags ?? "") ? "files" : [];
}

function suggestedFlags(command: Command): Suggestion {
  const options = command.createHelp().visibleOptions(command);
  return options.flatMap(({ long, description }) => {
    // The first sentence, without the facts in brackets behind it.
    const [summary = ""] = description.split(/ \(|; /, 1);
    return long ? [{ word: long, summary }] : [];
  });
}

/** Suggestions for the next argument; null if the command takes no more. A command has at most one, and the emulator's is a list. */
function argumentsOf({ registeredArguments: [argument] }: Command, isFirst: boolean): Suggestion | null {
  if (argument?.variadic) return isFirst ? "commands" : "files";
  return isFirst && argument?.argChoices ? words(argument.argChoices) : null;
}

// A flag of no command: the parser's answer tells what may stand at its place.
const cursor = "--cursor";

/** Suggests words for `current`, the word at the cursor, unfiltered; for `--flag=` the value alone. */
export function suggest(program: Command, [name, ...before]: readonly string[], current: string): Suggestion {
  const command = program.commands.find((one) => one.name() === name);
  if (command === undefined) {
    if (name !== undefined || current.startsWith("-")) return suggestedFlags(program);
    const visible = program.createHelp().visibleCommands(program);
    return visible.map((one) => ({ word: one.name(), summary: one.summary() || one.description() }));
  }
  // Commander's parsers throw for a wrong value. Here the options behind it count too.
  for (const option of command.options) option.argParser((text) => text);
  const { operands, unknown } = command.parseOptions([...before, cursor]);
  const isFirst = operands.length === 0 || operands[0] === cursor;
  if (operands.includes(cursor)) return argumentsOf(command, isFirst) ?? [];
  // Only an option that needs a value takes one that looks like a flag.
  if (!unknown.includes(cursor)) return valuesOf(before.at(-1), command);
  const [, flag] = /^(--[^=]+)=/.exec(current) ?? [];
  if (flag !== undefined) return valuesOf(flag, command);
  if (current.startsWith("-")) return suggestedFlags(command);
  // An optional value cannot be suggested. If no argument can follow either, suggest the flags.
  return argumentsOf(command, isFirst) ?? suggestedFlags(command);
}
