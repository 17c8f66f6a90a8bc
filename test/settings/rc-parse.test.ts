import { expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import type { Level } from "../../src/settings/levels.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { profileLevel } from "../../src/settings/run-settings.ts";
import type { Source } from "../../src/settings/source.ts";
import { definitionOf, profileKeys, settingNames } from "../../src/settings/table.ts";

const parse = (text: string | Uint8Array, path = "/rc") =>
  parseRc(Buffer.from(text as string), path, "yours");
/** What a level sets: each setting, its text and its line. */
const linesOf = (level: Level | undefined) =>
  [...(level?.values() ?? [])].map((given) => `${given.setting} ${given.text} ${lineOf(given.source)}`);
const lineOf = (source: Source) => ("line" in source ? source.line : null);

test("an rc file sets text and numbers, each with its line", () => {
  const { top } = parse("# A remark.\nusername: a\n\ntimeout: 2.5\nretry: 0\n");
  expect(linesOf(top)).toEqual(["username a 2", "timeout 2.5 4", "retry 0 5"]);
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
  expect(parse(text)).toEqual({ path: "/rc", trust: "yours", top: new Map(), profiles: new Map() });
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

// What YAML reads as something else than text: an account's secret may look like each of them.
const looksElse = "1e5 12345 0x1F 0o17 007 .5 -1 .inf .NaN true FALSE [a] {a:}".split(" ");
test.each(looksElse)("the text %s needs quotes, at the top level and in a profile", (word) => {
  expect(parse(`username: "${word}"`).top.get("username")?.text).toBe(word);
  for (const before of ["", "profiles:\n  p:\n    "])
    expect(() => parse(`${before}username: ${word}`)).toThrow("sets username to something that is not text");
});

test.each([...settingNames, "profiles"])("null for %s sets nothing, whoever wrote the file", (name) => {
  for (const word of ["null", "Null", "~"])
    for (const trust of ["yours", "found"] as const) {
      const { top, profiles } = parseRc(Buffer.from(`${name}: ${word}`), "/rc", trust);
      expect([top.size, profiles.size]).toEqual([0, 0]);
    }
  expect(parse(JSON.stringify({ [name]: null }), "/rc.json").top.size).toBe(0);
  if (profileKeys.some((key) => key === name))
    expect(parse(`profiles: { p: { ${name}: null } }`).profiles.get("p")?.size).toBe(0);
});

const texts = settingNames.filter((name) => !["number", "command"].includes(definitionOf(name).kind));
test.each(texts)("any %s needs quotes, and in JSON too", (name) => {
  const message = `line 1 sets ${name} to something that is not text`;
  for (const value of [12345, true, ["a"], { a: "b" }])
    expect(() => parse(JSON.stringify({ [name]: value }), "/rc.json")).toThrow(message);
});

const special = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__"];
test.each(special)("the key %s sets nothing, and can be the name of a profile", (key) => {
  const evil = `{ "${key}": { "polluted": "yes" } }`;
  const inProfile = `{ "profiles": { "p": ${evil} } }`;
  for (const text of [evil, inProfile, `{ "profiles": { "p": { "token": ${evil} } } }`])
    expect(() => parse(text)).toThrow(InputError);
  expect({}).not.toHaveProperty("polluted");
  const { profiles } = parse(`{ "profiles": { "${key}": { "token": "t" } } }`);
  expect([...profiles.keys()]).toEqual([key]);
  expect(profileLevel({ ...parse(""), profiles }, key).get("token")?.text).toBe("t");
  expect(() => profileLevel(parse('{ "profiles": { "p": {} } }'), key)).toThrow("no such profile");
});

test.each([
  [1_000, null],
  [1_001, "The rc file /rc has a profile of more than 1000 characters"],
])("a profile whose name has %i characters fails alone: %s", (length, problem) => {
  const rc = parse(`profiles:\n  "${"a".repeat(length)}": { token: t }\n  b: { token: u }`);
  expect(profileLevel(rc, "b").get("token")?.text).toBe("u");
  const long = () => profileLevel(rc, "a".repeat(length));
  if (problem === null) expect(long().get("token")?.text).toBe("t");
  else expect(long).toThrow(problem);
});

test.each(["yes", "2026-11-21", "a"])("the bare word %s is text in YAML, and not in JSON", (word) => {
  expect(parse(`username: ${word}`).top.get("username")?.text).toBe(word);
  expect(() => parse(`{"username": ${word}}`, "/rc.json")).toThrow("line 1 is not valid JSON or YAML");
});
