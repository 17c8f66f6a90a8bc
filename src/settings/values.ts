import { InputError } from "../errors.ts";
import { masked } from "../redaction/redact.ts";
import { shownCommand } from "./command.ts";
import { type Level, type SettingText, textsFor } from "./levels.ts";
import { didYouMean } from "./nearest.ts";
import { describeSource, type Source } from "./source.ts";
import { definitionOf, type NameWithDefault, type SettingName, settings } from "./table.ts";

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

function winnerOrDefault(layers: readonly Level[], name: NameWithDefault): SettingText {
  const standard = { setting: name, text: settings[name].fallback, source: { kind: "default" } } as const;
  return winnerOf(layers, name) ?? standard;
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
