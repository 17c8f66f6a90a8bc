import { InputError } from "../errors.ts";
import { type Level, type SettingText, winnerOf } from "./levels.ts";
import { didYouMean } from "./nearest.ts";
import { describeSource, type Source } from "./source.ts";
import { definitionOf, type NameWithDefault, settings } from "./table.ts";

/** A parsed value, and where it was set. */
export interface Setting<Value> {
  readonly value: Value;
  readonly source: Source;
}

/** The error of a value that cannot be used; `problem` is the end of a sentence. */
export function invalid(
  { setting, source }: Pick<SettingText, "setting" | "source">,
  problem: string,
  hint: string,
): InputError {
  // An invalid number or choice in a flag is a usage error. Everything else is an invalid setting.
  const { kind } = definitionOf(setting);
  const usage = source.kind === "flag" && (kind === "number" || kind === "choice");
  return new InputError(usage ? "usage" : "settings", `${describeSource(source)} ${problem}`, hint);
}

/** The text that counts for a setting, or its default. */
export function winnerOrDefault(levels: readonly Level[], name: NameWithDefault): SettingText {
  const standard: SettingText = { setting: name, text: settings[name].fallback, source: { kind: "default" } };
  return winnerOf(levels, name) ?? standard;
}

/** A setting that is a number. Throws InputError for anything else, and for a number out of bounds. */
export function numberSetting(levels: readonly Level[], name: NameWithDefault): Setting<number> {
  const given = winnerOrDefault(levels, name);
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, fraction = false } = definitionOf(name);
  const wellFormed = (fraction ? /^\d{1,9}(?:\.\d{1,9})?$/ : /^\d{1,9}$/).test(given.text);
  const value = Number(given.text);
  if (!wellFormed || value < minimum || value > maximum) {
    const what = fraction ? "a number" : "a whole number";
    throw invalid(
      given,
      `is not ${what} from ${minimum} to ${maximum}`,
      `Write ${what} like ${Math.max(minimum, 5)}`,
    );
  }
  return { value, source: given.source };
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
  return { value, source: given.source };
}
