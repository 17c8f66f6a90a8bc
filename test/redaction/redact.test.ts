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

describe("one secret or a few: the redactor", () => {
  const encodedTimes = (secret: string, times: number): string =>
    times === 0 ? secret : encodedTimes(Buffer.from(secret).toString("base64"), times - 1);

  test("finds a secret that is encoded three times, and reads UTF-8 after that", () => {
    expect(redactorOf(["pässwörd"])(encodedTimes("pässwörd", 3))).toBe("[secret]");
    expect(redactorOf(["password"])(encodedTimes("password", 4))).toBe("[secret]");
    expect(redactorOf(["password"])(encodedTimes("password", 5))).toBe(encodedTimes("password", 5));
  });

  test("leaves a text without the white space of the secret as it is", () => {
    expect(redactorOf(["ab  cd"])("x abcd x")).toBe("x abcd x");
  });

  test.each([
    ["ß as SS", ["straße"], "STRASSE", "[secret]"],
    ["ẞ as SS", ["strasse"], "STRAẞE", "[secret]"],
    ["SS as ß", ["strasse"], "my straße is", "[secret]"],
    ["capitals beyond U+FFFF", ["ab\u{10428}cd"], "x AB\u{10400}CD", "x [secret]"],
    ["capitals of other bytes", ["xyz-ġżą"], "x XYZ-ĠŻĄ", "x [secret]"],
    ["capitals in HTML", ["ab&cd"], "&#65;&#66;&#38;&#67;&#68;", "[secret]"],
    ["JSON's escaped slash", ["ab/cd+ef=="], "ab\\/cd+ef==", "[secret]"],
    ["a plus sign as a space", ["ab+cd"], "x ab cd x", "x [secret] x"],
    ["other white space", ["ab  cd"], "x ab cd x", "[secret]"],
    ["a letter that grows before it", ["abcd"], "ﬃ abcd", "[secret]"],
    ["a letter that grows between two", ["abcd"], "abcd ﬃ abcd", "[secret]"],
    ["a short one beside a long one, encoded", ["abcd", "abcdefghijkl"], "%61%62%63%64", "[secret]"],
    ["four characters", ["abcd"], "abcd", "[secret]"],
    ["a text as long as the secret's shortest form", ["ab   cd"], "ab cd", "[secret]"],
    ["secrets in any order", ["efgh", "abcd"], "abcd x efgh", "[secret] x [secret]"],
    ["one of two secrets, encoded", ["abcdef", "uvwxyz"], "YWJjZGVm", "[secret]"],
    ["two secrets that touch", ["abcd", "efgh"], "abcdefgh", "[secret]"],
    ["one secret within another", ["abcdefgh", "cdef"], "x abcdefgh x", "x [secret] x"],
    ["a secret twice", ["abcd"], "abcd abcd", "[secret] [secret]"],
    ["a secret that overlaps itself", ["ababa"], "x abababa x", "x [secret] x"],
  ])("finds %s", (_, secrets, text, shown) => {
    expect(redactorOf(secrets)(text)).toBe(shown);
  });

  test("replaces a text with the secret in too many places whole", () => {
    const text = (times: number): string => "abcd ".repeat(times);
    expect(redactorOf(["abcd"])(text(1_000))).toBe("[secret] ".repeat(1_000));
    expect(redactorOf(["abcd"])(text(1_001))).toBe("[secret]");
  });

  test("replaces a text whole that unfolds into too much, even without the secret", () => {
    const text = "%41".repeat(500);
    expect(redactorOf(["Zq8XvK2m"])(text)).toBe(text);
    expect(redactorOf(["Zq8XvK2m"])("%41".repeat(5_000))).toBe("[secret]");
    const unfolds = (length: number): string => Buffer.from("hello-".repeat(length / 6)).toString("base64");
    expect(redactorOf(["Zq8XvK2m"])(unfolds(6_000))).toBe(unfolds(6_000));
    expect(redactorOf(["Zq8XvK2m"])(unfolds(60_000))).toBe("[secret]");
  });
});

describe("a sign that stands before an encoded secret does not hide it", () => {
  const json = (text: string): string => JSON.stringify(text).slice(1, -1);
  test.each([
    ["% before one that begins like a byte", "5A/x+y7", `%${encodeURIComponent("5A/x+y7")}`],
    ["the same behind other escapes", "5A/x+y7", `a%20b=%${encodeURIComponent("5A/x+y7")}`],
    [
      "the same in base64",
      "kl>>?x?>>",
      `%${encodeURIComponent(Buffer.from("kl>>?x?>>").toString("base64"))}`,
    ],
    ["\\ before one that begins like a control character", 'new"pass', `\\${json('new"pass')}`],
    ["the same behind other escapes", 'new"pass', `\\"a\\nb\\${json('new"pass')}`],
    ["\\ before an escape", "Zq8XvK2m", "\\\\u005aq8XvK2m"],
    ["% before one in hex", "Zq8XvK2m", `%${Buffer.from("Zq8XvK2m").toString("hex")}`],
  ])("%s", (_, secret, text) => {
    expect(redactorOf([secret])(`sent: ${text} end`)).toBe("[secret]");
    expect(redactorOf([`${secret}!`])(`sent: ${text} end`)).toBe(`sent: ${text} end`);
  });
});

test("a short secret inside a long one uncovers nothing of the long one", () => {
  const [short, long] = ["Sommer2026", "Sommer2026/Geheim+Wort-7Kp2"];
  const redact = redactorOf([short, long]);
  expect(redact(`sent: ${encodeURIComponent(long)}`)).toBe("[secret]");
  expect(redact(`sent: ${long}`)).toBe("sent: [secret]");
  expect(redact(`sent: ${short}/Geheim, 100%25`)).toBe("sent: [secret]/Geheim, 100%25");
});
