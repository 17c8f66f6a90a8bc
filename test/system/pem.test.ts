import fc from "fast-check";
import { expect, test } from "vitest";
import { certificateBlocks } from "../../src/system/pem.ts";

const block = (content: string, label = "CERTIFICATE"): string =>
  `-----BEGIN ${label}-----\n${content}\n-----END ${label}-----`;
const a = block("AAAA");
const b = block("BBBB");

const remarks = [
  "",
  "# a remark",
  "  rest",
  block("KEY", "EC PRIVATE KEY"),
  block("A", "CERTIFICATE REQUEST"),
];
const labels = fc.constantFrom("CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE");
const certificates = fc
  .tuple(fc.constantFrom("AAAA", "BBBB"), labels)
  .map(([text, label]) => block(text, label));

test("every block of a text is found with its line, whatever stands around it, however lines end and are indented", () => {
  const parts = fc.array(fc.oneof(certificates, fc.constantFrom(...remarks)), { maxLength: 6 });
  const ends = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(parts, ends, fc.boolean(), fc.boolean(), (all, end, isIndented, hasMark) => {
      const found: (readonly [string, number])[] = [];
      let line = 1;
      for (const part of all) {
        if (/BEGIN (?:X509 |TRUSTED )?CERTIFICATE-/.test(part)) found.push([part, line]);
        line += part.split("\n").length;
      }
      const text = all.join("\n").replace(/\n/g, `${isIndented ? " " : ""}${end}${isIndented ? "\t" : ""}`);
      const blocks = certificateBlocks((hasMark ? "\xef\xbb\xbf" : "") + text);
      expect(blocks.map((one) => [one.text, one.line])).toEqual(found);
    }),
  );
});

test.each([
  ["without its end", `${a.slice(0, -26)}\n${b}`, "1 BEGIN AAAA, 3 BEGIN BBBB END"],
  ["without its end, the last one", `${a}\n${b.slice(0, -26)}`, "1 BEGIN AAAA END, 4 BEGIN BBBB"],
  ["without its begin", `AAAA\n-----END CERTIFICATE-----\n${b}`, "2 END, 3 BEGIN BBBB END"],
])("a block %s is found for what it is", (_, text, found) => {
  const inWords = (block: string) =>
    block
      .replace(/-----| CERTIFICATE/g, "")
      .replace(/\n/g, " ")
      .trim();
  expect(
    certificateBlocks(text)
      .map((one) => `${one.line} ${inWords(one.text)}`)
      .join(", "),
  ).toBe(found);
});
