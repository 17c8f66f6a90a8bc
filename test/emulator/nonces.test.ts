import { expect, test } from "vitest";
import { nonceMemory } from "../../src/emulator/nonces.ts";

test("a nonce is kept for twice the window and then forgotten, when another one comes", () => {
  const nonces = nonceMemory(300, 10);
  expect(nonces.use("a", 1000)).toBe("new");
  expect(nonces.use("b", 1600)).toBe("new");
  expect(nonces.use("a", 1600)).toBe("used");
  expect(nonces.use("c", 1601)).toBe("new");
  expect(nonces.use("b", 1601)).toBe("used");
  expect(nonces.use("a", 1601)).toBe("new");
});

test("a full memory takes no more nonces and forgets none until the oldest expires", () => {
  const nonces = nonceMemory(300, 2);
  const use = (at: number, ...keys: readonly string[]) => keys.map((key) => nonces.use(key, at));
  expect(use(0, "a")).toEqual(["new"]);
  expect(use(1, "b")).toEqual(["new"]);
  expect(use(600, "c", "a", "b")).toEqual(["full", "used", "used"]);
  expect(use(601, "c", "b", "a")).toEqual(["new", "used", "full"]);
});

test("nothing is forgotten when the clock is set back", () => {
  const nonces = nonceMemory(300, 10);
  expect(["a", "b", "a"].map((key, at) => nonces.use(key, 10_000 * (1 - at)))).toEqual([
    "new",
    "new",
    "used",
  ]);
});
