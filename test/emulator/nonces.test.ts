import { expect, test } from "vitest";
import { nonceMemory } from "../../src/emulator/nonces.ts";
import { defaults } from "../../src/emulator/options.ts";
import { nonceShapes } from "../../src/emulator/username-token.ts";

test("a nonce is known once it is remembered", () => {
  const nonces = nonceMemory(300, 10);
  expect(nonces.has("a")).toBe(false);
  expect(nonces.remember("a", 0)).toBe(true);
  expect(nonces.has("a")).toBe(true);
});

test("a nonce is kept for twice the window and forgotten after", () => {
  const nonces = nonceMemory(300, 10);
  nonces.remember("a", 1000);
  nonces.remember("b", 1600);
  expect(nonces.has("a")).toBe(true);
  nonces.remember("c", 1601);
  expect(nonces.has("a")).toBe(false);
  expect(nonces.has("b")).toBe(true);
});

test("where all are live it takes no more, and forgets none; expiry makes room", () => {
  const nonces = nonceMemory(300, 2);
  nonces.remember("a", 0);
  nonces.remember("b", 1);
  expect(nonces.remember("c", 600)).toBe(false);
  expect(["a", "b", "c"].map(nonces.has)).toEqual([true, true, false]);
  expect(nonces.remember("c", 601)).toBe(true);
  expect(["a", "b", "c"].map(nonces.has)).toEqual([false, true, true]);
});

test("a clock that goes back forgets nothing", () => {
  const nonces = nonceMemory(300, 10);
  nonces.remember("a", 10_000);
  nonces.remember("b", 0);
  expect(nonces.has("a")).toBe(true);
});

const hex = "00ff10203040506070809010a0b0c0d0e0f00102";
const base64 = Buffer.from(hex, "hex").toString("base64");

test.each([
  ["text-nonce", hex, true],
  ["text-nonce", hex.toUpperCase(), true],
  ["decoded-nonce", hex, true],
  ["hex-digest", hex, true],
  ["text-nonce", hex.slice(1), false],
  ["text-nonce", `${hex}0`, false],
  ["text-nonce", `${hex.slice(1)}g`, false],
  ["text-nonce", base64, false],
  ["base64-nonce", base64, true],
  ["base64-nonce", hex, false],
  ["base64-nonce", base64.replace("=", ""), false],
  ["base64-nonce", Buffer.alloc(20, 0xff).toString("base64").replaceAll("/", "_"), false],
  ["base64-nonce", Buffer.alloc(21).toString("base64"), false],
] as const)("under %s the nonce %s fits: %s", (digest, nonce, fits) => {
  expect(nonceShapes[digest].fits(nonce)).toBe(fits);
});

test("a second spelling of the same base64 bytes is refused, since it would replay the first", () => {
  const other = base64.replace(/.=$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}=`);
  expect(Buffer.from(other, "base64")).toEqual(Buffer.from(base64, "base64"));
  expect(nonceShapes["base64-nonce"].fits(other)).toBe(false);
});

test("the memory has a bound unless another is asked for", () => {
  expect(defaults.maximumNonces).toBeLessThanOrEqual(100_000);
});
