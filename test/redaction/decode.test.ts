import { describe, expect, test } from "vitest";
import { alphabetOf, decodings as decodingsOf } from "../../src/redaction/decode.ts";
import { redactorOf } from "../../src/redaction/redact.ts";

/** All that a step gives for a secret of any characters, which has this length at least. */
const decodings = (text: string, shortest: number) => {
  const alphabet = alphabetOf(() => true, true);
  return [...decodingsOf(text, { alphabet, shortest, longestEncoded: 1_000 }, { left: 100_000 })];
};

describe("one step of decoding gives what a text can mean", () => {
  test.each([
    ["a URL", "a%62%C3%a9", "ab\xc3\xa9"],
    ["UTF-8 misread", "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "aé€😀"],
    ["HTML, hexadecimal", "&#x61;&#x0062;&#x1F600;", "ab😀"],
    ["HTML, decimal", "&#97;&#0098;&#128512;", "ab😀"],
    ["HTML, to the end of Unicode and beyond", "a&#x10ffff;&#x110000;&#1114112;b", "a\u{10ffff}b"],
    ["HTML, by names", "&lt;&AMP;&quot;&apos;&gt;&nothing;", "<&\"'>&nothing;"],
    ["JSON", '\\u0061\\n\\t\\b\\f\\r\\v\\"\\\\\\/', 'a\n\t\b\f\r\v"\\/'],
    ["JavaScript", "\\x61\\'", "a'"],
  ])("%s", (_, text, meaning) => {
    expect(decodings(text, 1)).toContain(meaning);
  });

  const secret = "a secret?>";
  test.each([
    ["base64", Buffer.from(secret).toString("base64")],
    ["base64url", Buffer.from(secret).toString("base64url")],
    ["hex", Buffer.from(secret).toString("hex")],
    ["hex in capitals", Buffer.from(secret).toString("hex").toUpperCase()],
  ])("a piece of %s, wherever it begins", (_, piece) => {
    for (const before of ["", "x", "xy", "xyz", "0", "f0", "token=", "in words: "])
      expect(decodings(`${before}${piece}`, secret.length).join(), before).toContain(secret);
  });
});

test("a text without anything to decode gives nothing", () => {
  expect(decodings("§", 1)).toEqual([]);
});

test("nothing is given that is too short to hold the secret, or that is the text itself", () => {
  expect(decodings("plain words", 1)).not.toContain("plain words");
  expect(decodings("%61%62%63", 3)).toContain("abc");
  expect(decodings("%61%62%63", 4)).not.toContain("abc");
  const hex = Buffer.from("abcd").toString("hex");
  expect(decodings(hex, 4)).toContain("abcd");
  expect(decodings(hex, 5)).not.toContain("abcd");
  const base64 = Buffer.from("abcdef").toString("base64");
  expect(decodings(base64, 6)).toContain("abcdef");
  expect(decodings(base64, 7)).not.toContain("abcdef");
});

describe("the redactor", () => {
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

test("two pieces are decoded apart: no secret is put together from both", () => {
  const [one, two] = ["abcd", "efgh"].map((text) => Buffer.from(text).toString("hex"));
  expect(decodings(`${one} ${two}`, 4)).toContain("abcd\nefgh");
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
