import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactorOf } from "../../src/redaction/redact.ts";
import { secretTexts, writings, writtenWith } from "../properties/echoes.ts";
import { numRuns } from "../properties/runs.ts";
import { planted } from "../support/planted.ts";

const words = "The quick brown fox jumps over the lazy dog and says hello ";
const around = fc.constantFrom("", "The token is ", "a/b=", '{"a": "', " : ", "x".repeat(300));

test("a secret that is encoded up to three times is found, wherever it stands in a text", () => {
  fc.assert(
    fc.property(
      secretTexts,
      fc.uniqueArray(fc.constantFrom(...Object.keys(writings)), { minLength: 1, maxLength: 3 }),
      around,
      around,
      (secret, names, before, after) => {
        const text = writtenWith(names, secret);
        const shown = redactorOf([secret])(before + text + after);
        expect(shown).toContain("[secret]");
        expect(shown.toLowerCase()).not.toContain(text.toLowerCase());
        expect(shown.toLowerCase()).not.toContain(secret.toLowerCase());
      },
    ),
    { numRuns },
  );
});

test("a text without the secret stays as it is", () => {
  fc.assert(
    fc.property(secretTexts, fc.string({ unit: "grapheme", maxLength: 300 }), (secret, text) => {
      fc.pre(!text.includes(secret));
      expect(redactorOf([secret])(text)).toBe(text);
    }),
    { numRuns },
  );
});

describe("a part of a text", () => {
  test.each([
    ["in any letter case", ["abcdef"], "x ABCdef y abcDEF", "x [secret] y [secret]"],
    ["that overlaps another secret", ["abcdef", "defghi"], "xabcdefghix", "x[secret]x"],
    ["beside an encoded one, with the whole text", ["abcdef"], "abcdef YWJjZGVm", "[secret]"],
    ["not where the secret is too short to be told from words", ["abc"], "abc", "abc"],
    ["not where a secret is part of the mark", ["secret"], "the secret!", "the [secret]!"],
  ])("is replaced %s", (_, known, text, shown) => {
    expect(redactorOf(known)(text)).toBe(shown);
  });
});

test("a long text without the secret is shown whole", () => {
  for (const secret of [planted.token, planted.secret, "abcd"]) {
    for (const text of [words.repeat(1_100), `${words}<p>${encodeURIComponent(words)}&amp;\\n`.repeat(10)])
      expect(redactorOf([secret])(text)).toBe(text);
  }
});

describe("of hundreds of secrets", () => {
  const many = Array.from(
    { length: 150 },
    (_, index) => `${(index * 7919 + 1000).toString(36)}-key-${index}`,
  );

  test("each is found, plain and encoded, and other text stays", () => {
    const redact = redactorOf(many);
    for (const secret of many) {
      expect(redact(`a ${secret.toUpperCase()} b`)).toBe("a [secret] b");
      expect(redact(`a ${Buffer.from(secret).toString("base64")} b`)).toBe("[secret]");
      expect(redact(`a ${secret.slice(0, -1)}# b`)).toBe(`a ${secret.slice(0, -1)}# b`);
    }
  });

  test("a text is hidden that holds the beginning of too many to look for each", () => {
    const redact = redactorOf(many.map((secret) => `beginning-${secret}`));
    expect(redact("a text of which nobody knows the beginning")).toBe("[secret]");
  });
});
