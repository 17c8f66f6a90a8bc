import { describe, expect, test } from "vitest";
import type { Level } from "../../src/settings/levels.ts";
import type { Settings } from "../../src/settings/resolve.ts";
import { flagLevel } from "../../src/settings/run-settings.ts";
import type { Trust } from "../../src/settings/source.ts";
import { definitionOf, flagOf, type SettingName, settingNames } from "../../src/settings/table.ts";
import { file, settingsOf, variables } from "./settings-of.ts";

const rc = (setting: SettingName, text: string, trust: Trust = "yours") => file(trust, { [setting]: text });

const read = (name: SettingName, ...levels: readonly Level[]) => settingsOf(levels).setting(name);
const valueIn = <Name extends SettingName>(settings: Settings, name: Name) =>
  settings.get(name).setting?.value ?? null;

describe("a setting that is not set", () => {
  test.each([
    ["digest", "text-nonce"],
    ["hash", "sha1"],
    ["authorization", "none"],
    ["timeout", 10],
    ["retry", 0],
    ["concurrency", 8],
  ] as const)("%s is %s by default", (name, value) => {
    expect(read(name)).toEqual({ value, source: { kind: "default" } });
    expect(settingsOf([]).valueOf(name)).toBe(value);
  });

  test.each(settingNames)("%s is null exactly if it has no default", (name) => {
    expect(read(name) === null).toBe(definitionOf(name).fallback === undefined);
  });
});

test.each(["token", "secret"] as const)(
  "a file named above the %s hides it, and the other way round",
  (name) => {
    const file = `${name}File` as const;
    const [value, path] = [rc(name, "value"), rc(file, "./path")];
    const above = settingsOf([path, value]);
    expect([valueIn(above, name), valueIn(above, file), above.winner(name)?.text]).toEqual([
      null,
      "./path",
      "./path",
    ]);
    const below = settingsOf([value, path]);
    expect([valueIn(below, name)?.reveal(), valueIn(below, file)]).toEqual(["value", null]);
    expect(below.texts(name).map(({ text }) => text)).toEqual(["value", "./path"]);
  },
);

describe("a number", () => {
  test.each([
    ["timeout", ["0.001", "86400", "2.5", "1.123456789"]],
    ["retry", ["0", "100"]],
    ["concurrency", ["1", "1000"]],
  ] as const)("%s can be any of %j", (name, texts) => {
    for (const text of texts)
      expect(read(name, flagLevel({ [name]: text }))).toEqual({
        value: Number(text),
        source: { kind: "flag", flag: flagOf(name) },
      });
  });

  const bounds = {
    timeout: ["is not a number from 0.001 to 86400", "Write a number like 5"],
    retry: ["is not a whole number from 0 to 100", "Write a whole number like 5"],
    concurrency: ["is not a whole number from 1 to 1000", "Write a whole number like 5"],
  } as const;

  test.each([
    [
      "timeout",
      ["0", "0.0009", "86400.1", "86401", "1.", ".5", "1.1234567890", "0000000001", "1e1", "-1", "5 s"],
    ],
    ["retry", ["101", "-1", "1.5", "0000000001", "one", "", " 1", "1 ", "0x1"]],
    ["concurrency", ["0", "1001", "2.0"]],
  ] as const)("%s cannot be any of %j", (name, texts) => {
    const [problem, hint] = bounds[name];
    for (const text of texts) {
      expect(settingsOf([rc(name, text)]).get(name), text).toMatchObject({
        given: { text },
        setting: null,
        problem: { kind: "settings", message: `${name} in /yours/.referralrc, line 3 ${problem}`, hint },
      });
    }
  });
});

test.each([
  ["sha512", null, null],
  [
    "sha-256",
    "hash in /yours/.referralrc, line 3 is not one of sha1, sha256, sha512",
    "Did you mean sha256?",
  ],
  ["whirlpool", "hash in /yours/.referralrc, line 3 is not one of sha1, sha256, sha512", "Write one of them"],
])("a choice is one of its list: %s", (text, message, hint) => {
  const { setting, problem } = settingsOf([rc("hash", text)]).get("hash");
  expect([setting?.value ?? null, problem?.message ?? null, problem?.hint ?? null]).toEqual([
    message === null ? text : null,
    message,
    hint,
  ]);
});

test.each([
  ["timeout", "x", "usage"],
  ["hash", "x", "usage"],
  ["baseUrl", "x", "settings"],
  ["proxy", "x y", "settings"],
  ["token", "a ", "settings"],
] as const)("%s %j is wrong usage only as the number or choice of a flag", (name, text, kind) => {
  expect(() => read(name, flagLevel({ [name]: text }))).toThrow(expect.objectContaining({ kind }));
  for (const level of [variables({ [name]: text }), rc(name, text)])
    expect(() => read(name, level)).toThrow(expect.objectContaining({ kind: "settings" }));
});

test.each([
  [
    "baseUrl",
    variables({ baseUrl: "api.example.com" }),
    "REFERRAL_BASEURL does not begin with https:// or http://",
  ],
  ["username", variables({ username: "m\u00fc" }), "The username from REFERRAL_USERNAME contains a control"],
  [
    "username",
    rc("username", " me"),
    "The username in /yours/.referralrc, line 3 begins or ends with white space",
  ],
  ["username", flagLevel({ username: 'a"b' }), 'The username from --username contains a " or \\'],
  ["secret", variables({ secret: " s" }), "The secret from REFERRAL_SECRET begins or ends with white space"],
] as const)("an invalid %s names its source and the problem, not the value", (name, level, message) => {
  expect(() => read(name, level)).toThrow(
    expect.objectContaining({ kind: "settings", message: expect.stringContaining(message) }),
  );
});

test("what a found rc file sets can be left out", () => {
  const yours = (...levels: readonly Level[]) => settingsOf(levels).yours("retry");
  const found = rc("retry", "4", "found");
  expect([yours(found), yours(found, rc("retry", "3")), yours(rc("retry", "3"), found), yours()]).toEqual([
    0, 3, 3, 0,
  ]);
  expect(() => yours(found, rc("retry", "x"))).toThrow("is not a whole number");
});
