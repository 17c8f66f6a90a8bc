import { execFileSync } from "node:child_process";
import { assert, property, string, tuple, uniqueArray } from "fast-check";
import { describe, expect, test } from "vitest";
import { bashLine, bashSpelling } from "../../src/completion/bash-line.ts";

/** The words that bash itself makes of each of these lines. */
function bashWords(lines: readonly string[]): readonly (readonly string[])[] {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\n\\0'`).join("\n");
  const printed = execFileSync("bash", ["--norc"], {
    input: script,
    encoding: "utf8",
    env: { LC_ALL: "C.UTF-8" },
  });
  return printed
    .split("\n\0")
    .slice(0, -1)
    .map((words) => words.split("\0").slice(0, -1));
}

describe("bashLine", () => {
  test.each([
    ["referral-auth ", { before: [], raw: "" }],
    ["referral-auth te", { before: [], raw: "te" }],
    ["referral-auth test  --profile=a", { before: ["test"], raw: "--profile=a" }],
    [
      "referral-auth test 'two words' \"a\\\"b\" c\\ d 'op",
      { before: ["test", "two words", 'a"b', "c d"], raw: "'op" },
    ],
    ['referral-auth "a\\b" x', { before: ["a\\b"], raw: "x" }],
    ["referral-auth '' x", { before: [""], raw: "x" }],
    ["referral-auth $(touch x) `y` $HOME z", { before: ["$(touch", "x)", "`y`", "$HOME"], raw: "z" }],
    ["referral-auth a\\", { before: [], raw: "a\\" }],
  ])("%s", (line, expected) => {
    expect(bashLine(line)).toEqual(expected);
  });

  test("reads words as bash does", () => {
    const lines = ["a 'b c' d", "\"x 'y' z\" q", "a\\ b\\'c '\\' e", "'a'\"b\"c d", '"a\\$b\\`c\\"d\\e" f'];
    const ours = lines.map((line) => bashLine(`referral-auth ${line} `).before);
    expect(ours).toEqual(bashWords(lines));
  });
});

describe("bashSpelling", () => {
  test.each([
    ["prod", "p", "p", "prod"],
    ["two words", "tw", "tw", "two\\ words"],
    ["two words", "'tw", "tw", "two words"],
    ["it's", "'i", "i", "it'\\''s"],
    ["a$b!", '"a', "a", "a\\$b\"'!'\""],
    ["$(x)", "", "", "\\$\\(x\\)"],
    ["eu:live", "eu:l", "l", "live"],
    ["--profile=eu:live", "--profile=e", "e", "eu:live"],
    ["--profile=a b", "--profile='a", "a", "a b"],
  ])("%s after %s", (word, raw, replaced, expected) => {
    expect(bashSpelling(word, raw, replaced)).toBe(expected);
  });

  test("leaves out words that do not begin with the typed text", () => {
    expect(bashSpelling("prod", "x", "x")).toBeNull();
    expect(bashSpelling("two words", "'tow", "tow")).toBeNull();
  });

  test("bash reads every word back unchanged, in every kind of quotes", () => {
    // What a terminal line can hold; the quotes are closed as readline closes them.
    const word = string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/\p{C}/gu, "!"));
    const lists = uniqueArray(
      word.filter((text) => text !== ""),
      { minLength: 20, maxLength: 20 },
    );
    assert(
      property(tuple(lists), ([words]) => {
        const spelled = words.flatMap((one) =>
          ["", "'", '"'].map((quote) => quote + bashSpelling(one, quote, "") + quote),
        );
        expect(bashWords(spelled).flat()).toEqual(words.flatMap((one) => [one, one, one]));
      }),
      { numRuns: 50 },
    );
  });
});
