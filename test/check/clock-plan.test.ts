import fc from "fast-check";
import { expect, test } from "vitest";
import { clockPlan, shiftInWords } from "../../src/check/clock-plan.ts";

const measured = (skewSeconds: number) => clockPlan({ skewSeconds, uncertaintySeconds: 1 });

test.each([0, 2, -2])("clocks that differ by %i s agree, and Created is tried 3 seconds earlier", (skew) => {
  expect(measured(skew)).toEqual({ corrections: [-3], kept: -3, clocksAgree: true });
  expect(clockPlan(null)).toEqual(measured(skew));
});

test.each([3, -3, 400])("a difference of %i s is tried, then 3 seconds earlier, which is kept", (skew) => {
  expect(measured(skew)).toEqual({ corrections: [-skew, -skew - 3], kept: -skew - 3, clocksAgree: false });
});

test("no time beyond 48 hours is tried, whatever is measured", () => {
  const most = 48 * 3600;
  expect(measured(most).corrections).toEqual([-most]);
  expect(measured(-most).corrections).toEqual([most, most - 3]);
  expect(measured(most + 1)).toEqual({ corrections: [], kept: 0, clocksAgree: false });
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.nat(1000), (skewSeconds, uncertaintySeconds) => {
      const { corrections, kept } = clockPlan({ skewSeconds, uncertaintySeconds });
      for (const seconds of [...corrections, kept]) expect(Math.abs(seconds)).toBeLessThanOrEqual(most);
      expect(kept).toBe(corrections.at(-1) ?? 0);
    }),
  );
});

test("a correction is said in words", () => {
  expect(shiftInWords(-3)).toBe("3 s earlier");
  expect(shiftInWords(400)).toBe("6 minutes 40 seconds later");
});
