import { expect, test } from "vitest";
import { parseHttpDate } from "../../src/check/read/dates.ts";

const now = Date.UTC(2026, 10, 21);

const noon = "2026-11-21T12:00:00Z";

// A year of two digits is no more than 50 years from now.
test.each([
  ["Sat, 21 Nov 2026 12:00:00 GMT", noon],
  [" Sat, 21 Nov 2026 12:00:00 GMT\t", noon],
  ["Saturday, 21-Nov-26 12:00:00 GMT", noon],
  ["Sat Nov 21 12:00:00 2026", noon],
  ["Sunday, 06-Nov-00 08:49:37 GMT", "2000-11-06T08:49:37Z"],
  ["Sunday, 06-Nov-76 08:49:37 GMT", "2076-11-06T08:49:37Z"],
  ["Sunday, 06-Nov-77 08:49:37 GMT", "1977-11-06T08:49:37Z"],
  ["Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"],
  ["Tue, 29 Feb 2028 23:59:59 GMT", "2028-02-29T23:59:59Z"],
  ["Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"],
  ["Saturday, 21-Nov-26 12:00:00 GMT", noon, null],
])("%j is %s", (text, time, clock: number | null = now) => {
  expect(parseHttpDate(text, clock)).toBe(Date.parse(time));
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
x Saturday, 21-Nov-26 12:00:00 GMT|Saturday, 21-Nov-26 12:00:00 GMT x|xSat Nov 21 12:00:00 2026|Sat Nov 21 12:00:00 20260
Sun Nov 6 08:49:37 1994`;

test.each([null, "", "-1", "0", "yesterday", "2026-11-21T12:00:00Z", ...others.split(/[|\n]/)])(
  "%j is none",
  (text) => {
    expect(parseHttpDate(text, now)).toBeNull();
  },
);
