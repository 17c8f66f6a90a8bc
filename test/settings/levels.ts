import type { Settings } from "../../src/settings/resolve.ts";
import { credentialNames, definitionOf, type SettingName } from "../../src/settings/table.ts";
import { runOf } from "./settings-of.ts";

/** Where a setting can be set. */
export const levels = ["flag", "environment", "profile", "top"] as const;
export type Level = (typeof levels)[number];

/** Every two levels. */
export const pairs: ReadonlyArray<readonly [Level, Level]> = levels.flatMap((first, index) =>
  levels.slice(index + 1).map((second): readonly [Level, Level] => [first, second]),
);

/** The variable that names a setting here. */
export const variableOf = (name: SettingName): string =>
  name === "proxy" ? "HTTPS_PROXY" : (definitionOf(name).variables[0] ?? "");

/** The levels that count for a setting, highest first. */
export function precedence(name: SettingName, profileChosen: boolean): readonly Level[] {
  if (!profileChosen) return ["flag", "environment", "top"];
  return credentialNames.has(name) ? ["flag", "profile", "top"] : ["flag", "profile", "top", "environment"];
}

/** A value of a setting at one level. */
export interface Placed {
  readonly name: SettingName;
  readonly level: Level;
  readonly value: string;
}

/** The settings if these values stand at these levels, and the variables are set besides; the profile is named `p`. */
export function settingsWith(
  placed: readonly Placed[],
  profileChosen: boolean,
  more: Readonly<Record<string, string>> = {},
): Settings {
  const at = (wanted: Level) => placed.filter(({ level }) => level === wanted);
  const keys = (level: Level) =>
    Object.fromEntries(
      at(level).map(({ name, value }) => [
        name,
        definitionOf(name).kind === "number" ? Number(value) : value,
      ]),
    );
  const variables = at("environment").map(({ name, value }) => [variableOf(name), value]);
  const profile = profileChosen ? "p" : null;
  const run = runOf({
    flags: Object.fromEntries(at("flag").map(({ name, value }) => [name, value])),
    variables: { ...more, ...Object.fromEntries(variables) },
    rc: JSON.stringify({ ...keys("top"), profiles: { p: keys("profile") } }),
    profiles: [profile],
  });
  return run.of({ profile, own: null });
}
