import { expect, test } from "vitest";
import { certificateBlocks } from "../../src/system/pem.ts";

const block = (content: string, label = "CERTIFICATE"): string =>
  `-----BEGIN ${label}-----\n${content}\n-----END ${label}-----`;
const a = block("AAAA");
const b = block("BBBB");

test.each<[what: string, text: string, found: ReadonlyArray<readonly [text: string, line: number]>]>([
  ["nothing", "", []],
  ["no block", "remark\n-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", []],
  ["a request for a certificate", block("AAAA", "CERTIFICATE REQUEST"), []],
  [
    "two blocks",
    `${a}\n${b}\n`,
    [
      [a, 1],
      [b, 4],
    ],
  ],
  [
    "what stands around them",
    `# one\n\n${a}\nrest\n${block("KEY", "EC PRIVATE KEY")}\n${b}`,
    [
      [a, 3],
      [b, 10],
    ],
  ],
  ["a byte order mark", `\xef\xbb\xbf${a}`, [[a, 1]]],
  [
    "line ends of Windows",
    `\r\n${a}\n${b}`.replaceAll("\n", "\r\n").replace("\r\r", "\r"),
    [
      [a, 2],
      [b, 5],
    ],
  ],
  [
    "line ends that are CR alone",
    `${a}\n${b}`.replaceAll("\n", "\r"),
    [
      [a, 1],
      [b, 4],
    ],
  ],
  ["indented and empty lines", `  ${a.replaceAll("\n", " \n\n\t")}`, [[a, 1]]],
  [
    "the other labels of OpenSSL",
    `${block("A", "X509 CERTIFICATE")}\n${block("B", "TRUSTED CERTIFICATE")}`,
    [
      [block("A", "X509 CERTIFICATE"), 1],
      [block("B", "TRUSTED CERTIFICATE"), 4],
    ],
  ],
  [
    "a block without its end",
    `${a.slice(0, -26)}\n${b}`,
    [
      ["-----BEGIN CERTIFICATE-----\nAAAA\n", 1],
      [b, 3],
    ],
  ],
  [
    "a last block without its end",
    `${a}\n-----BEGIN CERTIFICATE-----\nAAAA`,
    [
      [a, 1],
      ["-----BEGIN CERTIFICATE-----\nAAAA", 4],
    ],
  ],
  [
    "a block without its begin",
    `AAAA\n-----END CERTIFICATE-----\n${b}`,
    [
      ["-----END CERTIFICATE-----", 2],
      [b, 3],
    ],
  ],
])("the blocks of a text: %s", (_, text, found) => {
  expect(certificateBlocks(text).map((one) => [one.text, one.line])).toEqual(found);
});
