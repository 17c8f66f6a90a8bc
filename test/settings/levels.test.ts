import { describe, expect, test } from "vitest";
import {
  environmentLevel,
  holdSecret,
  levelOf,
  secretTexts,
  withoutConflict,
} from "../../src/settings/levels.ts";
import { flagLevel } from "../../src/settings/run-settings.ts";
import { alternatives, definitionOf, type SettingName, settingNames } from "../../src/settings/table.ts";

describe("one level", () => {
  test.each(
    alternatives.flatMap((names) => names.flatMap((one) => names.map((other) => [one, other] as const))),
  )("that sets %s and %s", (one, other) => {
    const given = (setting: SettingName) =>
      ({ setting, text: "x", source: { kind: "flag", flag: setting } }) as const;
    const level = levelOf([given(one), given(other)]);
    const checked = () => withoutConflict(level, "usage");
    if (one === other) return expect(checked()).toBe(level);
    expect(checked).toThrow(
      expect.objectContaining({
        kind: "usage",
        message: expect.stringMatching(/^\w+ and \w+ set the same thing$/),
        hint: "Keep one of the two",
      }),
    );
  });

  test("of flags leaves out a flag without a value, and names each flag", () => {
    expect([...flagLevel({ token: true, secret: "s", username: "", json: "x" }).values()]).toEqual([
      { setting: "username", text: "", source: { kind: "flag", flag: "--username" } },
      { setting: "secret", text: "s", source: { kind: "flag", flag: "--secret" } },
    ]);
    expect(() => flagLevel({ token: "t", tokenFile: "f" })).toThrow(
      expect.objectContaining({ kind: "usage" }),
    );
  });

  test("of the environment has every variable but the proxy's, and an empty one counts as unset", () => {
    const names = settingNames.flatMap((name) => definitionOf(name).variables);
    const all = environmentLevel(Object.fromEntries(names.map((name) => [name, `of ${name}`])));
    const wanted = settingNames.filter((name) => name !== "proxy" && definitionOf(name).variables.length > 0);
    expect([...all.keys()]).toEqual(wanted);
    for (const { setting, text, source } of all.values()) {
      const [variable] = definitionOf(setting).variables;
      expect([text, source]).toEqual([`of ${variable}`, { kind: "environment", variable }]);
    }
    expect(environmentLevel(Object.fromEntries(names.map((name) => [name, ""]))).size).toBe(0);
  });
});

test("the secrets among values are tokens and secrets, not the files or commands that give them", () => {
  const source = { kind: "default" } as const;
  const level = levelOf(settingNames.map((setting) => ({ setting, text: setting, source })));
  expect(secretTexts([level])).toEqual(["token", "secret"]);
});

test.each([
  [{ token: "t" }, true],
  [{ tokenFile: "t" }, false],
  [{ proxy: "http://user:password@host:3128" }, true],
  [{ proxy: "user:password@host" }, true],
  [{ proxy: "http://user:123/password@host:3128" }, true],
  [{ proxy: "http://user@host:3128" }, false],
  [{ proxy: "http://host:3128" }, false],
  [{ proxy: "host:3128" }, false],
])("whether a level holds a secret: %j", (values, expected) => {
  expect(holdSecret([flagLevel(values)])).toBe(expected);
});
