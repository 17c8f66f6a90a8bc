import { expect, test } from "vitest";
import { decodings as decodingsOf } from "../../src/redaction/decode.ts";

/** All that a step gives for a secret of any characters, which has this length at least. */
const decodings = (text: string, shortest: number) => {
  const alphabet = new Uint8Array(129).fill(1);
  return [...decodingsOf(text, { alphabet, shortest, longestEncoded: 1_000 }, { left: 100_000 })];
};

// test/redaction/redact.test.ts has what all steps find.
test.each([
  ["HTML, to the end of Unicode and beyond", "a&#x10ffff;&#x110000;&#1114112;b", "a\u{10ffff}b"],
  ["HTML, by names", "&lt;&AMP;&quot;&apos;&gt;&sol;&nothing;", "<&\"'>/&nothing;"],
  ["JSON", '\\u0061\\n\\t\\b\\f\\r\\v\\"\\\\\\/', 'a\n\t\b\f\r\v"\\/'],
  ["JavaScript", "\\x61\\'", "a'"],
])("one step of decoding gives what a text can mean: %s", (_, text, meaning) => {
  expect(decodings(text, 1)).toContain(meaning);
});

test.each(["base64", "base64url", "hex"] as const)(
  "a piece of %s is found wherever it begins",
  (encoding) => {
    const secret = "a secret?>";
    for (const before of ["", "x", "xy", "xyz", "0", "f0", "token=", "in words: "])
      expect(decodings(before + Buffer.from(secret).toString(encoding), secret.length).join()).toContain(
        secret,
      );
  },
);

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
