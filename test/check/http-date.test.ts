import { expect, test } from "vitest";
import { parseHttpDate } from "../../src/check/read/dates.ts";

const now = Date.UTC(2026, 10, 21);

test.each([
  "Sat, 21 Nov 2026 12:00:00 GMT",
  " Sat, 21 Nov 2026 12:00:00 GMT\t",
  "Saturday, 21-Nov-26 12:00:00 GMT",
  "Sat Nov 21 12:00:00 2026",
])("%j is a date", (text) => {
  expect(parseHttpDate(text, now)).toBe(Date.UTC(2026, 10, 21, 12));
});

test.each([
  ["00", 2000],
  ["76", 2076],
  ["77", 1977],
])("the year %s is %i, no more than 50 years from now", (year, whole) => {
  expect(parseHttpDate(`Sunday, 06-Nov-${year} 08:49:37 GMT`, now)).toBe(Date.UTC(whole, 10, 6, 8, 49, 37));
});

test("a day of one digit in asctime's form has a space before it", () => {
  expect(parseHttpDate("Sun Nov  6 08:49:37 1994", now)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  expect(parseHttpDate("Sun Nov 6 08:49:37 1994", now)).toBeNull();
});

test("a day that only a leap year has is a date", () => {
  expect(parseHttpDate("Tue, 29 Feb 2028 23:59:59 GMT", now)).toBe(Date.UTC(2028, 1, 29, 23, 59, 59));
});

// Each differs in one part from the date above.
const others = `Sat, 32 Nov 2026 12:00:00 GMT|Sat, 31 Feb 2026 12:00:00 GMT|Sun, 29 Feb 2026 12:00:00 GMT
Wed, 00 Apr 2026 12:00:00 GMT|Sat, 21 Foo 2026 12:00:00 GMT|Sat, 21 Nov 2026 24:00:00 GMT
Sat, 21 Nov 2026 12:60:00 GMT|Sat, 21 Nov 2026 12:00:00 GMT+1
Sat, 21 Nov 2026 12:00:00 +0000|x Sat, 21 Nov 2026 12:00:00 GMT|Saturday, 21 Nov 2026 12:00:00 GMT
sat, 21 Nov 2026 12:00:00 GMT|S, 21 Nov 2026 12:00:00 GMT|Sat, 1 Nov 2026 12:00:00 GMT
Sat, 21 nov 2026 12:00:00 GMT|Sat, 21 N 2026 12:00:00 GMT|Sat, 21 November 2026 12:00:00 GMT
Sat, 21 Nov 6 12:00:00 GMT|Sat, 21 Nov 2026 1:00:00 GMT|Sat, 21 Nov 2026 12:0:00 GMT
Sat, 21 Nov 2026 12:00:0 GMT|Sat, 21-Nov-26 12:00:00 GMT|Saturday, 31-Feb-26 12:00:00 GMT|Saturday Nov 21 12:00:00 2026
x Saturday, 21-Nov-26 12:00:00 GMT|Saturday, 21-Nov-26 12:00:00 GMT x|xSat Nov 21 12:00:00 2026|Sat Nov 21 12:00:00 20260`;

test.each([null, "", "-1", "0", "yesterday", "2026-11-21T12:00:00Z", ...others.split(/[|\n]/)])(
  "%j is none",
  (text) => {
    expect(parseHttpDate(text, now)).toBeNull();
  },
);
