import { describe, expect, test } from "vitest";
import {
  credentialNames,
  definitionOf,
  flagOf,
  type SettingName,
  settingNames,
} from "../../src/settings/table.ts";
import { type Level, levels, pairs, precedence, settingsWith, variableOf } from "./levels.ts";

// Commands can be set in an rc file alone.
const flagged = settingNames.filter((name) => flagOf(name) !== "");

/** A valid value of a setting for each level. */
function values(name: SettingName): Readonly<Record<Level, string>> {
  const { kind, choices = [] } = definitionOf(name);
  const [flag, environment, profile, top] =
    kind === "url"
      ? levels.map((level) => `https://${level}.example/`)
      : kind === "number"
        ? ["11", "12", "13", "14"]
        : kind === "choice"
          ? levels.map((_, index) => choices[index % choices.length])
          : levels;
  return { flag, environment, profile, top } as Record<Level, string>;
}

/** The source at a level. */
function sourceOf(name: SettingName, level: Level): object {
  if (level === "flag") return { kind: "flag", flag: flagOf(name) };
  if (level === "environment") return { kind: "environment", variable: variableOf(name) };
  return { kind: "rc", file: "/rc", key: name, trust: "yours" };
}

describe.each([
  ["without a profile", false],
  ["with a profile", true],
])("%s", (_, profileChosen) => {
  const cases = flagged.flatMap((name) => pairs.map((pair) => ({ name, pair })));

  test.each(cases)("$name at $pair: the higher one counts and hides the lower", ({ name, pair }) => {
    const placed = pair.map((level) => ({ name, level, value: values(name)[level] }));
    // Which variable names the proxy depends on the base URL.
    const more = name === "proxy" ? { REFERRAL_BASE_URL: "https://api.example" } : undefined;
    const settings = settingsWith(placed, profileChosen, more);
    const order = precedence(name, profileChosen).filter((level) => pair.includes(level));

    const [winner] = order;
    expect(settings.get(name).given?.text ?? null).toBe(
      winner === undefined ? (definitionOf(name).fallback ?? null) : values(name)[winner],
    );
    expect(settings.texts(name).map(({ source }) => source)).toMatchObject(
      order.map((level) => sourceOf(name, level)),
    );
    const isUnused = profileChosen && credentialNames.has(name) && pair.includes("environment");
    expect([...settings.scope.unused.keys()]).toEqual(isUnused ? [name] : []);
  });
});
