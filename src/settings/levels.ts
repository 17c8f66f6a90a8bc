import { InputError } from "../errors.ts";
import { describeSource, type Source } from "./source.ts";
import { alternatives, definitionOf, flagOf, type SettingName, settingNames } from "./table.ts";

/** A value as it was written, and where it was set. */
export interface SettingText {
  readonly setting: SettingName;
  readonly text: string;
  readonly source: Source;
  /** In a YAML file, the value has no quotes and a comment follows it. */
  readonly commentFollows?: true;
}

/** What one level sets: the flags, the environment, an account, the top level of the rc file, or a program's options. */
export type Level = ReadonlyMap<SettingName, SettingText>;

/** The secrets that these levels set. It reads no file. */
export function secretTexts(levels: readonly Level[]): readonly string[] {
  const texts: string[] = [];
  for (const level of levels)
    for (const { setting, text } of level.values())
      if (definitionOf(setting).kind === "secret") texts.push(text);
  return texts;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of flags by setting; `true` for `--token` without a value, which sets nothing. */
export type FlagValues = Partial<Record<SettingName, string | true>>;

/** Returns the level. Throws InputError if it sets one thing in two ways, such as a token and a file that holds it. */
export function withoutConflict(level: Level, kind: InputError["kind"]): Level {
  for (const names of alternatives) {
    const [one, other] = names.flatMap((name) => level.get(name) ?? []);
    if (one && other) {
      const message = `${describeSource(one.source)} and ${describeSource(other.source)} set the same thing`;
      throw new InputError(kind, message, "Keep one of the two");
    }
  }
  return level;
}

/** Makes a level of these values. */
export function levelOf(given: readonly SettingText[]): Level {
  return new Map(given.map((one) => [one.setting, one]));
}

/** What the flags set. Throws InputError as `withoutConflict` does. */
export function flagLevel(values: FlagValues): Level {
  const given = settingNames.flatMap((setting): SettingText[] => {
    const text = values[setting];
    return typeof text === "string"
      ? [{ setting, text, source: { kind: "flag", flag: flagOf(setting) } }]
      : [];
  });
  return withoutConflict(levelOf(given), "usage");
}

/** What the first of these variables that is set gives a setting; null if none is set. An empty variable counts as unset. */
export function variableFor(
  setting: SettingName,
  variables: readonly string[],
  environment: Environment,
): SettingText | null {
  for (const variable of variables) {
    const text = environment[variable];
    if (text) return { setting, text, source: { kind: "environment", variable } };
  }
  return null;
}

/** What the environment sets, except the proxy, which depends on the base URL. */
export function environmentLevel(environment: Environment): Level {
  return levelOf(
    settingNames
      .filter((name) => name !== "proxy")
      .flatMap((name) => variableFor(name, definitionOf(name).variables, environment) ?? []),
  );
}

/** Each setting with its alternatives. */
const namesFor: ReadonlyMap<SettingName, readonly SettingName[]> = new Map(
  settingNames.map((name) => [name, alternatives.find((group) => group.includes(name)) ?? [name]]),
);

/**
 * The values of a setting and of its alternatives, highest level first. The first one counts and hides the others: a token
 * hides the token file of a lower level, and a token file hides the token.
 */
export function textsFor(levels: readonly Level[], name: SettingName): readonly SettingText[] {
  const names = namesFor.get(name) ?? [];
  return levels.flatMap((level) => names.flatMap((one) => level.get(one) ?? []));
}

/** The first of `textsFor`. Each check asks about 30 times, so this makes no list. */
export function textFor(levels: readonly Level[], name: SettingName): SettingText | undefined {
  for (const level of levels)
    for (const one of namesFor.get(name) ?? []) {
      const given = level.get(one);
      if (given !== undefined) return given;
    }
  return undefined;
}

/** The text that counts for a setting; null if none is set, or if one of its alternatives counts. */
export function winnerOf(levels: readonly Level[], name: SettingName): SettingText | null {
  const winner = textFor(levels, name);
  return winner?.setting === name ? winner : null;
}
