import { InputError } from "../errors.ts";
import { isInvalid } from "./definition.ts";
import type { SettingText } from "./levels.ts";
import { describePart, describeSource } from "./source.ts";
import { definitionOf, type SettingName, type Values } from "./table.ts";

/** The error of a value that cannot be used; `problem` is the end of a sentence. */
export function invalid(
  { setting, source }: Pick<SettingText, "setting" | "source">,
  problem: string,
  hint: string,
): InputError {
  // An invalid number or choice in a flag is a usage error. Everything else is an invalid setting.
  const { kind } = definitionOf(setting);
  const usage = source.kind === "flag" && (kind === "number" || kind === "choice");
  const isPart = kind === "secret" || kind === "text";
  const place = isPart ? `The ${describePart(setting, source)}` : describeSource(source);
  return new InputError(usage ? "usage" : "settings", `${place} ${problem}`, hint);
}

/** Parses a value, or says why it cannot be used. */
export function parsed<Name extends SettingName>(name: Name, given: SettingText): Values[Name] | InputError {
  const value = definitionOf(name).parse(given.text);
  return isInvalid(value) ? invalid(given, value.problem, value.hint) : value;
}

/** The default of a setting; null if it has none. */
export function defaultOf(setting: SettingName): SettingText | null {
  const { fallback } = definitionOf(setting);
  return fallback === undefined ? null : { setting, text: fallback, source: { kind: "default" } };
}
