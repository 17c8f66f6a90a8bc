import { InputError } from "../errors.ts";
import { masked } from "../redaction/redact.ts";
import { fieldValueProblem } from "../wsse/header.ts";
import { shownCommand } from "./command.ts";
import { type Level, type SettingText, textsFor } from "./levels.ts";
import { didYouMean } from "./nearest.ts";
import { describePart, describeSource, type Source } from "./source.ts";
import { definitionOf, type NameWithDefault, type SettingName } from "./table.ts";

/** A value that has been understood, and where it was set. */
export interface Setting<Value> {
  readonly value: Value;
  /** How it may be shown, apart from a secret that stands in the wrong place (`config` looks for those). */
  readonly shown: string;
  readonly source: Source;
}

/** The mistake of a value that cannot be used; `problem` is the end of a sentence. */
export function invalid({ setting, source }: SettingText, problem: string, hint: string): InputError {
  // A flag's number or choice is read by the command line's own rules; everything else is about the setting.
  const { kind } = definitionOf(setting);
  const usage = source.kind === "flag" && (kind === "number" || kind === "choice");
  return new InputError(usage ? "usage" : "settings", `${describeSource(source)} ${problem}`, hint);
}

/** What counts for a setting; null where that is nothing, or its alternative. */
export function winnerOf(layers: readonly Level[], name: SettingName): SettingText | null {
  const winner = textsFor(layers, name)[0];
  return winner?.setting === name ? winner : null;
}

function winnerOrDefault(layers: readonly Level[], name: NameWithDefault): SettingText;
function winnerOrDefault(layers: readonly Level[], name: SettingName): SettingText | null;
function winnerOrDefault(layers: readonly Level[], name: SettingName): SettingText | null {
  const { fallback } = definitionOf(name);
  const standard: SettingText | null =
    fallback === undefined ? null : { setting: name, text: fallback, source: { kind: "default" } };
  return winnerOf(layers, name) ?? standard;
}

/** What a text must be: why one cannot be used (null if it can), and what to do about it. */
interface TextRule {
  readonly problemOf: (text: string) => string | null;
  readonly hint: string;
}

const fieldValue: TextRule = { problemOf: fieldValueProblem, hint: "Write it in printable ASCII characters" };

type NullUnlessDefault<Name extends SettingName> = Name extends NameWithDefault ? never : null;

/**
 * A setting that is a text which a header carries; null if it is not set and has no default. Throws InputError for a text
 * that breaks the rule.
 */
export function textSetting<Name extends SettingName>(
  layers: readonly Level[],
  name: Name,
  { problemOf, hint }: TextRule = fieldValue,
): Setting<string> | NullUnlessDefault<Name> {
  const given: SettingText | null = winnerOrDefault(layers, name);
  if (given === null) return null as NullUnlessDefault<Name>;
  const { text, source } = given;
  const problem = problemOf(text);
  if (problem !== null)
    throw new InputError("settings", `The ${describePart(name, source)} ${problem}`, hint);
  return { value: text, shown: text, source };
}

/** A setting that is a number. Throws InputError where what is set is none, or out of bounds. */
export function numberSetting(layers: readonly Level[], name: NameWithDefault): Setting<number> {
  const given = winnerOrDefault(layers, name);
  const { text, source } = given;
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, fraction = false } = definitionOf(name);
  const wellFormed = (fraction ? /^\d{1,9}(?:\.\d{1,9})?$/ : /^\d{1,9}$/).test(text);
  const value = Number(text);
  if (!wellFormed || value < minimum || value > maximum) {
    const what = fraction ? "a number" : "a whole number";
    throw invalid(
      given,
      `is not ${what} from ${minimum} to ${maximum}`,
      `Write ${what} like ${Math.max(minimum, 5)}`,
    );
  }
  return { value, shown: text, source };
}

/** A setting with a fixed list of values. Throws InputError for any other. */
export function choiceSetting<Choice extends string>(
  layers: readonly Level[],
  name: NameWithDefault,
  choices: readonly Choice[],
): Setting<Choice> {
  const given = winnerOrDefault(layers, name);
  const value = choices.find((choice) => choice === given.text);
  if (value === undefined) {
    throw invalid(
      given,
      `is not one of ${choices.join(", ")}`,
      didYouMean(given.text, choices) || "Write one of them",
    );
  }
  return { value, shown: value, source: given.source };
}

/** A path, command or secret as it was written. What it stands for is read when it is needed. Null if none is set. */
export function writtenSetting(layers: readonly Level[], name: SettingName): Setting<SettingText> | null {
  const given = winnerOf(layers, name);
  if (given === null) return null;
  const { text, source } = given;
  const { kind } = definitionOf(name);
  const shown = kind === "secret" ? masked : kind === "command" ? shownCommand(text) : text;
  return { value: given, shown, source };
}
