import { expect, test } from "vitest";
import { BoundedCache } from "../../src/http/trusted-certificates.ts";

test("values are kept up to the limit; the one that was added first goes first", () => {
  const sessions = new BoundedCache<number>(3);
  for (const [index, key] of ["a", "b", "c", "d"].entries()) sessions.set(key, index);
  expect(["a", "b", "c", "d"].map((key) => sessions.get(key))).toEqual([undefined, 1, 2, 3]);
  sessions.set("c", 4);
  expect(["b", "c", "d"].map((key) => sessions.get(key))).toEqual([1, 4, 3]);
});
