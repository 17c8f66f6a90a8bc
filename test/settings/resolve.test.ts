import { expect, test } from "vitest";
import {
  environmentLevel,
  environmentProxySecrets,
  levelOf,
  secretTexts,
} from "../../src/settings/levels.ts";
import type { Settings } from "../../src/settings/resolve.ts";
import { flagLevel } from "../../src/settings/run-settings.ts";
import type { Trust } from "../../src/settings/source.ts";
import { definitionOf, type SettingName, settingNames } from "../../src/settings/table.ts";
import { file, runOf, settingsOf } from "./settings-of.ts";

test("the level of flags leaves out a flag without a value, and names each flag", () => {
  const others = { json: "x", wsse: true } as const;
  expect([...flagLevel({ token: true, secret: "s", username: "", ...others }).values()]).toEqual([
    { setting: "username", text: "", source: { kind: "flag", flag: "--username" } },
    { setting: "secret", text: "s", source: { kind: "flag", flag: "--secret" } },
  ]);
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
  ["https://me:p%40ss%2Fw@host", asWritten],
  ["http://me:100%@host", ["100%", "me:100%"]],
  ["http://:password@host", ["password", ":password"]],
  ["http://user@host:3128", []],
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
