import { expect, test } from "vitest";
import { BoundedCache } from "../../src/http/trusted-certificates.ts";

test("values are kept up to the limit; the one used longest ago goes first", () => {
  const sessions = new BoundedCache<number>(3);
  for (const [index, key] of ["a", "b", "c"].entries()) sessions.set(key, index);
  expect(sessions.get("a")).toBe(0);
  sessions.set("d", 3);
  sessions.set("c", 4);
  expect(["a", "b", "c", "d"].map((key) => sessions.get(key))).toEqual([0, undefined, 4, 3]);
  sessions.delete("a");
  expect(sessions.get("a")).toBeUndefined();
});
