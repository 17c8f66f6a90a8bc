import { expect, test } from "vitest";
import {
  environmentLevel,
  environmentProxySecrets,
  type Level,
  levelOf,
  secretTexts,
  withoutConflict,
} from "../../src/settings/levels.ts";
import type { Settings } from "../../src/settings/resolve.ts";
import { flagLevel } from "../../src/settings/run-settings.ts";
import type { Trust } from "../../src/settings/source.ts";
import {
  alternatives,
  definitionOf,
  flagOf,
  type SettingName,
  settingNames,
} from "../../src/settings/table.ts";
import { file, runOf, settingsOf, variables } from "./settings-of.ts";

const both = alternatives.flatMap((all) => all.flatMap((one) => all.map((other) => [one, other] as const)));
test.each(both)("one level sets %s or %s", (one, other) => {
  const given = (setting: SettingName) =>
    ({ setting, text: "x", source: { kind: "flag", flag: setting } }) as const;
  const level = levelOf([given(one), given(other)]);
  const checked = () => withoutConflict(level, "usage");
  if (one === other) return expect(checked()).toBe(level);
  const message = expect.stringMatching(/^\w+ and \w+ set the same thing$/);
  expect(checked).toThrow(expect.objectContaining({ kind: "usage", message, hint: "Keep one of the two" }));
});

test("the level of flags leaves out a flag without a value, and names each flag", () => {
  expect([...flagLevel({ token: true, secret: "s", username: "", json: "x" }).values()]).toEqual([
    { setting: "username", text: "", source: { kind: "flag", flag: "--username" } },
    { setting: "secret", text: "s", source: { kind: "flag", flag: "--secret" } },
  ]);
  const twice = () => flagLevel({ token: "t", tokenFile: "f" });
  expect(twice).toThrow(expect.objectContaining({ kind: "usage" }));
});

test("the level of the environment has every variable but the proxy's, and an empty one counts as unset", () => {
  const names = settingNames.flatMap((name) => definitionOf(name).variables);
  const all = environmentLevel(Object.fromEntries(names.map((name) => [name, `of ${name}`])));
  const wanted = settingNames.flatMap((setting) => {
    const [variable] = definitionOf(setting).variables;
    const given = { setting, text: `of ${variable}`, source: { kind: "environment", variable } };
    return setting === "proxy" || variable === undefined ? [] : [[setting, given]];
  });
  expect([...all]).toEqual(wanted);
  expect(environmentLevel(Object.fromEntries(names.map((name) => [name, ""]))).size).toBe(0);
});

test("the secrets of a level are token, secret and a proxy's password, not a file or a command", () => {
  const source = { kind: "default" } as const;
  const level = levelOf(settingNames.map((setting) => ({ setting, text: setting, source })));
  expect(secretTexts([level])).toEqual(["token", "secret"]);
});

const asWritten = ["p%40ss%2Fw", "me:p%40ss%2Fw", "p@ss/w", "me:p@ss/w"];
test.each<[string, readonly string[]]>([
  ["http://user:password@host:3128", ["password", "user:password"]],
  ["user:password@host", ["password", "user:password"]],
  ["http://user:123/password@host:3128", ["123/password", "user:123/password"]],
  ["http://user:pa@ss@host", ["pa@ss", "user:pa@ss"]],
  ["https://me:p%40ss%2Fw@host", asWritten],
  ["http://me:100%@host", ["100%", "me:100%"]],
  ["http://:password@host", ["password", ":password"]],
  ["http://user@host:3128", []],
  ["http://user:@host:3128", []],
  ["host:3128", []],
])("the password of a proxy as it is written and decoded, alone and with its user: %s", (proxy, secrets) => {
  expect(secretTexts([flagLevel({ proxy })])).toEqual(secrets);
  // Each variable counts, whatever the base URL.
  for (const name of definitionOf("proxy").variables)
    expect(environmentProxySecrets({ [name]: proxy })).toEqual(secrets);
  const texts = [...secrets, ...secrets.map((text) => Buffer.from(text).toString("base64"))];
  const { shared } = runOf({ variables: { HTTPS_PROXY: proxy } });
  for (const redact of [shared.redactor(), runOf({ flags: { proxy } }).shared.redactor()])
    for (const text of texts) expect(redact(`X-Squid-Error: ${text}`)).not.toContain(text);
});

const rc = (setting: SettingName, text: string, trust: Trust = "yours") => file(trust, { [setting]: text });
const read = (name: SettingName, ...levels: readonly Level[]) => settingsOf(levels).value(name);
const valueIn = <Name extends SettingName>(settings: Settings, name: Name) => settings.get(name).value;

