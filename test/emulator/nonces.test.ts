import { expect, test } from "vitest";
import { nonceMemory } from "../../src/emulator/nonces.ts";

test("has() finds a nonce after remember()", () => {
  const nonces = nonceMemory(300, 10);
  expect(nonces.has("a")).toBe(false);
  expect(nonces.remember("a", 0)).toBe(true);
  expect(nonces.has("a")).toBe(true);
});

test("a nonce is kept for twice the window and then forgotten", () => {
  const nonces = nonceMemory(300, 10);
  nonces.remember("a", 1000);
  nonces.remember("b", 1600);
  expect(nonces.has("a")).toBe(true);
  nonces.remember("c", 1601);
  expect(nonces.has("a")).toBe(false);
  expect(nonces.has("b")).toBe(true);
});

test("a full memory takes no more nonces and forgets none until the oldest expires", () => {
  const nonces = nonceMemory(300, 2);
  nonces.remember("a", 0);
  nonces.remember("b", 1);
  expect(nonces.remember("c", 600)).toBe(false);
  expect(["a", "b", "c"].map(nonces.has)).toEqual([true, true, false]);
  expect(nonces.remember("c", 601)).toBe(true);
  expect(["a", "b", "c"].map(nonces.has)).toEqual([false, true, true]);
});

test("nothing is forgotten when the clock is set back", () => {
  const nonces = nonceMemory(300, 10);
  nonces.remember("a", 10_000);
  nonces.remember("b", 0);
  expect(nonces.has("a")).toBe(true);
});
