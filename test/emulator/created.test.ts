import fc from "fast-check";
import { expect, test } from "vitest";
import { createdSeconds } from "../../src/emulator/created.ts";
import { createdAt } from "../../src/wsse/header.ts";

const at = Date.UTC(2026, 10, 21, 3, 31, 0) / 1000;

test.each([
  ["2026-11-21T03:31:00+00:00", at],
  ["2026-11-21T03:31:00-00:00", at],
  ["2026-11-21T03:31:00Z", at],
  ["2026-11-21T03:31:00+0000", at],
  ["2026-11-21T03:31:00+00", at],
  ["2026-11-21T05:01:00+01:30", at],
  ["2026-11-21T05:01:00+0130", at],
  ["2026-11-20T22:31:00-05", at],
  ["2026-11-21T03:31:00.000Z", at],
  ["2026-11-21T03:31:00.999999999Z", at],
  ["2026-11-21T03:31:00,5+00:00", at],
  ["2026-11-21T03:31Z", at],
  ["20261121T033100Z", at],
  ["20261121T033100.123+0000", at],
  ["20261121T0331+00", at],
  ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29) / 1000],
])("reads %s", (created, seconds) => {
  expect(createdSeconds(created)).toBe(seconds);
});

test.each([
  ["a day that does not exist", "2026-02-30T00:00:00Z"],
  ["29 February outside a leap year", "2026-02-29T00:00:00Z"],
  ["day 0", "2026-11-00T00:00:00Z"],
  ["a day of the year", "2026-325T03:31:00Z"],
  ["a day of the week", "2026-W47-6T03:31:00Z"],
  ["hours alone", "2026-11-21T03Z"],
  ["a fraction of a minute", "2026-11-21T03:31.5Z"],
  ["month 13", "2026-13-01T00:00:00Z"],
  ["month 0", "2026-00-01T00:00:00Z"],
  ["24:00", "2026-11-21T24:00:00Z"],
  ["minute 60", "2026-11-21T03:60:00Z"],
  ["a leap second", "2016-12-31T23:59:60Z"],
  ["no time zone", "2026-11-21T03:31:00"],
  ["no time", "2026-11-21Z"],
  ["an offset of 24 hours", "2026-11-21T03:31:00+24:00"],
  ["an offset of 60 minutes", "2026-11-21T03:31:00+00:60"],
  ["a date with one dash", "2026-1121T03:31:00Z"],
  ["a time with one colon", "2026-11-21T03:3100Z"],
  ["an empty fraction", "2026-11-21T03:31:00.Z"],
  ["a space in place of T", "2026-11-21 03:31:00Z"],
  ["lower case", "2026-11-21t03:31:00z"],
  ["seconds since the epoch", "1795231860"],
  ["an RFC 9110 date", "Sat, 21 Nov 2026 03:31:00 GMT"],
  ["a line end", "2026-11-21T03:31:00Z\n"],
  ["nothing", ""],
])("refuses %s: %s", (_title, created) => {
  expect(createdSeconds(created)).toBeNull();
});

const time = fc.integer({ min: Date.parse("0000-01-02"), max: Date.parse("9999-12-30") });
const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });

test("every time from year 0 to 9999 is read as the client writes it, and in every form and time zone", () => {
  fc.assert(
    fc.property(time, offset, (now, minutes) => {
      const seconds = Math.floor(now / 1000);
      const text = new Date(now).toISOString();
      const [date = "", clock = ""] = text.split(/[T.]/);
      const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
      const zone = `${two(Math.abs(minutes) / 60)}${two(Math.abs(minutes) % 60)}`;
      const basic = `${date.replaceAll("-", "")}T${clock.replaceAll(":", "")}Z`;
      for (const one of [createdAt(now), text, basic]) expect(createdSeconds(one)).toBe(seconds);
      const local = `${date}T${clock}${minutes < 0 ? "-" : "+"}${zone}`;
      expect(createdSeconds(local)).toBe(seconds - minutes * 60);
    }),
  );
});
