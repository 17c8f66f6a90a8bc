import { describe, test } from "vitest";

// A table without rows would make no test, and nobody would see it: the file fails instead. Chained forms, such as
// `test.concurrent.each`, are left as they are.
for (const api of [test, describe]) {
  for (const way of ["each", "for"] as const) {
    const original = api[way] as (...args: readonly unknown[]) => unknown;
    const guarded = function (this: unknown, rows: readonly unknown[], ...more: readonly unknown[]): unknown {
      if (rows.length === 0) throw new Error("This table of tests has no rows");
      return original.call(this, rows, ...more);
    };
    Object.assign(api, { [way]: guarded });
  }
}
