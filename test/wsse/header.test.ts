import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { wireNonce } from "../../src/wsse/digest.ts";
import {
  createdAt,
  freshNonce,
  isEmailAddress,
  nonceBytes,
  usernameProblem,
  wsseValue,
} from "../../src/wsse/header.ts";

test("the attributes stand in the specified order; Created is UTC to the second with a numeric offset", () => {
  const created = createdAt(Date.parse("2026-02-28T23:59:59.999Z"));
  const parts = 'Username="u", PasswordDigest="p", Nonce="n", Created="2026-02-28T23:59:59+00:00"';
  expect(wsseValue({ username: "u", passwordDigest: "p", nonce: "n", created })).toBe(
    `UsernameToken ${parts}`,
  );
});

const quoting = 'contains a " or \\, which the X-WSSE header cannot carry';
const outside = "contains a character outside ASCII, which a header cannot carry";

test.each([
  ["o'hara+ref@example.com", null],
  ["two words", null],
  ["", "is empty"],
  ['quo"te', quoting],
  ["back\\slash", quoting],
  ["line\nend", "has more than one line"],
  ["carriage\rreturn", "has more than one line"],
  ["end\n", "has a line feed (U+000A) as its last character"],
  ["\ttab", "has a tab (U+0009) as its first character"],
  ["delete\x7f", "has a control character (U+007F) as its last character"],
  ["müller@example.com", outside],
])("the problem of the username %j for the header: %s", (username, problem) => {
  expect(usernameProblem(username)).toBe(problem);
});

test("a nonce in base64 has neither / nor +, and is 20 bytes; its characters are all used", () => {
  const seen = new Set<string>();
  for (let count = 0; count < 2_000; count += 1) {
    let drawn = 0;
    const bytes = () => createHash("sha1").update(`${count} ${drawn++}`).digest();
    const nonce = freshNonce("base64-nonce", bytes);
    const wire = wireNonce("base64-nonce", nonce);
    expect([nonce.length, wire.length]).toEqual([nonceBytes, 28]);
    expect(wire).toMatch(/^[0-9A-Za-z]{27}=$/);
    for (const character of wire) seen.add(character);
  }
  expect(seen.size).toBe(63);
});

test("a nonce in base64 that has one is drawn again, and a source that repeats itself is a bug", () => {
  const draws = ["ff", "fb", "a5"].map((hex) => Buffer.from(hex.repeat(nonceBytes), "hex"));
  expect(freshNonce("base64-nonce", () => draws.shift() ?? Buffer.alloc(0))).toEqual(Buffer.alloc(20, 0xa5));
  expect(() => freshNonce("base64-nonce", () => Buffer.alloc(20, 0xff))).toThrow("repeats itself");
});

test("a nonce in hexadecimal is the bytes as they were drawn", () => {
  const drawn = new Uint8Array(nonceBytes).fill(0xff);
  expect(freshNonce("text-nonce", () => drawn)).toBe(drawn);
});

test.each([
  ["me@example.com", true],
  ["o'hara+ref@mail.example.co", true],
  ["me@xn--bcher-kva.example", true],
  ["P@ssw0rd!2026", false],
  ["me@localhost", false],
  ["me@127.0.0.1", false],
  ["a@b@example.com", false],
  ["two words@example.com", false],
])("whether %s is an e-mail address: %s", (text, is) => {
  expect(isEmailAddress(text)).toBe(is);
});
