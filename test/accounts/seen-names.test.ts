import fc from "fast-check";
import { expect, test } from "vitest";
import { SeenNames } from "../../src/accounts/seen-names.ts";
import { numRuns } from "../properties/runs.ts";

test("a name is new once", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 2 })), (names) => {
      const seen = new SeenNames();
      const known = new Set<string>();
      for (const name of names) {
        expect(seen.add(name)).toBe(!known.has(name));
        known.add(name);
      }
    }),
    { numRuns },
  );
});

test("a hundred thousand names take at most 16 bytes each, also right after it has grown", () => {
  const seen = new SeenNames();
  for (let count = 1; count <= 100_000; count += 1) {
    if (!seen.add(`account-${count}`)) expect.unreachable();
    if (count > 1_000 && seen.bytes > 16 * count) expect.unreachable(`${seen.bytes} bytes for ${count}`);
  }
  expect(seen.add("account-77777")).toBe(false);
});
