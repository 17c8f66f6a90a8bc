import fc from "fast-check";
import { expect, test } from "vitest";
import { unseenAround, unseenIn } from "../../src/wsse/characters.ts";
import { holdsPlaceholder, isPlaceholder, isPlaceholderInUrl } from "../../src/wsse/placeholders.ts";

test.each([
  ["me@example.com\u00a0", "has a no-break space (U+00A0) as its last character"],
  ["value\r", "has a carriage return (U+000D) as its last character"],
  ["\ufeffvalue", "has a byte order mark (U+FEFF) as its first character"],
  ["secret\u200bword", "has a zero-width space (U+200B) at place 7"],
  [
    "\u001b[200~0123456789abcdef0123456789abcdef01234567\u001b[201~",
    "has an escape character (U+001B) at places 1 and 47",
  ],
  ["\u25cf".repeat(9), "has a typographic character (U+25CF) at places 1, 2, 3 and 6 more"],
  // Places are counted as people count, and the ends are looked at first.
  ["\u{1f600}\u2013x", "has a typographic dash (U+2013) at place 2"],
  ["a\u2013b\u00a0", "has a no-break space (U+00A0) as its last character"],
  ["o\u2019hara@example.com", "has a typographic quotation mark (U+2019) at place 2"],
  ["a\u2005b", "has white space (U+2005) at place 2"],
  ["a\u0007b", "has a control character (U+0007) at place 2"],
  ["a\ufe0fb", "has an invisible character (U+FE0F) at place 2"],
  [" a b", "has a space (U+0020) as its first character"],
])("%j %s", (text, problem) => {
  expect(unseenIn(text)?.problem).toBe(problem);
});

// It may be a secret.
test("no other character of a value is told", () => {
  const other = /^[!-~\p{L}\p{N}\p{So}\ufffd]+$/u;
  const text = fc.string({ unit: "grapheme", minLength: 1 }).filter((one) => other.test(one));
  fc.assert(
    fc.property(
      text,
      text,
      fc.constantFrom("\u00a0", "\u2026", "\u200b", "\t"),
      (before, behind, character) => {
        expect([unseenIn(before), unseenIn(`${before} ${behind}`)]).toEqual([null, null]);
        const place = [...before].length + 1;
        const code = character.codePointAt(0)?.toString(16).padStart(4, "0").toUpperCase();
        expect(unseenIn(before + character + behind)).toEqual({
          problem: expect.stringMatching(`^has an? [a-z -]+ \\(U\\+${code}\\) at place ${place}$`),
          hint: "Remove or replace it",
        });
        expect(unseenIn(`${before} ${behind}`, / /)?.problem).toBe(`has a space (U+0020) at place ${place}`);
      },
    ),
  );
});

test.each([
  ["a\u2013b", null],
  ["value\u200b", "has a zero-width space (U+200B) as its last character"],
  [" a\u2013b", "has a space (U+0020) as its first character"],
])("around %j: %s", (text, problem) => {
  expect(unseenAround(text)?.problem ?? null).toBe(problem);
});

const name = fc
  .stringMatching(/^[A-Z][A-Z_]{3,12}$/)
  .filter((one) => /^(?:[A-Z]_?){3}/.test(one) && /[G-Z]/.test(one));
test("a placeholder in braces is one as a whole, in a URL, and in a part of a value", () => {
  const dollar = fc.constantFrom("{N}", "{{ secrets.N }}", "{N:-b}", "{env:N}").map((form) => `$${form}`);
  const inBraces = fc.oneof(dollar, fc.constantFrom("{{N}}", " {{ N }} "));
  fc.assert(
    fc.property(name, inBraces, (one, form) => {
      const text = form.replace("N", () => one);
      expect([isPlaceholder(text), isPlaceholder(`x${text}`)]).toEqual([true, false]);
      expect([holdsPlaceholder(`x${text}y`), isPlaceholderInUrl(`https://x${text}y/v1`)]).toEqual([
        true,
        true,
      ]);
    }),
  );
});

test("a variable is one in a URL and in a part of a value, and a name in angle brackets in a URL", () => {
  fc.assert(
    fc.property(name, fc.constantFrom("$N", "%N%"), (one, form) => {
      const text = form.replace("N", () => one);
      for (const url of ["V", "https://V/v1", "https://x.V/v1", "https://x.example/V"])
        expect(isPlaceholderInUrl(url.replace("V", () => text))).toBe(true);
      expect([isPlaceholder(text), holdsPlaceholder(`x-${text}`)]).toEqual([false, true]);
      expect(isPlaceholderInUrl(`https://<${one}>/v1`)).toBe(true);
    }),
  );
});

test.each([
  ...["https://api.example.com/caf%C3%A9", "https://api.example.com/a%20%2Fb"],
  "https://api.example.com/%41%42",
  ...["https://api.example.com/~c!$&'()*+,_-", "https://api.example.com/a$", "https://[::1]:8080/v1"],
])("%s has none", (text) => {
  expect(isPlaceholderInUrl(text)).toBe(false);
});

test.each(["a$b", "100%", "a$1b", "50%off", "%20%", "$Ab", "{}", "{token}", "pa$Word", "$" + "{}"])(
  "%s holds no variable",
  (text) => {
    expect([holdsPlaceholder(text), isPlaceholder(text)]).toEqual([false, false]);
  },
);
