import { expect, test } from "vitest";
import { nearestAndOthers } from "../../src/options/nearest.ts";

test.each([
  ["time_out", "Did you mean timeout? The others are retry, proxy"],
  ["prox", "Did you mean proxy? The others are retry, timeout"],
  // Only the first 100 characters count, since the time grows with the square of the length.
  [`${"z".repeat(100)}retry`, "The nearest is retry. The others are timeout, proxy"],
  ["zzzzzzzz", "The nearest is retry. The others are timeout, proxy"],
])("for the unknown name %s the hint is: %s", (unknown, hint) => {
  expect(nearestAndOthers(unknown, ["retry", "timeout", "proxy"])).toBe(hint);
});
