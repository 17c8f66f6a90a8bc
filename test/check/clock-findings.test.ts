import { expect, test } from "vitest";
import { replied, repliedAt } from "../support/exchanges.ts";
import { findingsIn } from "./found.ts";

/** What is found first in a refusal by a server whose clock is so many seconds behind. */
function clockMessage(seconds: number): string | undefined {
  const headers = { date: new Date(repliedAt - seconds * 1000).toUTCString() };
  return findingsIn({ exchange: replied({ status: 401, headers }) })[0]?.message;
}

test("whole hours suggest a time zone", () => {
  expect(clockMessage(7_201)).toMatch(
    /^this clock is 2 hours ahead of the server: perhaps a wrong time zone$/,
  );
});

test("whole hours beyond every time zone suggest none", () => {
  expect(clockMessage(27 * 3600)).toMatch(/^this clock is 1 day 3 hours ahead of the server$/);
});

test("a difference that --diagnose does not try is said to be so", () => {
  expect(clockMessage(49 * 3600)).toMatch(
    /^this clock is 2 days 1 hour ahead of the server, too much for --diagnose to try: /,
  );
});
