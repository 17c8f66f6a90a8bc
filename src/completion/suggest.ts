import type { Command, Option } from "commander";
import { faultNames } from "../emulator/emulator-options.ts";
import { definitionOf, settingNames } from "../settings/table.ts";
import { optionOf, type Position, positionOf, takesCommand } from "./position.ts";

/** A word that could stand at the cursor, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/** What could stand at the cursor; the shell itself knows files and commands best. */
export type Suggestion =
  | { readonly kind: "words"; readonly candidates: readonly Candidate[] }
  | { readonly kind: "files" }
  | { readonly kind: "commands" };

/** Gives the names of the profiles, of the rc file that `--config` names or of the one that is found. */
export type ProfileNames = (config: Position["config"]) => Promise<readonly string[]>;

const nothing: Suggestion = { kind: "words", candidates: [] };

function words(names: readonly string[]): Suggestion {
  return { kind: "words", candidates: names.map((word) => ({ word, summary: "" })) };
}

/** The first sentence of a description, without the facts in brackets behind it. */
function summaryOf(description: string): string {
  return description.split(/ \(|; /, 1)[0] ?? "";
}

/** The names that are listed for an option: by the table of settings, or by the emulator. */
function choicesOf(option: Option): readonly string[] | undefined {
  const name = option.attributeName();
  if (name === "answer") return faultNames;
  const setting = settingNames.find((one) => one === name);
  return setting === undefined ? option.argChoices : definitionOf(setting).choices;
}

async function valuesOf(
  option: Option,
  { config }: Position,
  profileNames: ProfileNames,
): Promise<Suggestion> {
  const choices = choicesOf(option);
  if (choices !== undefined) return words(choices);
  if (option.attributeName() === "profile") return words(await profileNames(config));
  return /[<[](?:path|file)[>\]]/.test(option.flags) ? { kind: "files" } : nothing;
}

function flagsOf(command: Command): Suggestion {
  const options = command.createHelp().visibleOptions(command);
  const candidates = options.flatMap(({ long, description }) =>
    long ? [{ word: long, summary: summaryOf(description) }] : [],
  );
  return { kind: "words", candidates };
}

/** What an argument of the command can be; null where it takes no further one. */
function argumentsOf({ command, operands }: Position): Suggestion | null {
  if (command.commands.length > 0) {
    if (operands.length > 0) return null;
    const visible = command.createHelp().visibleCommands(command);
    return {
      kind: "words",
      candidates: visible.map((one) => ({ word: one.name(), summary: one.summary() || one.description() })),
    };
  }
  const declared = command.registeredArguments;
  const argument = declared[operands.length] ?? declared.findLast(({ variadic }) => variadic);
  if (argument?.argChoices) return words(argument.argChoices);
  if (!takesCommand(command)) return null;
  return { kind: operands.length === 0 ? "commands" : "files" };
}

/**
 * What could stand in place of `current`, after the words in front of it. All of it is read off the program itself.
 * A value behind `--flag=` is suggested without the flag. Candidates are not yet held against what is typed.
 */
export async function suggest(
  program: Command,
  before: readonly string[],
  current: string,
  profileNames: ProfileNames,
): Promise<Suggestion> {
  const position = positionOf(program, before);
  const { command, option, optionsEnded } = position;
  if (option?.required) return valuesOf(option, position, profileNames);
  if (optionsEnded) return argumentsOf(position) ?? nothing;
  const [, flag] = /^(--[^=]+)=/.exec(current) ?? [];
  if (flag !== undefined) {
    const inline = optionOf(command, flag);
    return inline === null ? nothing : valuesOf(inline, position, profileNames);
  }
  if (current.startsWith("-")) return flagsOf(command);
  // Nothing is known of an optional value; where no argument fits either, the flags are what can follow.
  return argumentsOf(position) ?? flagsOf(command);
}
