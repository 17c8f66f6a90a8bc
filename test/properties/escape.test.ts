import fc from "fast-check";
import { expect, test } from "vitest";
import { asciiJson, escapeText, longestText } from "../../src/report/escape.ts";
import { foreignText } from "./arbitraries.ts";
import { numRuns } from "./runs.ts";

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
// The commands that GitHub, Azure Pipelines and TeamCity recognise. `[::` begins an IPv6 address, not a command.
const workflowCommand = /(?<!\[)::|##\[|##[a-z]+\[/i;

const texts = fc.oneof(foreignText, fc.string({ unit: "binary", maxLength: 1_200 }));
const maxima = fc.integer({ min: 1, max: 600 });

test("escaped text is one printable line without control, bidirectional or half characters", () => {
  fc.assert(
    fc.property(texts, maxima, (text, maximum) => {
      expect(escapeText(text, maximum)).not.toMatch(unprintable);
    }),
    { numRuns },
  );
});

test("escaped text contains no prefix of a workflow command", () => {
  fc.assert(
    fc.property(texts, maxima, (text, maximum) => {
      expect(escapeText(text, maximum)).not.toMatch(workflowCommand);
    }),
    { numRuns },
  );
});

test("escaped text is never longer than its maximum, and complete if it fits", () => {
  fc.assert(
    fc.property(texts, maxima, (text, maximum) => {
      const escaped = escapeText(text, maximum);
      expect(escaped.length).toBeLessThanOrEqual(maximum);
      const whole = escapeText(text, Number.MAX_SAFE_INTEGER);
      expect(escaped).toBe(whole.length <= maximum ? whole : escaped);
      if (whole.length > maximum) expect(escaped.endsWith("…")).toBe(true);
    }),
    { numRuns },
  );
});

test("escaping an escaped text changes nothing", () => {
  fc.assert(
    fc.property(texts, maxima, (text, maximum) => {
      const once = escapeText(text, maximum);
      expect(escapeText(once, maximum)).toBe(once);
    }),
    { numRuns },
  );
});

test("JSON is 7-bit ASCII without control characters, workflow prefixes or raw DEL, and parses back", () => {
  const values = fc.oneof(
    foreignText,
    fc.jsonValue({ stringUnit: "binary" }),
    fc.dictionary(foreignText, foreignText),
  );
  fc.assert(
    fc.property(values, (value) => {
      const text = asciiJson(value);
      expect(text).toMatch(/^[\n\x20-\x7e]*$/);
      expect(text).not.toMatch(/::|##/);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns },
  );
});

test.each([
  ["\u001b]0;title\u0007", "\\u{1b}]0;title\\u{7}"],
  ["a\u202eb", "a\\u{202e}b"],
  ["::error::x", "\\x3a:error\\x3a:x"],
  [":::", "\\x3a\\x3a:"],
  ["[:::x", "[:\\x3a:x"],
  ["##[group]x", "\\x23#[group]x"],
  ["###vso[x", "#\\x23#vso[x"],
  ["http://[::1]:8080/", "http://[::1]:8080/"],
])("%j is shown as %s", (text, shown) => {
  expect(escapeText(text)).toBe(shown);
});

test("a character of two code units at the maximum is dropped whole", () => {
  expect(escapeText(`${"a".repeat(longestText - 2)}😀😀`)).toBe(`${"a".repeat(longestText - 2)}…`);
});
