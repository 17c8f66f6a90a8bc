import { inspect } from "node:util";
import { expect, test } from "vitest";
import { describeLength, parseSecret, Secret, textProblem } from "../../src/settings/secret.ts";

test("a secret shows itself only where it is asked to", () => {
  const secret = new Secret("planted");
  expect(secret.reveal()).toBe("planted");
  for (const shown of [`${secret}`, JSON.parse(JSON.stringify(secret)), inspect(secret)]) {
    expect(shown).toBe("[secret]");
  }
  expect(inspect({ deep: { secret } }, { depth: null, showHidden: true })).not.toContain("planted");
});

const spaces = [" ", "\t", "\n", "\r", "\v", "\f", "\u00a0", "\u2028", "\u200b", "\u2060"];
test.each(["token", "secret"] as const)(
  "a %s may not begin or end with white space or hold a byte order mark",
  (name) => {
    const problemOf = (text: string) => ({ problem: null, ...parseSecret(name, text) }).problem;
    for (const space of spaces)
      for (const text of [`${space}a-value`, `a-value${space}`])
        expect(problemOf(text), JSON.stringify(text)).toBe("begins or ends with white space");
    for (const text of ["\ufeffa-value", "a-value\ufeff", "a-\ufeffvalue"])
      expect(problemOf(text)).toContain("byte order mark");
  },
);

test.each([
  ["0123456789abcdef0123456789abcdef01234567", "40 characters, the last four are 4567"],
  ["0123456789ABCDEF0123456789ABCDEF0123CDEF", "40 characters, the last four are CDEF"],
  ["0123456789abcdef0123456789abcdef0123456g", "40 characters"],
  ["0123456789abcdef0123456789abcdef0123456", "39 characters"],
  ["\u{1f511}\u{1f511}", "2 characters"],
  ["\u{1f511}", "1 character"],
])("%s has %s, and nothing else of it is told", (text, expected) => {
  expect(describeLength(text)).toBe(expected);
});

test.each([
  ["a value", null],
  ["a\nb\r\nc", "has 3 lines"],
  ["value\\n", "contains \\n, written as two characters"],
])("what is unusual inside %j: %s", (text, expected) => {
  expect(textProblem(text)).toBe(expected);
});
