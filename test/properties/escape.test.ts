import fc from "fast-check";
import { expect, test } from "vitest";
import { asciiJson, escapeName, escapeText, longestText } from "../../src/redaction/escape.ts";
import { character, foreignText } from "./arbitraries.ts";
import { numRuns } from "./runs.ts";

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
// The commands that GitHub, Azure Pipelines and TeamCity recognise. An IPv6 address is no command.
const workflowCommand = /(?<!\[[\da-f:]{0,39})::(?![\da-f]{1,4}(?![\w-]))|##\[|##[a-z]+\[/i;

test("escaped text is one printable line without workflow commands, complete if it fits, and never escaped twice", () => {
  const texts = fc.oneof(foreignText, fc.string({ unit: character, maxLength: 1_200 }));
  const property = fc.property(texts, fc.integer({ min: 1, max: 600 }), (text, maximum) => {
    const escaped = escapeText(text, maximum);
    expect(escaped).not.toMatch(unprintable);
    expect(escaped).not.toMatch(workflowCommand);
    expect(escaped.length).toBeLessThanOrEqual(maximum);
    const whole = escapeText(text, Number.MAX_SAFE_INTEGER);
    if (whole.length <= maximum) expect(escaped).toBe(whole);
    else expect(escaped.endsWith("…")).toBe(true);
    expect(escapeText(escaped, maximum)).toBe(escaped);
  });
  fc.assert(property, { numRuns });
});

test("JSON is 7-bit ASCII without control characters, workflow prefixes or raw DEL, and parses back", () => {
  const json = fc.jsonValue({ stringUnit: character });
  const values = fc.oneof(foreignText, json, fc.dictionary(foreignText, foreignText));
  const property = fc.property(values, (value) => {
    const text = asciiJson(value);
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
    expect(text).not.toMatch(/::|##/);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
  });
  fc.assert(property, { numRuns });
});

test.each([
  ["\u001b]0;title\u0007", "\\u{1b}]0;title\\u{7}"],
  [":::", "\\x3a\\x3a:"],
  ["[error::x", "[error\\x3a:x"],
  ["address ::ffff:192.0.2.7 and ::1", "address ::ffff:192.0.2.7 and ::1"],
  ["##[group]x", "\\x23#[group]x"],
  ["###vso[x", "#\\x23#vso[x"],
  ["https://[2001:DB8::1]/ ::error::x", "https://[2001:DB8::1]/ \\x3a:error\\x3a:x"],
  // A character of two code units at the maximum is dropped whole.
  [`${"a".repeat(longestText - 2)}😀😀`, `${"a".repeat(longestText - 2)}…`],
])("%j is shown as %s", (text, shown) => {
  expect(escapeText(text)).toBe(shown);
});

test("a name is shown whole, and no other name is shown so", () => {
  expect(["a\\nb", "a\nb", "x".repeat(1_000)].map(escapeName)).toEqual([
    "a\\\\nb",
    "a\\nb",
    "x".repeat(1_000),
  ]);
});
