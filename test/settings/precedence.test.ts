import { describe, expect, test } from "vitest";
import type { Settings } from "../../src/settings/resolve.ts";
import {
  credentialNames,
  definitionOf,
  flagOf,
  keyOf,
  profileKeys,
  type SettingName,
  settingNames,
} from "../../src/settings/table.ts";
import { runOf } from "./settings-of.ts";

/** Where a setting can be set. */
const levels = ["flag", "environment", "profile", "top"] as const;
type Level = (typeof levels)[number];

const variableOf = (name: SettingName) =>
  name === "proxy" ? "HTTPS_PROXY" : String(definitionOf(name).variables[0]);

/** A valid value of a setting for each level. */
function textAt(name: SettingName, level: Level): string {
  const { kind, choices = [] } = definitionOf(name);
  const index = levels.indexOf(level);
  if (kind === "url") return `https://${level}.example/`;
  if (kind === "number") return String(11 + index);
  return kind === "choice" ? String(choices[index % choices.length]) : level;
}

/** The settings if these stand at these levels. */
function settingsWith(
  placed: ReadonlyArray<readonly [SettingName, Level]>,
  profileChosen: boolean,
  more: Readonly<Record<string, string>> = {},
): Settings {
  const at = (wanted: Level, written: (name: SettingName) => string = keyOf) =>
    Object.fromEntries(
      placed.flatMap(([name, level]) => (level === wanted ? [[written(name), textAt(name, level)]] : [])),
    );
  // In an rc file a number has no quotes.
  const rc = JSON.stringify({ ...at("top"), profiles: { p: at("profile") } }).replace(/"(\d+)"/g, "$1");
  const profile = profileChosen ? "p" : null;
  const variables = { ...more, ...at("environment", variableOf) };
  return runOf({ flags: at("flag"), variables, rc, profiles: [profile] }).of({ profile, own: null });
}

// Commands can be set in an rc file alone.
const flagged = settingNames.filter((name) => flagOf(name) !== "");

/** The levels that count for a setting, highest first. A profile cannot set the longest pause. */
function precedence(name: SettingName, profileChosen: boolean): readonly Level[] {
  if (!profileChosen) return ["flag", "environment", "top"];
  const order: readonly Level[] = ["flag", "profile", "top", "environment"];
  return order.filter((level) =>
    level === "environment" ? !credentialNames.has(name) : level !== "profile" || profileKeys.includes(name),
  );
}

describe.each([
  ["without a profile", false],
  ["with a profile", true],
])("%s", (_, profileChosen) => {
  test.each(flagged)("%s at every level: the highest counts and hides the others, in their order", (name) => {
    const possible = levels.filter((level) => level !== "profile" || profileKeys.includes(name));
    // Which variable names the proxy depends on the base URL.
    const more = name === "proxy" ? { REFERRAL_BASE_URL: "https://api.example" } : {};
    const order = precedence(name, profileChosen);
    // Less each level in turn, the highest of the others counts.
    for (const [index] of order.entries()) {
      const left = possible.filter((level) => !order.slice(0, index).includes(level));
      const settings = settingsWith(
        left.map((level) => [name, level]),
        profileChosen,
        more,
      );
      expect(settings.texts(name).map(({ text }) => text)).toEqual(
        order.slice(index).map((level) => textAt(name, level)),
      );
      expect(settings.get(name).given?.text).toBe(textAt(name, order[index] ?? "top"));
      const isUnused = profileChosen && credentialNames.has(name);
      expect([...settings.scope.unused.keys()]).toEqual(isUnused ? [name] : []);
    }
  });

  const pairs = levels.flatMap((one) => levels.map((other) => [one, other] as const));
  test.each(pairs)(
    "a token at %s, a secret at %s: all levels name methods, or with a profile the first that names one",
    (tokenAt, secretAt) => {
      const placed = [["token", tokenAt] as const, ["secret", secretAt] as const];
      const methods = settingsWith(placed, profileChosen).methods.toSorted();
      const named = precedence("token", profileChosen).flatMap((level) => [
        ...(level === tokenAt ? ["token"] : []),
        ...(level === secretAt ? ["wsse"] : []),
      ]);
      const first = named.length > 0 && tokenAt === secretAt ? named : named.slice(0, 1);
      expect(methods).toEqual((profileChosen ? first : named).toSorted());
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
