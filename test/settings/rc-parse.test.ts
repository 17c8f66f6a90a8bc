import { describe, expect, test } from "vitest";
import type { Level } from "../../src/settings/levels.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { settingNames } from "../../src/settings/table.ts";

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

  test.each(["", "\n", "# Nothing.\n", "---\n", "null", "~", "{}"])("that is %j sets nothing", (text) => {
    expect(parse(text)).toEqual({ path: "/rc", trust: "yours", top: new Map(), profiles: new Map() });
  });

  test("may begin with a byte order mark, have CRLF and name its schema", () => {
    expect(linesOf(parse('\ufeff$schema: ./x.json\r\ntoken: "t"\r\n').top)).toEqual([["token", "t", 2]]);
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

  test.each(["1e5", "0x10", "~", "null", "true"])("needs quotes around the text %s", (word) => {
    expect(parse(`username: "${word}"`).top.get("username")?.text).toBe(word);
    expect(() => parse(`username: ${word}`)).toThrow("line 1 sets username to something that is not text");
  });

  test.each(["yes", "2026-11-21", "a"])(
    "takes the bare word %s for text in YAML, and not in JSON",
    (word) => {
      expect(parse(`username: ${word}`).top.get("username")?.text).toBe(word);
      expect(() => parse(`{"username": ${word}}`, "/rc.json")).toThrow("line 1 is not valid JSON or YAML");
    },
  );
});

const known = `Known keys: ${[...settingNames, "profiles"].join(", ")}`;

test.each([
  [Buffer.from("token: \xff", "latin1"), " is not UTF-8 text", "Save it as UTF-8 text"],
  ["a: 1\n---\nb: 2\n", " holds several YAML documents", "Keep one document in it"],
  ["a: 1\nb: [\n", ", line 3 is not valid JSON or YAML", "Check the quotes, colons and indentation there"],
  [
    "token: !unknown t",
    ", line 1 is not valid JSON or YAML",
    "Check the quotes, colons and indentation there",
  ],
  ["- token", ", line 1 is not a mapping of keys to values", 'Write lines like "baseUrl: https://…"'],
  ["token", ", line 1 is not a mapping of keys to values", 'Write lines like "baseUrl: https://…"'],
  ["username: a\n1: t", ", line 2 has a key that is not text", "Write it in quotes"],
  ["? [a]\n: t", ", line 1 has a key that is not text", "Write it in quotes"],
  ['"": t', ", line 1 has a key that is not text", "Write it in quotes"],
  ["token: a\ntoken: b", ", line 2 sets token twice", "Keep one of the two"],
  ["profiles:\n  a: {}\n  a: {}", ", line 3 sets a twice", "Keep one of the two"],
  ["profiles:\n  a:\n    token: a\n    token: b", ", line 4 sets token twice", "Keep one of the two"],
  ["tokne: t", ", line 1 has the unknown key tokne", "Did you mean token?"],
  ["profile: {}", ", line 1 has the unknown key profile", "Did you mean profiles?"],
  ["c0ffee11deadbeef22: t", ", line 1 has an unknown key", known],
  ["profiles:\n  c0ffee11: {}\n  c0ffee11: {}", ", line 3 sets the same key twice", "Keep one of the two"],
  ["insecureHttp: true", ", line 1 has the unknown key insecureHttp", known],
  [
    "profiles: { a: { profiles: {} } }",
    ", line 1 has the key profiles in a profile",
    "Write it at the top level of the file",
  ],
  ["profiles: { a: { tokne: t } }", ", line 1 has the unknown key tokne", "Did you mean token?"],
  ["token: 1", ", line 1 sets token to something that is not text", 'Write it in quotes: token: "…"'],
  ["token: [t]", ", line 1 sets token to something that is not text", 'Write it in quotes: token: "…"'],
  ["token:", ", line 1 sets token to something that is not text", 'Write it in quotes: token: "…"'],
  ["a: &x t\ntoken: *x", ", line 1 has the unknown key a", known],
  [
    "username: &x t\ntoken: *x",
    ", line 2 sets token to something that is not text",
    'Write it in quotes: token: "…"',
  ],
  ['retry: "1"', ", line 1 sets retry to something that is not a number", "Write a plain number: retry: 10"],
  [
    "username: a\nretry: many",
    ", line 2 sets retry to something that is not a number",
    "Write a plain number: retry: 10",
  ],
  ['token: ""', ", line 1 sets token to an empty text", "Give token a value, or delete the line"],
  [
    "token: t\nprofiles: x",
    ", line 2 sets profiles to something that is not a mapping",
    "Write a name and, below it, its keys",
  ],
  [
    "profiles:",
    ", line 1 sets profiles to something that is not a mapping",
    "Write a name and, below it, its keys",
  ],
  ["profiles:\n  a: x", ", line 2 has a profile that is not a mapping", "Write its keys below its name"],
  ["profiles:\n  a: [x]", ", line 2 has a profile that is not a mapping", "Write its keys below its name"],
])("%j is refused: the rc file%s", (text, problem, hint) => {
  const message = `The rc file /rc${problem}`;
  expect(() => parse(text)).toThrow(expect.objectContaining({ kind: "settings", message, hint }));
});
