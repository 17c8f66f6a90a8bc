import { expect, test } from "vitest";
import { nonceMemory } from "../../src/emulator/credentials.ts";
import { nonce, now, verdict, withWsse, wsse } from "./support.ts";

test("a memory keeps each nonce for twice the window, and forgets the oldest if there are too many", () => {
  const nonces = nonceMemory(300, 2);
  const use = (at: number, ...keys: readonly string[]) =>
    keys.map((key) => {
      const used = nonces.isUsed(key);
      nonces.remember(key, at);
      return used;
    });
  expect([use(0, "a"), use(1, "b"), use(600, "b")]).toEqual([[false], [false], [true]]);
  expect([nonces.isUsed("a"), use(601, "a")]).toEqual([true, [true]]);
  // The third makes room for itself.
  expect(use(602, "c")).toEqual([false]);
  expect([nonces.isUsed("b"), nonces.isUsed("a"), nonces.isUsed("c")]).toEqual([false, true, true]);
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
});
