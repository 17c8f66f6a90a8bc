import fc from "fast-check";
import { expect, test } from "vitest";
import { createdSeconds } from "../../src/emulator/created.ts";
import { createdAt } from "../../src/wsse/header.ts";

const at = Date.UTC(2026, 10, 21, 3, 31, 0) / 1000;

test.each([
  ["2026-11-21T03:31:00+00:00", at],
  ["2026-11-21T03:31:00-00:00", at],
  ["2026-11-21T03:31:00Z", at],
  ["2026-11-21T05:01:00+01:30", at],
  ["2026-11-20T22:31:00-05:00", at],
  ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29) / 1000],
])("%s is a time", (created, seconds) => {
  expect(createdSeconds(created)).toBe(seconds);
});

test.each([
  ["a day that does not exist", "2026-02-30T00:00:00Z"],
  ["29 February of no leap year", "2026-02-29T00:00:00Z"],
  ["month 13", "2026-13-01T00:00:00Z"],
  ["month 0", "2026-00-01T00:00:00Z"],
  ["24 o'clock", "2026-11-21T24:00:00Z"],
  ["minute 60", "2026-11-21T03:60:00Z"],
  ["a leap second", "2016-12-31T23:59:60Z"],
  ["no offset", "2026-11-21T03:31:00"],
  ["an offset without a colon", "2026-11-21T03:31:00+0000"],
  ["an offset of 24 hours", "2026-11-21T03:31:00+24:00"],
  ["an offset with 60 minutes", "2026-11-21T03:31:00+00:60"],
  ["milliseconds", "2026-11-21T03:31:00.000Z"],
  ["a space in place of T", "2026-11-21 03:31:00Z"],
  ["lower case", "2026-11-21t03:31:00z"],
  ["a number", "1795231860"],
  ["a line end behind it", "2026-11-21T03:31:00Z\n"],
  ["nothing", ""],
])("%s is none: %s", (_title, created) => {
  expect(createdSeconds(created)).toBeNull();
});

test("reads back whatever the client writes", () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 0) }), (now) => {
      expect(createdSeconds(createdAt(now))).toBe(Math.floor(now / 1000));
    }),
  );
});
