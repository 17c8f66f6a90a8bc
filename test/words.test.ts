import { expect, test } from "vitest";
import { durationInWords } from "../src/words.ts";

test("a duration reads as its two largest units; up to two minutes it is seconds", () => {
  const words = [2.5, 120, 121, 400, 3_600, 3_659, 3_660, 172_800, 176_400].map(durationInWords);
  expect(words.slice(0, 4)).toEqual(["2.5 s", "120 s", "2 minutes 1 second", "6 minutes 40 seconds"]);
  expect(words.slice(4)).toEqual(["1 hour", "1 hour", "1 hour 1 minute", "2 days", "2 days 1 hour"]);
});
