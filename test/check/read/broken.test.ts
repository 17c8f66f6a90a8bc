import fc from "fast-check";
import { expect, test } from "vitest";
import { readBroken } from "../../../src/check/read/quotes.ts";
import { redactorOf } from "../../../src/redaction/redact.ts";
import { head } from "../../faults/answers.ts";

const ok = "HTTP/1.1 200 OK";
const read = (bytes: string | Uint8Array, secret = "none") =>
  readBroken(
    { problem: "a rule", bytes: typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes },
    redactorOf([secret]).and([], 500),
  );

test.each<[what: string, text: string, received: string]>([
  ["its head, not the body behind it", `${head(ok, "X : a")}{"a":1}`, `${ok}\r\nX : a`],
  ["line feeds alone", `${ok}\nX: a\n\nbody `, `${ok}\nX: a`],
  ["carriage returns alone", `${ok}\rX: a\r\rbody `, `${ok}\rX: a`],
  ["a folded field", head(ok, "X: a", " b"), `${ok}\r\nX: a\r\n b`],
  ["a line that is no field", head(ok, "nonsense", "X: a"), `${ok}\r\nnonsense\r\nX: a`],
  ["no body that begins without an empty line", `${ok}\r\nX: a\r\n{"a":"b"}\r\n`, `${ok}\r\nX: a`],
  ["what stands before the status line", `\r\n${head(ok)}`, `\r\n${ok}`],
  [
    "what is no HTTP",
    "220 mail.example.com ESMTP\r\n\r\n<a>\r\n",
    "220 mail.example.com ESMTP\r\n\r\n<a>\r\n",
  ],
  [
    "bytes that are no text in hexadecimal",
    "\x15\x03\x03\0\x02\x02F \xff ",
    "\\x15\\x03\\x03\\x00\\x02\\x02F \\xff ",
  ],
  ["300 characters", `${"a".repeat(400)} `, `${"a".repeat(299)}…`],
])("of a broken response is shown %s", (_, text, received) => {
  expect(read(text)).toMatchObject({ problem: "a rule", received, isHttp: text.includes("HTTP/") });
});

test("UTF-8 is text, and other bytes are none; --verbose shows each line", () => {
  const text = head(ok, "X: caf\u00e9", "Y : \x02\tz");
  expect(read(Buffer.from(text)).lines).toEqual([ok, "X: caf\u00e9", "Y : \\x02\tz"]);
  expect(read(text).lines).toEqual([ok, "X: caf\\xe9", "Y : \\x02\tz"]);
  expect(read("220 mail\r\n").lines).toEqual([]);
});

test("no part of a secret is shown, wherever what came is cut, and in whatever form it came", () => {
  const secret = "Zq7Kp2Xw9Lm4Rt8H";
  const forms = [
    secret,
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret, "utf16le").toString("latin1"),
    [...secret].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(""),
  ];
  const line = fc.constantFrom(ok, "X : a", "", "{", "<a>", "\xff", " b");
  fc.assert(
    fc.property(
      fc.array(line),
      fc.constantFrom(...forms),
      fc.array(line),
      fc.nat(),
      (before, form, after, at) => {
        const text = [...before, `Y: ${form}`, ...after].join("\r\n");
        const cut = text.slice(0, at % (text.length + 1));
        const shown = JSON.stringify(read(cut, secret)).replaceAll("\\\\x00", "");
        for (let from = 0; from + 7 <= secret.length; from += 1)
          for (const one of [forms[0], forms[1], forms[3]])
            expect(shown).not.toContain(one?.slice(from, from + 7));
      },
    ),
  );
});
