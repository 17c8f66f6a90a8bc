import { describe, expect, test } from "vitest";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { definitionOf, settingNames } from "../../src/settings/table.ts";

const parse = (text: string | Uint8Array, path = "/rc") =>
  parseRc(typeof text === "string" ? Buffer.from(text) : text, path);
const token = (line: number) => ({ setting: "token", text: "t", key: "token", line });

describe("an rc file", () => {
  test("sets text and numbers, each with its line", () => {
    expect(parse("# A remark.\nusername: a\n\ntimeout: 2.5\nretry: 0\n").entries).toEqual([
      { setting: "username", text: "a", key: "username", line: 2 },
      { setting: "timeout", text: "2.5", key: "timeout", line: 4 },
      { setting: "retry", text: "0", key: "retry", line: 5 },
    ]);
  });

  test("holds profiles, which may be empty, in their order", () => {
    const { entries, profiles } = parse(
      "profiles:\n  b: { token: t }\n  a:\n    token: t\n  c:\n  d: {}\ntoken: t\n",
    );
    expect([...profiles]).toEqual([
      ["b", [token(2)]],
      ["a", [token(4)]],
      ["c", []],
      ["d", []],
    ]);
    expect(entries).toEqual([token(7)]);
  });

  test("can list profiles by name alone", () => {
    expect([...parse("profiles: { a, b }").profiles]).toEqual([
      ["a", []],
      ["b", []],
    ]);
  });

  test.each(["", "\n", "# Nothing.\n", "---\n", "null", "~", "{}"])("that is %j sets nothing", (text) => {
    expect(parse(text)).toEqual({ entries: [], profiles: new Map(), holdsSecret: false });
  });

  test("may begin with a byte order mark, have CRLF and name its schema", () => {
    expect(parse('\ufeff$schema: ./x.json\r\ntoken: "t"\r\n').entries).toEqual([token(2)]);
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
    const { entries, profiles } = parse(text);
    const [entry] = [...entries, ...[...profiles.values()].flat()];
    expect(entry).toMatchObject({ setting: "secret" });
    expect(entry?.commentFollows ?? false).toBe(expected);
  });

  test.each(["1e5", "0x10", "~", "null", "true"])("needs quotes around the text %s", (word) => {
    expect(parse(`username: "${word}"`).entries[0]?.text).toBe(word);
    expect(() => parse(`username: ${word}`)).toThrow("line 1 sets username to something that is not text");
  });

  test.each(["yes", "2026-11-21", "a"])(
    "takes the bare word %s for text in YAML, and not in JSON",
    (word) => {
      expect(parse(`username: ${word}`).entries[0]?.text).toBe(word);
      expect(() => parse(`{"username": ${word}}`, "/rc.json")).toThrow("line 1 is not valid JSON or YAML");
    },
  );

  test.each([
    ["token: t", true],
    ["profiles: { a: { secret: s } }", true],
    ["tokenFile: ./t", false],
    ["username: a\nprofiles: { a: { username: b } }", false],
  ])("%j holds a secret: %j", (text, expected) => {
    expect(parse(text).holdsSecret).toBe(expected);
  });
});

const keys = settingNames.map((name) => definitionOf(name).key);
const known = `Known keys: ${[...keys, "profiles"].join(", ")}`;

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
    "profiles: { a: { concurrency: 2 } }",
    ", line 1 has the key concurrency in a profile",
    "Write it at the top level of the file",
  ],
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
