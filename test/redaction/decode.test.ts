import { describe, expect, test } from "vitest";
import { decodings as decodingsOf } from "../../src/redaction/decode.ts";

/** All that a step gives for a secret of any characters, which has this length at least. */
const decodings = (text: string, shortest: number) => {
  const alphabet = new Uint8Array(129).fill(1);
  return [...decodingsOf(text, { alphabet, shortest, longestEncoded: 1_000 }, { left: 100_000 })];
};

describe("one step of decoding gives what a text can mean", () => {
  test.each([
    ["a URL", "a%62%C3%a9", "ab\xc3\xa9"],
    ["UTF-8 misread", "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "aé€😀"],
    ["HTML, hexadecimal", "&#x61;&#x0062;&#x1F600;", "ab😀"],
    ["HTML, decimal", "&#97;&#0098;&#128512;", "ab😀"],
    ["HTML, to the end of Unicode and beyond", "a&#x10ffff;&#x110000;&#1114112;b", "a\u{10ffff}b"],
    ["HTML, with zeros in front", "&#x0000000061;&#0000000098;", "ab"],
    ["HTML, by names", "&lt;&AMP;&quot;&apos;&gt;&sol;&nothing;", "<&\"'>/&nothing;"],
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

test("two pieces are decoded apart: no secret is put together from both", () => {
  const [one, two] = ["abcd", "efgh"].map((text) => Buffer.from(text).toString("hex"));
  expect(decodings(`${one} ${two}`, 4)).toContain("abcd\nefgh");
});