test.each(settingNames)("%s has its default if it is not set, or null", (name) => {
  const { given, value } = settingsOf([]).get(name);
  const { fallback = null } = definitionOf(name);
  expect([given?.text ?? null, given?.source.kind]).toEqual([
    fallback,
    fallback === null ? undefined : "default",
  ]);
  expect(value).toEqual(fallback === null ? null : definitionOf(name).parse(fallback));
});

test.each(["token", "secret"] as const)("a file above the %s hides it, and the other way round", (name) => {
  const file = `${name}File` as const;
  const [value, path] = [rc(name, "value"), rc(file, "./path")];
  const above = settingsOf([path, value]);
  expect([valueIn(above, name), valueIn(above, file)]).toEqual([null, "./path"]);
  expect(above.get(name).given?.text).toBe("./path");
  const below = settingsOf([value, path]);
  expect([valueIn(below, name)?.reveal(), valueIn(below, file)]).toEqual(["value", null]);
  expect(below.texts(name).map(({ text }) => text)).toEqual(["value", "./path"]);
});

const wholeHint = "Write a whole number like 5";
test.each([
  [
    "timeout",
    ["0.001", "86400", "2.5", "1.123456789"],
    ["0", "0.0009", "86400.1", "86401", "1.", ".5", "1.1234567890", "0000000001", "1e1", "-1", "5 s"],
    ["is not a number from 0.001 to 86400", "Write a number like 5"],
  ],
  [
    "retry",
    ["0", "100"],
    ["101", "-1", "1.5", "0000000001", "one", "", " 1", "1 ", "0x1"],
    ["is not a whole number from 0 to 100", wholeHint],
  ],
  [
    "maxWait",
    ["0", "0.5", "86400"],
    ["-1", "86401"],
    ["is not a number from 0 to 86400", "Write a number like 5"],
  ],
  ["concurrency", ["1", "1000"], ["0", "1001", "2.0"], ["is not a whole number from 1 to 1000", wholeHint]],
] as const)("%s can be any of %j, and none of %j", (name, valid, invalid, [problem, hint]) => {
  const source = { kind: "flag", flag: flagOf(name) };
  for (const text of valid)
    expect(settingsOf([flagLevel({ [name]: text })]).get(name)).toMatchObject({
      value: Number(text),
      given: { source },
    });
  const message = `${name} in /yours/.referralrc, line 3 ${problem}`;
  const refusal = { value: null, problem: { kind: "settings", message, hint } };
  for (const text of invalid)
    expect(settingsOf([rc(name, text)]).get(name), text).toMatchObject({ given: { text }, ...refusal });
});

test.each([
  ["sha512", null],
  ["sha-256", "Write one of them"],
  ["whirlpool", "Write one of them"],
])("a choice is one of its list: %s", (text, hint) => {
  const { value, problem } = settingsOf([rc("hash", text)]).get("hash");
  if (hint === null) return expect([value, problem]).toEqual([text, null]);
  const message = "hash in /yours/.referralrc, line 3 is not one of sha1, sha256, sha512";
  expect([value, problem]).toMatchObject([null, { message, hint }]);
});

test.each([
  ["timeout", "x", "usage"],
  ["hash", "x", "usage"],
  ["baseUrl", "x", "settings"],
  ["token", "a ", "settings"],
] as const)("%s %j is wrong usage only as the number or choice of a flag", (name, text, kind) => {
  expect(() => read(name, flagLevel({ [name]: text }))).toThrow(expect.objectContaining({ kind }));
  for (const level of [variables({ [name]: text }), rc(name, text)])
    expect(() => read(name, level)).toThrow(expect.objectContaining({ kind: "settings" }));
});

const edge = "begins or ends with white space";
test.each([
  ["baseUrl", variables({ baseUrl: "x" }), "REFERRAL_BASEURL does not begin with https:// or http://"],
  ["username", variables({ username: "m\u00fc" }), "The username from REFERRAL_USERNAME contains a control"],
  [
    "username",
    variables({ username: "x".repeat(1_001) }),
    "The username from REFERRAL_USERNAME has more than 1000 characters",
  ],
  ["username", rc("username", " me"), `The username in /yours/.referralrc, line 3 ${edge}`],
  ["secret", variables({ secret: " s" }), `The secret from REFERRAL_SECRET ${edge}`],
] as const)("an invalid %s names its source and the problem, not the value", (name, level, start) => {
  const message = expect.stringContaining(start);
  expect(() => read(name, level)).toThrow(expect.objectContaining({ kind: "settings", message }));
});

test("a username may have 1,000 characters", () => {
  const username = "x".repeat(1_000);
  expect(read("username", variables({ username }))).toBe(username);
});
