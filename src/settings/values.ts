import { InputError } from "../errors.ts";
import { masked } from "../redaction/redact.ts";
import { fieldValueProblem } from "../wsse/header.ts";
import { shownCommand } from "./command.ts";
import { type Level, type SettingText, textsFor } from "./levels.ts";
import { didYouMean } from "./nearest.ts";
import { describePart, describeSource, type Source } from "./source.ts";
import { definitionOf, type NameWithDefault, type SettingName } from "./table.ts";

/** A parsed value, and where it was set. */
export interface Setting<Value> {
  readonly value: Value;
  /** The value as it may be shown. It can hold a secret that was set in the wrong place; `config` masks those. */
  readonly shown: string;
  readonly source: Source;
}

/** The error of a value that cannot be used; `problem` is the end of a sentence. */
export function invalid({ setting, source }: SettingText, problem: string, hint: string): InputError {
  // An invalid number or choice in a flag is a usage error. Everything else is an invalid setting.
  const { kind } = definitionOf(setting);
  const usage = source.kind === "flag" && (kind === "number" || kind === "choice");
  return new InputError(usage ? "usage" : "settings", `${describeSource(source)} ${problem}`, hint);
}

/** The text that counts for a setting; null if none is set, or if one of its alternatives counts. */
export function winnerOf(levels: readonly Level[], name: SettingName): SettingText | null {
  const winner = textsFor(levels, name)[0];
  return winner?.setting === name ? winner : null;
}

function winnerOrDefault(levels: readonly Level[], name: NameWithDefault): SettingText;
function winnerOrDefault(levels: readonly Level[], name: SettingName): SettingText | null;
function winnerOrDefault(levels: readonly Level[], name: SettingName): SettingText | null {
  const { fallback } = definitionOf(name);
  const standard: SettingText | null =
    fallback === undefined ? null : { setting: name, text: fallback, source: { kind: "default" } };
  return winnerOf(levels, name) ?? standard;
}

/** A rule for a text: why the text is invalid (null if it is valid), and what to do about it. */
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
  levels: readonly Level[],
  name: Name,
  { problemOf, hint }: TextRule = fieldValue,
): Setting<string> | NullUnlessDefault<Name> {
  const given: SettingText | null = winnerOrDefault(levels, name);
  if (given === null) return null as NullUnlessDefault<Name>;
  const { text, source } = given;
  const problem = problemOf(text);
  if (problem !== null)
    throw new InputError("settings", `The ${describePart(name, source)} ${problem}`, hint);
  return { value: text, shown: text, source };
}

/** A setting that is a number. Throws InputError for anything else, and for a number out of bounds. */
export function numberSetting(levels: readonly Level[], name: NameWithDefault): Setting<number> {
  const given = winnerOrDefault(levels, name);
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
  levels: readonly Level[],
  name: NameWithDefault,
  choices: readonly Choice[],
): Setting<Choice> {
  const given = winnerOrDefault(levels, name);
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

/** A path, command or secret as it was written. Files are read and commands run only when needed. Null if none is set. */
export function writtenSetting(levels: readonly Level[], name: SettingName): Setting<SettingText> | null {
  const given = winnerOf(levels, name);
  if (given === null) return null;
  const { text, source } = given;
  const { kind } = definitionOf(name);
  const shown = kind === "secret" ? masked : kind === "command" ? shownCommand(text) : text;
  return { value: given, shown, source };
}
