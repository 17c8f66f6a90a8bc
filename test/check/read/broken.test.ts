import { expect, test } from "vitest";
import { readBroken } from "../../../src/check/read/broken.ts";
import { redactorOf } from "../../../src/redaction/redact.ts";
import { head } from "../../faults/answers.ts";

const ok = "HTTP/1.1 200 OK";
const length = "Content-Length: 2";
const none = redactorOf([]);
const read = (text: string, more: { problem?: string; place?: number | null } = {}, redact = none) =>
  readBroken({ problem: "Contradictory lengths", place: null, ...more, text }, redact);

test.each<[text: string, line: number | null, field: string | null, rule: string | null]>([
  [head(ok, length, "Expires : 0"), 3, "Expires", "white space stands before its colon"],
  [head(ok, length, "A\t: 0"), 3, "A", "white space stands before its colon"],
  [head(ok, "X: a", " b", length), 3, null, "it begins with white space: a folded field, which is obsolete"],
  [
    head(ok, "PHP Warning:  x in y"),
    2,
    "PHP Warning",
    "its name holds a character that no name of a field may hold",
  ],
  [head(ok, length, "nonsense"), 3, null, "it has no colon, so it is no field"],
  [head(ok, length, ": a"), 3, null, "it has no name before its colon"],
  [head(ok, length, "X: a\x01b"), 3, "X", "its value holds a control character (U+0001)"],
  [head(ok, length, "X: a\0b"), 3, "X", "its value holds a control character (U+0000)"],
  [head(ok, length, "X: a\x7fb"), 3, "X", "its value holds a control character (U+007F)"],
  [`${ok}\n${length}\n\n{}`, 1, null, "it ends in a line feed alone"],
  [`${ok}\r\n${length}\nX: a\r\n\r\n{}`, 2, "Content-Length", "it ends in a line feed alone"],
  [`${ok}\r\nX: a\rY: b\r\n\r\n{}`, 2, "X", "it holds a carriage return alone"],
  [head(ok, length, length), 3, "Content-Length", "the length stands twice (2 and 2)"],
  [head(ok, "Content-Length: 2, 2"), 2, "Content-Length", "the length stands twice (2 and 2)"],
  [head(ok, length, "content-length: 5"), 3, "content-length", "the lengths contradict each other (2 and 5)"],
  [head(ok, "Content-Length: 2x"), 2, "Content-Length", "its length is not a number"],
  [
    head(ok, length, "Transfer-Encoding: chunked"),
    3,
    "Transfer-Encoding",
    "Content-Length and Transfer-Encoding contradict each other",
  ],
  [head("HTTP/2 200 OK", length), 1, null, "the status line has another version than HTTP/1.1"],
  [
    head("HTTP/1.1 20 OK", length),
    1,
    null,
    "the status line has no space and status of three digits behind the version",
  ],
  [`Warning: x\r\n${head(ok)}`, 1, null, "the status line does not begin with HTTP/"],
  [head(` ${ok}`), 1, null, "the status line does not begin with HTTP/"],
  [`\r\n${head(ok)}`, 1, null, "the status line does not begin with HTTP/"],
  [` ${head("HTTP/1.1 103 Early Hints")}${head(ok)}`, 1, null, "the status line does not begin with HTTP/"],
  [head("HTTP/2 HTTP/1.1 200"), 1, null, "the status line has another version than HTTP/1.1"],
  [
    head("HTTP/1.1 is HTTP/1.1 200"),
    1,
    null,
    "the status line has no space and status of three digits behind the version",
  ],
  [head("HTTP/1.0 200"), null, null, null],
  [head(ok, "X: a", " Y: b"), 3, null, "it begins with white space: a folded field, which is obsolete"],
  [head(ok, "X\xe9: a"), 2, null, "its name holds a character that no name of a field may hold"],
  ...["2:3", "-2", "2x", ""].map((value): [string, number, string, string] => [
    head(ok, `Content-Length: ${value}`),
    2,
    "Content-Length",
    "its length is not a number",
  ]),
  [head(ok, "Content-Length: 2, 2, 5"), 2, "Content-Length", "the lengths contradict each other (2 and 5)"],
  [
    head(ok, `Content-Length: ${"1".repeat(30)}, ${"2".repeat(30)}`),
    2,
    "Content-Length",
    `the lengths contradict each other (${"1".repeat(20)} and ${"2".repeat(20)})`,
  ],
  [
    head(ok, "Content-Length: 12", "Transfer-Encoding: chunked"),
    3,
    "Transfer-Encoding",
    "Content-Length and Transfer-Encoding contradict each other",
  ],
  [head(ok, "Transfer-Encoding: chunked"), null, null, null],
  // The second response counts, and its line in all that came.
  [
    head("HTTP/1.1 103 Early Hints", "Link: a") + head(ok, "X : a"),
    5,
    "X",
    "white space stands before its colon",
  ],
  // What stands in a body is no field, and a line that is cut is not judged.
  [`${head(ok, length)}X : a`, null, null, null],
  [`${ok}\r\n${length}\r\nExpires `, null, null, null],
  [`${ok}\r\n${length}\r\n \r\nX : a\r\n`, null, null, null],
  [`${head(ok, length)}${head(ok, "X : a")}`, null, null, null],
  [`${head("HTTP/1.1 103 Early Hints")}x ${head(ok, "X : a")}`, null, null, null],
  // Further lengths may follow a head that is not whole.
  [`${ok}\r\n${length}\r\n${length}`, null, null, null],
  [`${ok}\r\n${length}\r\n${length}\r\n`, null, null, null],
  [head(ok, length, "Expires: 0", "X: \tcaf\xe9"), null, null, null],
])("%j breaks a rule in line %j, field %j: %s", (text, line, field, rule) => {
  expect(read(text)).toMatchObject({ line, field, rule, isHttp: true });
});

