import type { Command, Option } from "commander";
import { optionOf, type Position, positionOf, takesCommand } from "./position.ts";

/** A word to suggest, and its meaning. */
export interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/**
 * What to suggest at the cursor. The shell itself completes files and commands. Profiles are those of the rc file that
 * `--config` names, or of the one that is found.
 */
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

/**
 * Suggests words for `current`, the word at the cursor, from the declared commands and options. For `--flag=` it suggests
 * the value without the flag. It does not filter by the typed text.
 */
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
