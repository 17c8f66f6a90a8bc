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

const known = `Known keys: ${[...settingNames, "profiles"].join(", ")}`;
const invalid = "is not valid JSON or YAML";
const check = "Check the quotes, colons and indentation there";
const noKey = "has a key that is not text";
const notText = "sets token to something that is not text";
const quote = 'Write it in quotes: token: "…"';
const atTop = "Write it at the top level of the file";
const plain = "Write a plain number: retry: 10";
const below = "Write a name and, below it, its keys";
const keep = "Keep one of the two";
const notWords = "sets tokenCommand to something that is not a list of words";
const flat = "Write only profiles, their names and their keys";
const list = 'Write a list: tokenCommand: [pass, show, "referral/token"]';

test.each<[string | Uint8Array, string, string]>([
  [Buffer.from("token: \xff", "latin1"), " is not UTF-8 text", "Save it as UTF-8 text"],
  ["a: 1\n---\nb: 2\n", " holds several YAML documents", "Keep one document in it"],
  ["a: 1\nb: [\n", `, line 3 ${invalid}`, check],
  ["token: !unknown t", `, line 1 ${invalid}`, check],
  ["token: t\n\0\0x", `, line 2 ${invalid}`, check],
  ["- token", ", line 1 is not a mapping of keys to values", 'Write lines like "baseUrl: https://…"'],
  ["username: a\n1: t", `, line 2 ${noKey}`, "Write it in quotes"],
  ["? [a]\n: t", `, line 1 ${noKey}`, "Write it in quotes"],
  ['"": t', `, line 1 ${noKey}`, "Write it in quotes"],
  ["token: a\ntoken: b", ", line 2 sets token twice", keep],
  ['{ "token": "a",\n"\\u0074oken": "b" }', ", line 2 sets token twice", keep],
  ["profiles:\n  a: {}\n  a: {}", ", line 3 sets a twice", keep],
  ["profiles:\n  c0ffee11: {}\n  c0ffee11: {}", ", line 3 sets the same key twice", keep],
  ["tokne: t", ", line 1 has the unknown key tokne", "Did you mean token?"],
  ["profile: {}", ", line 1 has the unknown key profile", "Did you mean profiles?"],
  ["c0ffee11deadbeef22: t", ", line 1 has an unknown key", known],
  ["9lives: t", ", line 1 has an unknown key", known],
  [`${"k".repeat(31)}: t`, ", line 1 has an unknown key", known],
  [`${"k".repeat(30)}: t`, `, line 1 has the unknown key ${"k".repeat(30)}`, known],
  ["my-key: t", ", line 1 has the unknown key my-key", known],
  ["TOKEN: t", ", line 1 has an unknown key", "Did you mean token?"],
  ["timeoutMs: 5", ", line 1 has the unknown key timeoutMs", "Did you mean timeout?"],
  ["insecureHttp: true", ", line 1 has the unknown key insecureHttp", known],
  ["profiles: { a: { profiles: {} } }", ", line 1 has the key profiles in a profile", atTop],
  ["profiles: { a: { maxWait: 5 } }", ", line 1 has the key maxWait in a profile", atTop],
  ["profiles: { a: { tokne: t } }", ", line 1 has the unknown key tokne", "Did you mean token?"],
  ["token:", `, line 1 ${notText}`, quote],
  ["a: &x t\ntoken: *x", ", line 1 has the unknown key a", known],
  ["username: &x t\ntoken: *x", `, line 2 ${notText}`, quote],
  ['username: a\nretry: "1"', ", line 2 sets retry to something that is not a number", plain],
  ['token: ""', ", line 1 sets token to an empty text", "Give token a value, or delete the line"],
  ["tokne: null", ", line 1 has the unknown key tokne", "Did you mean token?"],
  ["token: null\ntoken: t", ", line 2 sets token twice", keep],
  ["tokenCommand: [pass, 1]", `, line 1 ${notWords}`, list],
  ["tokenCommand: ['', x]", `, line 1 ${notWords}`, list],
  ['tokenCommand: [pass, "\\0"]', `, line 1 ${notWords}`, list],
  ["token: t\nprofiles:", ", line 2 sets profiles to something that is not a mapping", below],
  [`${" ".repeat(3)}\n${"- ".repeat(33)}`, ", line 2 is nested more than 32 levels deep", flat],
  [`{ token: ${"[".repeat(32)}`, ", line 1 is nested more than 32 levels deep", flat],
  [`[${'{"a":'.repeat(31)}`, `, line 1 ${invalid}`, check],
  ["profiles:\n  a: x", ", line 2 has a profile that is not a mapping", "Write its keys below its name"],
])("%j is refused: the rc file%s", (text, problem, hint) => {
  const message = `The rc file /rc${problem}`;
  expect(() => parse(text)).toThrow(expect.objectContaining({ kind: "settings", message, hint }));
});

test("thousands of collections, for which the parser has no stack, are nested too deep as well", () => {
  const message = "The rc file /rc, line 1 is nested more than 32 levels deep";
  const text = `&${'\u001b[{"a":'.repeat(5_000)},x `;
  expect(() => parse(text)).toThrow(expect.objectContaining({ kind: "settings", message, hint: flat }));
});