test.each([
  ["", false],
  ["SSH-2.0-OpenSSH_9.6\r\n", false],
  ['{"code":200}', false],
  ["<html>HTTP/1.1</html>", false],
  ["http/1.1 200 OK\r\n", true],
  ["\r\nHTTP/1.1 200 OK\r\n", true],
])("%j looks like HTTP: %s", (text, isHttp) => {
  expect(read(text)).toMatchObject({ isHttp, ...(isHttp ? {} : { head: [], line: null, field: null }) });
});

test("lengths contradict each other only where they do", () => {
  expect(read(head(ok, length, "Content-Length: 5")).problem).toBe("Contradictory lengths");
  expect(read(head(ok, length, "Transfer-Encoding: chunked")).problem).toBe("Contradictory lengths");
  expect(read(head(ok, length, length)).problem).toBe("the length stands twice (2 and 2)");
  expect(read(head(ok, length)).problem).toBe("a rule that the parser does not name");
  expect(read(head(ok, length), { problem: "Expected dot" }).problem).toBe("Expected dot");
});

test("where no rule here is broken, the parser's place tells the line", () => {
  const text = head(ok, length, "X: a");
  const at = (place: number) => read(text, { problem: "x", place }).line;
  const places = [3, text.indexOf("X"), text.length - 2, text.length];
  expect(places.map(at)).toEqual([1, 3, null, null]);
});

test.each<[what: string, text: string, shown: readonly string[]]>([
  ["without its body", `${head(ok, length, "X : a")}{"a":"b"}`, [ok, length, "X : a"]],
  ["with line feeds alone", `${ok}\n${length}\n\n{"a":"b"}`, [ok, length]],
  ["with carriage returns alone", `${ok}\r${length}\r\r{"a":"b"}`, [ok, length]],
  ["with a folded field", head(ok, "X: a", " b", length), [ok, "X: a", " b", length]],
  ["up to what may be a body", `${ok}\r\n${length}\r\n{"a":"b"}\r\nX: a\r\n`, [ok, length]],
  ["with folded lines", `${ok}\r\nX: a\r\n   b\r\n\r\n`, [ok, "X: a", "   b"]],
  ["up to a page", `${ok}\r\n<p>a: b\r\n`, [ok]],
  ["up to a line without a colon", `${ok}\r\nbody\r\nX: a\r\n`, [ok]],
])("the head is shown %s", (_, text, shown) => {
  expect(read(text).head).toEqual(shown);
});

test("no part of a secret is shown, and no line that was cut", () => {
  const redact = redactorOf(["Zq7Kp2Xw9Lm4Rt8H"]).and([], 500);
  const text = `${ok}\r\nX-Zq7Kp2Xw9Lm4Rt8H : a\r\nY: Zq7Kp2Xw9Lm4Rt8H\r\nZ: Zq7Kp2Xw`;
  const found = read(text, {}, redact);
  expect(JSON.stringify(found)).not.toContain("Zq7K");
  expect(found).toMatchObject({ line: 2, field: null, head: [ok, "X-[secret] : a", "Y: [secret]"] });
  const basic = Buffer.from("me:Zq7Kp2Xw9Lm4Rt8H").toString("base64");
  expect(JSON.stringify(read(`${ok}\r\nX : Basic ${basic}\r\n`, {}, redact))).not.toContain(
    basic.slice(4, 20),
  );
});
