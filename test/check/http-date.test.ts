import { expect, test } from "vitest";
import { parseHttpDate } from "../../src/check/clock.ts";

test.each(["Sat, 21 Nov 2026 12:00:00 GMT", " Sat, 21 Nov 2026 12:00:00 GMT\t"])("%j is a date", (text) => {
  expect(parseHttpDate(text)).toBe(Date.UTC(2026, 10, 21, 12));
});

test("a day that only a leap year has is a date", () => {
  expect(parseHttpDate("Tue, 29 Feb 2028 23:59:59 GMT")).toBe(Date.UTC(2028, 1, 29, 23, 59, 59));
});

// Each differs in one part from the date above.
const others = `Sat, 32 Nov 2026 12:00:00 GMT|Sat, 31 Feb 2026 12:00:00 GMT|Sun, 29 Feb 2026 12:00:00 GMT
Wed, 00 Apr 2026 12:00:00 GMT|Sat, 21 Foo 2026 12:00:00 GMT|Sat, 21 Nov 2026 24:00:00 GMT
Sat, 21 Nov 2026 12:60:00 GMT|Sat, 21 Nov 0026 12:00:00 GMT|Sat, 21 Nov 2026 12:00:00 GMT+1
Sat, 21 Nov 2026 12:00:00 +0000|x Sat, 21 Nov 2026 12:00:00 GMT|Saturday, 21 Nov 2026 12:00:00 GMT
sat, 21 Nov 2026 12:00:00 GMT|S, 21 Nov 2026 12:00:00 GMT|Sat, 1 Nov 2026 12:00:00 GMT
Sat, 21 nov 2026 12:00:00 GMT|Sat, 21 N 2026 12:00:00 GMT|Sat, 21 November 2026 12:00:00 GMT
Sat, 21 Nov 6 12:00:00 GMT|Sat, 21 Nov 2026 1:00:00 GMT|Sat, 21 Nov 2026 12:0:00 GMT
Sat, 21 Nov 2026 12:00:0 GMT|Saturday, 21-Nov-26 12:00:00 GMT|Sat Nov 21 12:00:00 2026`;

test.each([null, "", "-1", "0", "yesterday", "2026-11-21T12:00:00Z", ...others.split(/[|\n]/)])(
  "%j is none: only IMF-fixdate counts",
  (text) => {
    expect(parseHttpDate(text)).toBeNull();
  },
);
