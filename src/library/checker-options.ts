// Reads the options of a checker as texts of settings, so that the settings' own rules refuse them.

import { wrongSettings } from "../errors.ts";
import { numberOption, textOption } from "../options/readers.ts";
import type { Method } from "../settings/definition.ts";
import { flagWords } from "../settings/fix.ts";
import { certificatesIn } from "../settings/inputs.ts";
import { type Level, levelOf, type SettingText } from "../settings/levels.ts";
import { Settings, scopeOf } from "../settings/resolve.ts";
import type { Source } from "../settings/source.ts";
import { definitionOf, type SettingName } from "../settings/table.ts";
import type { CheckerOptions } from "./public-options.ts";

/** The certificates as one text, which is empty for an empty list. */
function certificateOption(option: string, given: unknown): string {
  if (!Array.isArray(given)) throw wrongSettings(`${option} is not a list`, "Give an array of PEM texts");
  const texts = [...given].map((one: unknown, index) => {
    const source: Source = { kind: "option", option: `${option}[${index}]` };
    const text = textOption(source.option, one);
    // This throws for a text that holds no certificate, and names its place in the list.
    certificatesIn({ setting: "extraCertificates", source, text });
    return text;
  });
  return texts.join("\n");
}

const example = "Give the URL of the API without /test-authentication, like https://api.example.com/v1";

/** The setting of each option, and how the option is read as its text. */
const rows: Readonly<
  Record<
    Exclude<keyof CheckerOptions, "insecureHttp">,
    readonly [setting: SettingName, read: typeof textOption]
  >
> = {
  baseUrl: ["baseUrl", textOption],
  [flagWords.timeoutSeconds.library]: ["timeoutSeconds", numberOption],
  [flagWords.retries.library]: ["retries", numberOption],
  proxy: ["proxy", textOption],
  [flagWords.extraCertificates.library]: ["extraCertificates", certificateOption],
};

/** The fields of CheckerOptions. */
export const checkerFields: readonly string[] = [...Object.keys(rows), "insecureHttp"];

const settingText = (setting: SettingName, option: string, text: string): SettingText => ({
  setting,
  text,
  source: { kind: "option", option },
});

/** The settings of a checker. Throws InputError for an option that is missing or invalid. */
export function settingsOfChecker(fields: Readonly<Record<string, unknown>>): Settings {
  if (fields.baseUrl === undefined) throw wrongSettings("baseUrl is missing", example);
  const texts = Object.entries(rows)
    .filter(([option]) => fields[option] !== undefined)
    .map(([option, [setting, read]]) => settingText(setting, option, read(option, fields[option])));
  // An empty list of certificates counts as no option.
  const level = levelOf(texts.filter(({ text }) => text !== ""));
  const resolved = new Settings(scopeOf([level], "library"));
  for (const name of level.keys()) resolved.value(name);
  return resolved;
}

/** The settings of a credential. The source of a default is its option, so that a fix names that option. */
export function accountLevel(method: Method, given: readonly SettingText[]): Level {
  const defaults = (["digest", "hash", "authorization"] as const).map((name) =>
    settingText(name, flagWords[name].library, definitionOf(name).fallback ?? ""),
  );
  return levelOf([...(method === "wsse" ? defaults : []), ...given]);
}
