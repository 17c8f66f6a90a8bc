import { describe, expect, test } from "vitest";
import {
  environmentLevel,
  flagLevel,
  type Level,
  levelOf,
  secretTexts,
  textsFor,
  withoutConflict,
} from "../../src/settings/levels.ts";
import type { Sources } from "../../src/settings/load.ts";
import { levelsFor, precedenceOf, runPrecedence } from "../../src/settings/precedence.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { alternatives, definitionOf, type SettingName, settingNames } from "../../src/settings/table.ts";

const rc = parseRc(
  Buffer.from("baseUrl: https://top.example\ntoken: top\nprofiles: { p: { token: profile } }"),
  "/rc",
  "yours",
);

const environment = {
  REFERRAL_TOKEN: "variable",
  REFERRAL_USERNAME: "me",
  REFERRAL_SECRET: "variable",
  REFERRAL_TIMEOUT: "9",
};

/** The sources of a run. */
const sources = (more: Partial<Sources> = {}): Sources => ({
  flags: flagLevel({ retry: "1" }),
  environment: environmentLevel(environment),
  variables: environment,
  rc,
  profiles: [null],
  ...more,
});

const textOf = (levels: readonly Level[], name: SettingName) =>
  textsFor(levels, name).map(({ text }) => text);

describe("the levels", () => {
  test("of no account are the flags, the environment and the top level of the rc file", () => {
    const { levels, accountChosen, unused, hasProfiles } = precedenceOf(sources(), null);
    expect(levels).toEqual([flagLevel({ retry: "1" }), environmentLevel(environment), rc.top]);
    expect([accountChosen, unused.size, hasProfiles]).toEqual([false, 0, true]);
    expect(textOf(levels, "token")).toEqual(["variable", "top"]);
  });

  test("of a profile have it before the rc file's top level, and no credential of the environment", () => {
    const { levels, accountChosen, unused, hasProfiles } = precedenceOf(sources(), "p");
    expect(textOf(levels, "token")).toEqual(["profile", "top"]);
    expect([...(levels[3]?.keys() ?? [])]).toEqual(["timeout"]);
    expect([...unused.keys()].toSorted()).toEqual(["secret", "token", "username"]);
    expect([levels.length, accountChosen, hasProfiles]).toEqual([4, true, true]);
  });

  test("of a run without an rc file have no profiles", () => {
    const { levels, hasProfiles } = precedenceOf(sources({ rc: null }), null);
    expect([hasProfiles, levels.at(-1)?.size]).toEqual([false, 0]);
  });

  test("of the whole run are those of an account only if every account is chosen", () => {
    expect(runPrecedence(sources()).accountChosen).toBe(false);
    expect(runPrecedence(sources({ profiles: ["p"] })).accountChosen).toBe(true);
    expect(textOf(runPrecedence(sources({ profiles: ["p"] })).levels, "token")).toEqual(["top"]);
    expect(runPrecedence(sources({ profiles: [] })).accountChosen).toBe(true);
  });

  test("hold the environment's proxy for the base URL that counts", () => {
    const variables = { https_proxy: "http://proxy.example" };
    const proxies = (more: Partial<Sources>) =>
      textOf(levelsFor(sources({ variables, ...more }), null).levels, "proxy");
    expect(proxies({})).toEqual(["http://proxy.example"]);
    expect(proxies({ rc: null })).toEqual([]);
    expect(proxies({ flags: flagLevel({ baseUrl: "nonsense" }) })).toEqual([]);
    expect(proxies({ flags: flagLevel({ baseUrl: "http://127.0.0.1" }) })).toEqual([]);
    const account = levelOf([]);
    expect(textOf(levelsFor(sources({ variables }), account).levels, "proxy")).toEqual([
      "http://proxy.example",
    ]);
  });

  test("of no account may not set one thing in two ways in the environment; those of an account may, unused", () => {
    const twice = environmentLevel({ REFERRAL_TOKEN: "a", REFERRAL_TOKEN_FILE: "b" });
    expect(() => levelsFor(sources({ environment: twice }), null)).toThrow(
      expect.objectContaining({
        kind: "settings",
        message: "REFERRAL_TOKEN and REFERRAL_TOKEN_FILE set the same thing",
      }),
    );
    expect(levelsFor(sources({ environment: twice }), levelOf([])).unused.size).toBe(2);
  });
});

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
    expect([...flagLevel({ token: true, secret: "s", username: "" }).values()]).toEqual([
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
