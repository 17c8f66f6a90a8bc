import fc from "fast-check";
import { expect, test } from "vitest";
import { createdSeconds } from "../../src/emulator/created.ts";
import { createdAt } from "../../src/wsse/header.ts";

test.each([
  "2026-11-21T03:31:00Z",
  "2026-11-21T03:31:00-00:00",
  "2026-11-21T03:31:00.999999999Z",
  "2026-11-21T03:31:00,5+00:00",
  "20261121T033100.123+0000",
  "20261121T0331+00",
])("reads %s", (created) => {
  expect(createdSeconds(created)).toBe(Date.UTC(2026, 10, 21, 3, 31, 0) / 1000);
});

test.each([
  ["a day that does not exist", "2026-02-30T00:00:00Z"],
  ["a day of the year", "2026-325T03:31:00Z"],
  ["hours alone", "2026-11-21T03Z"],
  ["a fraction of a minute", "2026-11-21T03:31.5Z"],
  ["month 13", "2026-13-01T00:00:00Z"],
  ["24:00", "2026-11-21T24:00:00Z"],
  ["a leap second", "2016-12-31T23:59:60Z"],
  ["no time zone", "2026-11-21T03:31:00"],
  ["an offset of 24 hours", "2026-11-21T03:31:00+24:00"],
  ["an offset of 60 minutes", "2026-11-21T03:31:00+00:60"],
  ["a date with one dash", "2026-1121T03:31:00Z"],
  ["a time with one colon", "2026-11-21T03:3100Z"],
  ["an empty fraction", "2026-11-21T03:31:00.Z"],
  ["a space in place of T", "2026-11-21 03:31:00Z"],
  ["lower case", "2026-11-21t03:31:00z"],
  ["a line end", "2026-11-21T03:31:00Z\n"],
  ["text before", " 2026-11-21T03:31:00Z"],
])("refuses %s: %s", (_title, created) => {
  expect(createdSeconds(created)).toBeNull();
});

test("every time from year 0 to 9999 is read as the client writes it, and in every form and time zone", () => {
  const time = fc.integer({ min: Date.parse("0000-01-02"), max: Date.parse("9999-12-30") });
  const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
  fc.assert(
    fc.property(time, offset, fc.constantFrom("", ":"), (now, minutes, colon) => {
      const seconds = Math.floor(now / 1000);
      const text = new Date(now).toISOString();
      const [date = "", clock = ""] = text.split(/[T.]/);
      const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
      const sign = minutes < 0 ? "-" : "+";
      const hours = sign + two(Math.abs(minutes) / 60);
      const basic = `${date.replaceAll("-", "")}T${clock.replaceAll(":", "")}Z`;
      for (const one of [createdAt(now), text, basic]) expect(createdSeconds(one)).toBe(seconds);
      const local = createdSeconds(`${date}T${clock}${hours}${colon}${two(Math.abs(minutes) % 60)}`);
      expect(local).toBe(seconds - minutes * 60);
      // A zone of whole hours, and a time of whole minutes.
      const short = createdSeconds(`${date}T${clock.slice(0, 5)}${hours}`);
      expect(short).toBe(seconds - (((seconds % 60) + 60) % 60) - Math.trunc(minutes / 60) * 3600);
    }),
    { examples: [[Date.parse("2024-02-29"), -330, ":"]] },
  );
});
