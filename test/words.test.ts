import { expect, test } from "vitest";
import { durationInWords } from "../src/words.ts";

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
