import { expect, test } from "vitest";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { settingNames } from "../../src/settings/table.ts";

const known = `Known keys: ${[...settingNames, "profiles"].join(", ")}`;

const noText = " is not UTF-8 text";
const invalid = "is not valid JSON or YAML";
const check = "Check the quotes, colons and indentation there";
const noMapping = ", line 1 is not a mapping of keys to values";
const write = 'Write lines like "baseUrl: https://…"';
const noKey = "has a key that is not text";
const notText = "sets token to something that is not text";
const quote = 'Write it in quotes: token: "…"';
const notNumber = "sets retry to something that is not a number";
const notProfiles = "sets profiles to something that is not a mapping";
const notProfile = "has a profile that is not a mapping";
const keep = "Keep one of the two";

test.each<[string | Uint8Array, string, string]>([
  [Buffer.from("token: \xff", "latin1"), noText, "Save it as UTF-8 text"],
  [Buffer.from("\ufefftoken: t", "utf16le"), noText, "Save it as UTF-8 text"],
  ["a: 1\n---\nb: 2\n", " holds several YAML documents", "Keep one document in it"],
  ["a: 1\nb: [\n", `, line 3 ${invalid}`, check],
  ["token: !unknown t", `, line 1 ${invalid}`, check],
  ["token: t\n\0\0x", `, line 2 ${invalid}`, check],
  ['{\n  "token": "t', `, line 2 ${invalid}`, check],
  ['{ "token": "t",, }', `, line 1 ${invalid}`, check],
  ['username: a\ntoken: "t', `, line 2 ${invalid}`, check],
  ["profiles:\n\ttoken: t", `, line 2 ${invalid}`, check],
  ["- token", noMapping, write],
  ["token", noMapping, write],
  ["username: a\n1: t", `, line 2 ${noKey}`, "Write it in quotes"],
  ["? [a]\n: t", `, line 1 ${noKey}`, "Write it in quotes"],
  ['"": t', `, line 1 ${noKey}`, "Write it in quotes"],
  ["token: a\ntoken: b", ", line 2 sets token twice", keep],
  ['{ "token": "a",\n"\\u0074oken": "b" }', ", line 2 sets token twice", keep],
  ["profiles:\n  a: {}\n  a: {}", ", line 3 sets a twice", keep],
  ["profiles:\n  a:\n    token: a\n    token: b", ", line 4 sets token twice", keep],
  ["profiles:\n  c0ffee11: {}\n  c0ffee11: {}", ", line 3 sets the same key twice", keep],
  ["tokne: t", ", line 1 has the unknown key tokne", "Did you mean token?"],
  ["base_url: t", ", line 1 has the unknown key base_url", "Did you mean baseUrl?"],
  ["baseURL: t", ", line 1 has the unknown key baseURL", "Did you mean baseUrl?"],
  ["secret-file: t", ", line 1 has the unknown key secret-file", "Did you mean secretFile?"],
  ["profile: {}", ", line 1 has the unknown key profile", "Did you mean profiles?"],
  ["c0ffee11deadbeef22: t", ", line 1 has an unknown key", known],
  ["insecureHttp: true", ", line 1 has the unknown key insecureHttp", known],
  [
    "profiles: { a: { profiles: {} } }",
    ", line 1 has the key profiles in a profile",
    "Write it at the top level of the file",
  ],
  ["profiles: { a: { tokne: t } }", ", line 1 has the unknown key tokne", "Did you mean token?"],
  ["token: [t]", `, line 1 ${notText}`, quote],
  ["token:", `, line 1 ${notText}`, quote],
  ["a: &x t\ntoken: *x", ", line 1 has the unknown key a", known],
  ["username: &x t\ntoken: *x", `, line 2 ${notText}`, quote],
  ['retry: "1"', `, line 1 ${notNumber}`, "Write a plain number: retry: 10"],
  ["username: a\nretry: many", `, line 2 ${notNumber}`, "Write a plain number: retry: 10"],
  ['token: ""', ", line 1 sets token to an empty text", "Give token a value, or delete the line"],
  ["token: t\nprofiles: x", `, line 2 ${notProfiles}`, "Write a name and, below it, its keys"],
  ["profiles:", `, line 1 ${notProfiles}`, "Write a name and, below it, its keys"],
  ["profiles:\n  a: x", `, line 2 ${notProfile}`, "Write its keys below its name"],
  ["profiles:\n  a: [x]", `, line 2 ${notProfile}`, "Write its keys below its name"],
])("%j is refused: the rc file%s", (text, problem, hint) => {
  const message = `The rc file /rc${problem}`;
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  expect(() => parseRc(bytes, "/rc", "yours")).toThrow(
    expect.objectContaining({ kind: "settings", message, hint }),
  );
});
