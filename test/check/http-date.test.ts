import fc from "fast-check";
import { expect, test } from "vitest";
import { parseHttpDate } from "../../src/check/read/dates.ts";

const now = Date.UTC(2026, 10, 21);
const longDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The three forms of a time (RFC 9110, section 5.6.7). */
function formsOf(time: number): readonly string[] {
  const date = new Date(time);
  const fixdate = date.toUTCString();
  const [day = "", dd = "", month = "", year = "", clock = ""] = fixdate.split(/,? /);
  const asctime = `${day} ${month} ${dd.replace(/^0/, " ")} ${clock} ${year}`;
  return [fixdate, `${longDays[date.getUTCDay()]}, ${dd}-${month}-${year.slice(2)} ${clock} GMT`, asctime];
}

const second = 1000;
// A year of two digits is no more than 50 years from now.
const times = fc.integer({ min: Date.UTC(1977, 0) / second, max: Date.UTC(2077, 0) / second - 1 });

test("each of the three forms of a date is read, with white space around it", () => {
  fc.assert(
    fc.property(times, fc.constantFrom("", " ", "\t"), (seconds, space) => {
      for (const form of formsOf(seconds * second))
        expect(parseHttpDate(space + form + space, now)).toBe(seconds * second);
    }),
  );
  expect(parseHttpDate("Saturday, 21-Nov-26 12:00:00 GMT", null)).toBe(Date.UTC(2026, 10, 21, 12));
});

// Nobody checks the day of the week.
const withoutDay = (text: string): string => text.replace(/^[A-Z][a-z]+/, "");

test("a text that differs from a date in one place is another date or none", () => {
  const edit = fc.record({
    at: fc.nat(32),
    cut: fc.nat(2),
    put: fc.constantFrom("", "0", "3", "6", " ", "x", "-", "N"),
  });
  fc.assert(
    fc.property(times, fc.nat(2), edit, (seconds, form, { at, cut, put }) => {
      const text = formsOf(seconds * second)[form] ?? "";
      const edited = text.slice(0, at) + put + text.slice(at + cut);
      const read = parseHttpDate(edited, now);
      if (read !== null) expect(formsOf(read).map(withoutDay)).toContain(withoutDay(edited.trim()));
    }),
    { numRuns: 2_000 },
  );
  for (const text of [null, "", "-1", "2026-11-21T12:00:00Z", "Sat, 31 Feb 2026 12:00:00 GMT"])
    expect(parseHttpDate(text, now)).toBeNull();
});
