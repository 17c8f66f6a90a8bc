import { expect, test } from "vitest";
import { nearestAndOthers } from "../../src/settings/nearest.ts";

test.each([
  ["time_out", "Did you mean timeout? The others are retry, proxy"],
  ["prox", "Did you mean proxy? The others are retry, timeout"],
  ["zzzzzzzz", "The nearest is retry. The others are timeout, proxy"],
])("for the unknown name %s the hint is: %s", (unknown, hint) => {
  expect(nearestAndOthers(unknown, ["retry", "timeout", "proxy"])).toBe(hint);
});
