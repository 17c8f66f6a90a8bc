import fc from "fast-check";
import { expect, test } from "vitest";
import { nonceMemory } from "../../src/emulator/nonces.ts";
import { conventionNames } from "../../src/wsse/digest.ts";
import { headerWith, nonce, now, verdict, withWsse, wsse } from "./support.ts";

test("a memory keeps each nonce for twice the window, takes no more while it is full, and then forgets the oldest", () => {
  const nonces = nonceMemory(300, 2);
  const use = (at: number, ...keys: readonly string[]) =>
    keys.map((key) => (nonces.isUsed(key) ? "used" : nonces.remember(key, at) ? "new" : "full"));
  expect([use(0, "a"), use(1, "b")]).toEqual([["new"], ["new"]]);
  expect(use(600, "c", "a", "b")).toEqual(["full", "used", "used"]);
  expect(use(601, "c", "b", "a")).toEqual(["new", "used", "full"]);
  // Nothing is forgotten when the clock is set back.
  expect(use(-10_000, "b", "c", "a")).toEqual(["used", "used", "full"]);
});

test("a nonce is accepted once, and only an accepted request uses it", () => {
  const nonces = nonceMemory(300, 1);
  const sent = (changes: object) => verdict(withWsse(wsse({ nonce, ...changes })), { nonces });
  expect(sent({ secret: "other" })).toContain("401 digest");
  expect(sent({ now: now - 301_000 })).toContain("401 stale");
  expect(sent({})).toContain("200 accepted");
  expect(sent({})).toBe("401 replayed: the Nonce has been used before");
  // A wrong digest is told first, so that nobody learns which nonces were used.
  expect(sent({ secret: "other" })).toContain("401 digest");
  const full = "503 full: no more nonces can be remembered until the oldest expire";
  expect(verdict(withWsse(wsse()), { nonces })).toBe(full);
});

test("two spellings of a nonce are one nonce if the convention hashes the same bytes of both", () => {
  const spelling = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.replace(/=+$/, ""),
    (text) => text.replaceAll("+", "-").replaceAll("/", "_"),
    (text) => ` ${text}`,
  );
  const sentNonce = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.constantFrom("base64", "hex"))
    .map(([bytes, encoding]) => Buffer.from(bytes).toString(encoding));
  const created = new Date(now).toISOString();
  fc.assert(
    fc.property(fc.constantFrom(...conventionNames), sentNonce, spelling, (digest, first, spell) => {
      const sent = [first, spell(first)].map((text) => headerWith(text, created, { digest }));
      const digests = sent.map((headers) => /PasswordDigest="[^"]*"/.exec(String(headers["x-wsse"]))?.[0]);
      const rules = { digest, nonces: nonceMemory(300, 9) };
      const [, second] = sent.map((headers) => verdict(headers, rules));
      expect(second).toContain(digests[0] === digests[1] ? "replayed" : "accepted");
    }),
    { examples: [["base64-nonce", "AA==", (text) => text.replace("A=", "B=")]] },
  );
});
