import { expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import type { Level } from "../../src/settings/levels.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { profileLevel } from "../../src/settings/run-settings.ts";
import type { Source } from "../../src/settings/source.ts";
import { definitionOf, keyOf, profileKeys, settingNames } from "../../src/settings/table.ts";

const parse = (text: string | Uint8Array, path = "/rc") =>
  parseRc(Buffer.from(text as string), path, "yours");
/** What a level sets: each setting, its text and its line. */
const linesOf = (level: Level | undefined) =>
  [...(level?.values() ?? [])].map((given) => `${given.setting} ${given.text} ${lineOf(given.source)}`);
const lineOf = (source: Source) => ("line" in source ? source.line : null);

test("an rc file sets text and numbers, each with its line", () => {
  const { top } = parse("# A remark.\nusername: a\n\ntimeout: 2.5\nretry: 0\n");
  expect(linesOf(top)).toEqual(["username a 2", "timeoutSeconds 2.5 4", "retries 0 5"]);
});

test("profiles may be empty and stand in their order, and can be listed by name alone", () => {
  const text = "profiles:\n  b: { token: t }\n  a:\n    token: t\n  c:\n  d: {}\ntoken: t\n";
  const { top, profiles } = parse(text);
  const found = [...profiles].map(([name, level]) => [name, ...linesOf(level)]);
  expect(found).toEqual([["b", "token t 2"], ["a", "token t 4"], ["c"], ["d"]]);
  expect(linesOf(top)).toEqual(["token t 7"]);
  expect([...parse("profiles: { a, b }").profiles]).toEqual(["a", "b"].map((name) => [name, new Map()]));
});

test.each(["", "\n", "\ufeff", "# Nothing.\n", "---\n", "null", "~", "{}"])("%j sets nothing", (text) => {
  expect(parse(text)).toEqual({
    path: "/rc",
    shown: "/rc",
    trust: "yours",
    top: new Map(),
    profiles: new Map(),
  });
});

test("an rc file may begin with a byte order mark, have CRLF, name its schema, and be JSON with tabs", () => {
  expect(linesOf(parse("\ufeff$schema: ./x.json\r\ntoken: t\r\n").top)).toEqual(["token t 2"]);
  expect(linesOf(parse('{\n\t"token": "t"\n}').top)).toEqual(["token t 2"]);
});

test.each([
  ["secret: abc #def", true],
  ["secret: abc\t# def", true],
  ["{ secret: abc #def\n}", true],
  ["profiles: { p: {\n  secret: abc #def\n  } }", true],
  ["secret: abc#def", false],
  ['secret: "abc" #def', false],
  ["secret: abc\n  # def", false],
])("a comment is noted behind a value without quotes: %j", (text, expected) => {
  const { top, profiles } = parse(text);
  const given = top.get("secret") ?? profiles.get("p")?.get("secret");
  expect(given).toBeDefined();
  expect(given?.commentFollows ?? false).toBe(expected);
});

test.each([...settingNames.map(keyOf), "profiles"])(
  "null for %s sets nothing, whoever wrote the file",
  (name) => {
    for (const word of ["null", "Null", "~"])
      for (const trust of ["yours", "found"] as const) {
        const { top, profiles } = parseRc(Buffer.from(`${name}: ${word}`), "/rc", trust);
        expect([top.size, profiles.size]).toEqual([0, 0]);
      }
    expect(parse(JSON.stringify({ [name]: null }), "/rc.json").top.size).toBe(0);
    if (profileKeys.some((key) => keyOf(key) === name))
      expect(parse(`profiles: { p: { ${name}: null } }`).profiles.get("p")?.size).toBe(0);
  },
);

test("a text needs quotes where YAML reads something else, and in JSON too", () => {
  for (const name of settingNames.filter(
    (name) => !["number", "command"].includes(definitionOf(name).kind),
  )) {
    const key = keyOf(name);
    expect(parse(`${key}: "1e5"`).top.get(name)?.text).toBe("1e5");
    expect(() => parse(`{"${key}": true}`, "/rc.json")).toThrow(`sets ${key} to something that is not text`);
  }
});

test.each(["__proto__", "constructor", "toString"])(
  "the key %s sets nothing, and can be the name of a profile",
  (key) => {
    const evil = `{ "${key}": { "polluted": "yes" } }`;
    const inProfile = `{ "profiles": { "p": ${evil} } }`;
    for (const text of [evil, inProfile, `{ "profiles": { "p": { "token": ${evil} } } }`])
      expect(() => parse(text)).toThrow(InputError);
    expect({}).not.toHaveProperty("polluted");
    const { profiles } = parse(`{ "profiles": { "${key}": { "token": "t" } } }`);
    expect([...profiles.keys()]).toEqual([key]);
    expect(profileLevel({ ...parse(""), profiles }, key).get("token")?.text).toBe("t");
    expect(() => profileLevel(parse('{ "profiles": { "p": {} } }'), key)).toThrow("no such profile");
  },
);

test("a profile whose name is too long fails alone", () => {
  const nameOf = (length: number) => "a".repeat(length);
  const rc = parse(`profiles: { ${nameOf(1_000)}: { token: t }, ${nameOf(1_001)}: {} }`);
  expect(profileLevel(rc, nameOf(1_000)).get("token")?.text).toBe("t");
  const problem = "The rc file /rc has a profile of more than 1000 characters";
  expect(() => profileLevel(rc, nameOf(1_001))).toThrow(problem);
});

test.each(["yes", "2026-11-21"])("the bare word %s is text in YAML, and not in JSON", (word) => {
  expect(parse(`username: ${word}`).top.get("username")?.text).toBe(word);
  expect(() => parse(`{"username": ${word}}`, "/rc.json")).toThrow(
    ":1:14 is not valid JSON: Unresolved plain scalar",
  );
});
