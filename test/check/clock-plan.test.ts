import fc from "fast-check";
import { expect, test } from "vitest";
import { clockCorrections, shiftInWords } from "../../src/check/clock-plan.ts";

const most = 48 * 3600;

test.each([
  ["of clocks that agree", 0, [-3]],
  ["of a difference within the precision of Date", 2, [-3]],
  ["of this clock ahead", 400, [-400, -403]],
  ["of this clock behind", -3, [3, 0]],
  ["of 48 hours", most, [-most]],
  ["of 48 hours behind", -most, [most, most - 3]],
  ["of more", most + 1, []],
])("the corrections %s (%i s) are %j; the last one is kept", (_, skewSeconds, corrections) => {
  expect(clockCorrections({ skewSeconds, uncertaintySeconds: 1 })).toEqual(corrections);
});

test("if nothing is known of the server's clock, Created is tried 3 seconds earlier", () => {
  expect(clockCorrections(null)).toEqual([-3]);
});

test("no time beyond 48 hours is tried, whatever is measured", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.nat(1000), (skewSeconds, uncertaintySeconds) => {
      for (const seconds of clockCorrections({ skewSeconds, uncertaintySeconds })) {
        expect(Math.abs(seconds)).toBeLessThanOrEqual(most);
      }
    }),
  );
});

test("a correction is said in words", () => {
  expect(shiftInWords(-3)).toBe("3 s earlier");
  expect(shiftInWords(400)).toBe("6 minutes 40 seconds later");
});
