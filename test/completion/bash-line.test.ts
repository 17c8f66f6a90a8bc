import { execFileSync } from "node:child_process";
import { assert, property, string, uniqueArray } from "fast-check";
import { expect, test } from "vitest";
import { bashLine, bashSpelling, unquoted } from "../../src/completion/bash-line.ts";

/** The words that bash itself makes of each of these lines. */
function bashWords(lines: readonly string[]): readonly (readonly string[])[] {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\n\\0'`).join("\n");
  const options = { input: script, encoding: "utf8", env: { LC_ALL: "C.UTF-8" } } as const;
  const printed = execFileSync("bash", ["--norc"], options).split("\n\0");
  return printed.slice(0, -1).map((words) => words.split("\0").slice(0, -1));
}

test.each([
  ["referral-auth ", [], ""],
  ["referral-auth te", [], "te"],
  ["referral-auth test  --profile=a", ["test"], "--profile=a"],
  ["referral-auth 'two words' 'op", ["two words"], "'op"],
  ["referral-auth '' x", [""], "x"],
  ["referral-auth $(touch x) `y` $HOME z", ["$(touch", "x)", "`y`", "$HOME"], "z"],
  ["referral-auth a\\", [], "a\\"],
])("%s has the words %j before %j", (line, before, raw) => {
  expect(bashLine(line)).toEqual({ before, raw });
});

test("reads words as bash does", () => {
  const lines = ["a 'b c' d", "\"x 'y' z\" q", "a\\ b\\'c '\\' e", "'a'\"b\"c d", '"a\\$b\\`c\\"d\\e" f'];
  const ours = lines.map((line) => bashLine(`referral-auth ${line} `).before);
  expect(ours).toEqual(bashWords(lines));
});

test.each([
  ["two words", "tw", "tw", "two\\ words"],
  ["two words", '"tw', "tw", "two words"],
  ["it's", "'i", "i", null],
  ["it's", '"i', "i", "it's"],
  ["a$b!", '"a', "a", null],
  ["a$b!", "'a'", "", "\\$b\\!"],
  ["eu:live", "eu:l", "l", "live"],
  ["--profile=eu:live", "--profile=e", "e", "eu:live"],
  ["--profile=a b", "--profile='a", "a", "a b"],
  ["prod", "x", "x", null],
  ["two words", "'tow", "tow", null],
])("suggests %s after %s, of which readline replaces %s, as %s", (word, raw, replaced, expected) => {
  expect(bashSpelling(word, raw, replaced)).toBe(expected);
});

test("bash reads every word back unchanged, in every kind of quotes", () => {
  // What a terminal line can hold; the quotes are closed as readline closes them.
  const word = string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/\p{C}/gu, "!"));
  const filled = word.filter((text) => text !== "");
  assert(
    property(uniqueArray(filled, { minLength: 20, maxLength: 20 }), (words) => {
      const spelled = words.flatMap((one) =>
        ["", "'", '"'].flatMap((quote) => {
          const spelling = bashSpelling(one, quote, "");
          return spelling === null ? [] : [{ one, line: quote + spelling + quote }];
        }),
      );
      expect(spelled.filter(({ one, line }) => unquoted(line) !== one)).toEqual([]);
      expect(bashWords(spelled.map(({ line }) => line)).flat()).toEqual(spelled.map(({ one }) => one));
      expect(new Set(spelled.map(({ one }) => one)).size).toBe(words.length);
    }),
    { numRuns: 50 },
  );
});
