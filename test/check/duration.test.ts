import fc from "fast-check";
import { expect, test } from "vitest";
import { durationInWords } from "../../src/check/result.ts";

test.each([
  [0, "0 s"],
  [2.5, "2.5 s"],
  [120, "120 s"],
  [121, "2 minutes 1 second"],
  [180, "3 minutes"],
  [400, "6 minutes 40 seconds"],
  [3_600, "1 hour"],
  [3_659, "1 hour"],
  [3_660, "1 hour 1 minute"],
  [172_800, "2 days"],
  [176_400, "2 days 1 hour"],
  [99_999_999_999, "1157407 days 9 hours"],
])("%d s read as %j", (seconds, words) => {
  expect(durationInWords(seconds)).toBe(words);
});

test("every duration of more than two minutes reads as at most two units, and loses less than its second unit", () => {
  const sizes: Readonly<Record<string, number>> = { day: 86_400, hour: 3_600, minute: 60, second: 1 };
  const smaller: Readonly<Record<string, number>> = { day: 3_600, hour: 60, minute: 1 };
  fc.assert(
    fc.property(fc.integer({ min: 121, max: 10 ** 9 }), (seconds) => {
      const parts = [...durationInWords(seconds).matchAll(/(\d+) (day|hour|minute|second)(s?)/g)];
      expect(parts.map(([text]) => text).join(" ")).toBe(durationInWords(seconds));
      expect(parts.length).toBeLessThanOrEqual(2);
      for (const [, count, , plural] of parts) expect(plural === "s").toBe(count !== "1");
      const read = parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (sizes[unit] ?? 0), 0);
      expect(seconds - read).toBeGreaterThanOrEqual(0);
      expect(seconds - read).toBeLessThan(smaller[parts[0]?.[2] ?? ""] ?? 0);
    }),
  );
});
