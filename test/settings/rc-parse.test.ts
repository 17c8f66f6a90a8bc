import { describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import type { Level } from "../../src/settings/levels.ts";
import { profileLevel } from "../../src/settings/profiles.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { definitionOf, settingNames } from "../../src/settings/table.ts";

const parse = (text: string | Uint8Array, path = "/rc") =>
  parseRc(typeof text === "string" ? Buffer.from(text) : text, path, "yours");
/** What a level sets: each setting, its text and its line. */
const linesOf = (level: Level | undefined) =>
  [...(level?.values() ?? [])].map(({ setting, text, source }) => [
    setting,
    text,
    "line" in source && source.line,
  ]);

describe("an rc file", () => {
  test("sets text and numbers, each with its line", () => {
    expect(linesOf(parse("# A remark.\nusername: a\n\ntimeout: 2.5\nretry: 0\n").top)).toEqual([
      ["username", "a", 2],
      ["timeout", "2.5", 4],
      ["retry", "0", 5],
    ]);
  });

  test("holds profiles, which may be empty, in their order", () => {
    const { top, profiles } = parse(
      "profiles:\n  b: { token: t }\n  a:\n    token: t\n  c:\n  d: {}\ntoken: t\n",
    );
    expect([...profiles].map(([name, level]) => [name, linesOf(level)])).toEqual([
      ["b", [["token", "t", 2]]],
      ["a", [["token", "t", 4]]],
      ["c", []],
      ["d", []],
    ]);
    expect(linesOf(top)).toEqual([["token", "t", 7]]);
  });

  test("can list profiles by name alone", () => {
    expect([...parse("profiles: { a, b }").profiles]).toEqual([
      ["a", new Map()],
      ["b", new Map()],
    ]);
  });

  test.each(["", "\n", "\ufeff", "# Nothing.\n", "---\n", "null", "~", "{}"])(
    "that is %j sets nothing",
    (text) => {
      expect(parse(text)).toEqual({ path: "/rc", trust: "yours", top: new Map(), profiles: new Map() });
    },
  );

  test("may begin with a byte order mark, have CRLF and name its schema", () => {
    expect(linesOf(parse("\ufeff$schema: ./x.json\r\ntoken: t\r\n").top)).toEqual([["token", "t", 2]]);
    expect(linesOf(parse('{\n\t"token": "t"\n}').top)).toEqual([["token", "t", 2]]);
  });

  test.each([
    ["secret: abc #def", true],
    ["secret: abc\t# def", true],
    ["{ secret: abc #def\n}", true],
    ["profiles: { p: {\n  secret: abc #def\n  } }", true],
    ["secret: abc#def", false],
    ['secret: "abc" #def', false],
    ["secret: 'abc' # def", false],
    ["secret: abc\n  # def", false],
    ["secret: abc\n# def", false],
  ])("notes a comment behind a value without quotes: %j", (text, expected) => {
    const { top, profiles } = parse(text);
    const given = top.get("secret") ?? profiles.get("p")?.get("secret");
    expect(given).toBeDefined();
    expect(given?.commentFollows ?? false).toBe(expected);
  });

  // What YAML reads as something else than text: an account's secret may look like each of them.
  test.each([
    ...[
      "1e5",
      "12345",
      "0x1F",
      "0o17",
      "007",
      ".5",
      "-1",
      ".inf",
      ".NaN",
      "true",
      "FALSE",
      "null",
      "~",
      "[a]",
    ],
    "{a: b}",
  ])("needs quotes around the text %s, at the top level and in a profile", (word) => {
    expect(parse(`username: "${word}"`).top.get("username")?.text).toBe(word);
    for (const before of ["", "profiles:\n  p:\n    "])
      expect(() => parse(`${before}username: ${word}`)).toThrow(
        "sets username to something that is not text",
      );
  });

  test.each(settingNames.filter((name) => !["number", "command"].includes(definitionOf(name).kind)))(
    "needs quotes around any %s, and in JSON too",
    (name) => {
      const message = `line 1 sets ${name} to something that is not text`;
      for (const value of [12345, true, null, ["a"], { a: "b" }])
        expect(() => parse(JSON.stringify({ [name]: value }), "/rc.json")).toThrow(message);
      expect(() => parse(`${name}: 1e5`)).toThrow(message);
    },
  );

  const special = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__"];
  test.each(special)("sets nothing by the key %s, which can be the name of a profile", (key) => {
    const evil = `{ "${key}": { "polluted": "yes" } }`;
    for (const text of [
      evil,
      `{ "profiles": { "p": ${evil} } }`,
      `{ "profiles": { "p": { "token": ${evil} } } }`,
    ])
      expect(() => parse(text)).toThrow(InputError);
    expect({}).not.toHaveProperty("polluted");
    const { profiles } = parse(`{ "profiles": { "${key}": { "token": "t" } } }`);
    expect([...profiles.keys()]).toEqual([key]);
    expect(profileLevel({ ...parse(""), profiles }, key).get("token")?.text).toBe("t");
    expect(() => profileLevel(parse('{ "profiles": { "p": {} } }'), key)).toThrow("no such profile");
  });

  test.each(["yes", "2026-11-21", "a"])(
    "takes the bare word %s for text in YAML, and not in JSON",
    (word) => {
      expect(parse(`username: ${word}`).top.get("username")?.text).toBe(word);
      expect(() => parse(`{"username": ${word}}`, "/rc.json")).toThrow("line 1 is not valid JSON or YAML");
    },
  );
});
