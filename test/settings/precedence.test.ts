import { describe, expect, test } from "vitest";
import { environmentLevel } from "../../src/settings/levels.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { flagLevel, RunSettings } from "../../src/settings/run-settings.ts";
import { definitionOf, flagOf, type SettingName, settingNames } from "../../src/settings/table.ts";
import { arranged, isCredential, type Level, levels, pairs, precedence } from "./levels.ts";

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

/** What a setting is if these levels set it. */
function resolved(name: SettingName, setting: readonly Level[], profileChosen: boolean) {
  const { flags, environment, rc } = arranged(
    setting.map((level) => ({ name, level, value: values(name)[level] })),
  );
  // Which variable names the proxy depends on the base URL.
  const variables = { ...(name === "proxy" && { REFERRAL_BASE_URL: "https://api.example" }), ...environment };
  const run = new RunSettings({
    flags: flagLevel(flags),
    environment: environmentLevel(variables),
    variables,
    rc: parseRc(Buffer.from(JSON.stringify(rc)), "/rc", "yours"),
    profiles: [profileChosen ? "p" : null],
  });
  return run.of({ profile: profileChosen ? "p" : null, own: null });
}

/** The source at a level. */
function sourceOf(name: SettingName, level: Level): object {
  if (level === "flag") return { kind: "flag", flag: flagOf(name) };
  if (level === "environment")
    return {
      kind: "environment",
      variable: name === "proxy" ? "HTTPS_PROXY" : definitionOf(name).variables[0],
    };
  return { kind: "rc", file: "/rc", key: name, trust: "yours" };
}

describe.each([
  ["without a profile", false],
  ["with a profile", true],
])("%s", (_, profileChosen) => {
  const cases = flagged.flatMap((name) => pairs.map((pair) => ({ name, pair })));

  test.each(cases)("$name at $pair: the higher one counts and hides the lower", ({ name, pair }) => {
    const settings = resolved(name, pair, profileChosen);
    const order = precedence(name, profileChosen).filter((level) => pair.includes(level));

    const [winner] = order;
    expect(settings.get(name).given?.text ?? null).toBe(
      winner === undefined ? (definitionOf(name).fallback ?? null) : values(name)[winner],
    );
    expect(settings.texts(name).map(({ source }) => source)).toMatchObject(
      order.map((level) => sourceOf(name, level)),
    );
    const isUnused = profileChosen && isCredential(name) && pair.includes("environment");
    expect([...settings.scope.unused.keys()]).toEqual(isUnused ? [name] : []);
  });
});
