import type { Source } from "../../src/settings/source.ts";
import { definitionOf, flagOf, type SettingName } from "../../src/settings/table.ts";

/** Line 3 of an rc file, which sets this key. */
export const rcSource = (key: string): Source => ({
  kind: "rc",
  file: "/home/me/.referralrc",
  line: 3,
  key,
  trust: "yours",
});

/** Where a setting can be set. */
export const levels = ["flag", "environment", "profile", "top"] as const;
export type Level = (typeof levels)[number];

/** Every two levels. */
export const pairs: ReadonlyArray<readonly [Level, Level]> = levels.flatMap((first, index) =>
  levels.slice(index + 1).map((second): readonly [Level, Level] => [first, second]),
);

const credentials: readonly SettingName[] = ["token", "tokenFile", "username", "secret", "secretFile"];

export const isCredential = (name: SettingName): boolean => credentials.includes(name);

/** The levels that count for a setting, highest first. */
export function precedence(name: SettingName, profileChosen: boolean): readonly Level[] {
  if (!profileChosen) return ["flag", "environment", "top"];
  return isCredential(name) ? ["flag", "profile", "top"] : ["flag", "profile", "top", "environment"];
}

/** A value of a setting at one level. */
export interface Placed {
  readonly name: SettingName;
  readonly level: Level;
  readonly value: string;
}

/** The arguments, environment and rc file in which these values stand at these levels; the profile is named `p`. */
export function arranged(placed: readonly Placed[]): {
  readonly flags: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly rc: Readonly<Record<string, unknown>>;
} {
  const at = (wanted: Level): readonly Placed[] => placed.filter(({ level }) => level === wanted);
  const keys = (level: Level): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      at(level).map(({ name, value }) => [
        name,
        definitionOf(name).kind === "number" ? Number(value) : value,
      ]),
    );
  const variable = (name: SettingName): string =>
    name === "proxy" ? "HTTPS_PROXY" : (definitionOf(name).variables[0] ?? "");
  return {
    flags: Object.fromEntries(at("flag").map(({ name, value }) => [name, value])),
    args: at("flag").flatMap(({ name, value }) => [flagOf(name), value]),
    environment: Object.fromEntries(at("environment").map(({ name, value }) => [variable(name), value])),
    rc: { ...keys("top"), profiles: { p: keys("profile") } },
  };
}
