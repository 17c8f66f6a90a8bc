import { describe, expect, test } from "vitest";
import type { Settings } from "../../src/settings/resolve.ts";
import {
  credentialNames,
  definitionOf,
  flagOf,
  profileKeys,
  type SettingName,
  settingNames,
} from "../../src/settings/table.ts";
import { runOf } from "./settings-of.ts";

/** Where a setting can be set. */
const levels = ["flag", "environment", "profile", "top"] as const;
type Level = (typeof levels)[number];

/** Every two levels. */
const pairs = levels.flatMap((one, index) => levels.slice(index + 1).map((other) => [one, other] as const));

/** The levels that count for a setting, highest first. */
function precedence(name: SettingName, profileChosen: boolean): readonly Level[] {
  if (!profileChosen) return ["flag", "environment", "top"];
  return credentialNames.has(name) ? ["flag", "profile", "top"] : ["flag", "profile", "top", "environment"];
}

/** A valid value of a setting for each level. */
function textAt(name: SettingName, level: Level): string {
  const { kind, choices = [] } = definitionOf(name);
  const index = levels.indexOf(level);
  if (kind === "url") return `https://${level}.example/`;
  if (kind === "number") return String(11 + index);
  return kind === "choice" ? String(choices[index % choices.length]) : level;
}

const variableOf = (name: SettingName) =>
  name === "proxy" ? "HTTPS_PROXY" : String(definitionOf(name).variables[0]);

/** The source at a level. */
function sourceOf(name: SettingName, level: Level): object {
  if (level === "flag") return { kind: "flag", flag: flagOf(name) };
  if (level === "environment") return { kind: "environment", variable: variableOf(name) };
  return { kind: "rc", file: "/rc", key: name, trust: "yours" };
}

/** The settings if these stand at these levels, and the variables are set besides. */
function settingsWith(
  placed: ReadonlyArray<readonly [SettingName, Level]>,
  profileChosen: boolean,
  more: Readonly<Record<string, string>> = {},
): Settings {
  const at = (wanted: Level, keyOf: (name: SettingName) => string = (name) => name) =>
    Object.fromEntries(
      placed.flatMap(([name, level]) => (level === wanted ? [[keyOf(name), textAt(name, level)]] : [])),
    );
  // In an rc file a number has no quotes.
  const rc = JSON.stringify({ ...at("top"), profiles: { p: at("profile") } }).replace(/"(\d+)"/g, "$1");
  const profile = profileChosen ? "p" : null;
  const variables = { ...more, ...at("environment", variableOf) };
  return runOf({ flags: at("flag"), variables, rc, profiles: [profile] }).of({ profile, own: null });
}

describe.each([
  ["without a profile", false],
  ["with a profile", true],
])("%s", (_, profileChosen) => {
  // Commands can be set in an rc file alone.
  const flagged = settingNames.filter((name) => flagOf(name) !== "");

  // A profile cannot set the longest pause.
  const isAllowed = (name: SettingName, level: Level) => level !== "profile" || profileKeys.includes(name);

  test.each(
    flagged.flatMap((name) =>
      pairs.filter((pair) => pair.every((level) => isAllowed(name, level))).map((pair) => ({ name, pair })),
    ),
  )("$name at $pair: the higher one counts and hides the lower", ({ name, pair }) => {
    // Which variable names the proxy depends on the base URL.
    const more = name === "proxy" ? { REFERRAL_BASE_URL: "https://api.example" } : {};
    const placed = pair.map((level) => [name, level] as const);
    const settings = settingsWith(placed, profileChosen, more);
    const order = precedence(name, profileChosen).filter((level) => pair.includes(level));
    const [winner] = order;
    const value = winner === undefined ? (definitionOf(name).fallback ?? null) : textAt(name, winner);
    expect(settings.get(name).given?.text ?? null).toBe(value);
    const sources = order.map((level) => sourceOf(name, level));
    expect(settings.texts(name).map(({ source }) => source)).toMatchObject(sources);
    const isUnused = profileChosen && credentialNames.has(name) && pair.includes("environment");
    expect([...settings.scope.unused.keys()]).toEqual(isUnused ? [name] : []);
  });

  const both = pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);
  const secrets = ["secret", "secretFile"] as const;

  test.each(both.flatMap(([one, other]) => secrets.map((name) => [one, name, other] as const)))(
    "a token at %s, a %s at %s: all levels name methods, or with a profile the first that names one",
    (tokenAt, name, secretAt) => {
      const placed = [["token", tokenAt] as const, [name, secretAt] as const];
      const methods = settingsWith(placed, profileChosen).methods.toSorted();
      const named = precedence("token", profileChosen).flatMap((level) => [
        ...(level === tokenAt ? ["token"] : []),
        ...(level === secretAt ? ["wsse"] : []),
      ]);
      expect(methods).toEqual((profileChosen ? named.slice(0, 1) : named).toSorted());
    },
  );
});

test.each([
  ["flag", ["token"], ["token"]],
  ["environment", ["token"], ["token"]],
  ["profile", ["token"], ["wsse"]],
  ["top", ["token", "wsse"], ["token", "wsse"]],
] as const)("a username alone names WSSE only in a file: %s", (level, methods, ofProfile) => {
  const placed = [["token", "top"] as const, ["username", level] as const];
  expect(settingsWith(placed, false).methods).toEqual(methods);
  expect(settingsWith(placed, true).methods).toEqual(ofProfile);
});
