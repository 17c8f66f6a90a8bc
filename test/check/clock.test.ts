import fc from "fast-check";
import { expect, test } from "vitest";
import { clockCorrections } from "../../src/check/changes.ts";
import { readExchange, clockSkew as skewOf } from "../../src/check/read/response.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { failed, replied, repliedAt } from "../support/exchanges.ts";
import { unredacted } from "./causes/found.ts";

const clockSkew = (exchange: Exchange) => skewOf(readExchange(exchange, unredacted));
const dated = (milliseconds: number, more: Record<string, string> = {}) =>
  clockSkew(replied({ headers: { date: new Date(milliseconds).toUTCString(), ...more } }));

test.each([0, 400, 3_600, -400, -86_400])("a clock that is %i s ahead is measured so", (skewSeconds) => {
  expect(dated(repliedAt - skewSeconds * 1000)).toEqual({ skewSeconds, uncertaintySeconds: 1 });
});

test.each(["0", "00", " 0 ", "", "soon"])("an Age of %j is none", (age) => {
  expect(dated(repliedAt - 400_000, { age })?.skewSeconds).toBe(400);
});

// test/check/read/cache.test.ts has all marks of caches.
test.each([
  ["age", "1"],
  ["x-cache", "HIT"],
])("a response with %s: %s is that of a cache, and measures nothing", (name, value) => {
  expect(dated(repliedAt - 400_000, { [name]: value })).toBeNull();
});

test("a slow answer is less certain", () => {
  const exchange = replied({ headers: { date: new Date(repliedAt).toUTCString() } });
  const slow = { ...exchange, trace: { ...exchange.trace, sentAt: repliedAt - 5_000 } };
  expect(clockSkew(slow)).toEqual({ skewSeconds: -2, uncertaintySeconds: 3 });
});

test.each([{}, { date: "yesterday" }, { date: "Sun, 32 Nov 2026 12:00:00 GMT" }])(
  "without a readable Date nothing is measured",
  (headers) => {
    expect(clockSkew(replied({ headers }))).toBeNull();
  },
);

test("two Date fields that differ measure nothing; the same one twice is one", () => {
  const [now = "", earlier = ""] = [repliedAt, repliedAt - 400_000].map((time) =>
    new Date(time).toUTCString(),
  );
  expect(clockSkew(replied({ headers: { date: [now, earlier] } }))).toBeNull();
  expect(clockSkew(replied({ headers: { date: [earlier, earlier] } }))?.skewSeconds).toBe(400);
});

test("a difference that rounds to nothing is 0, not minus 0", () => {
  const exchange = replied({ headers: { date: new Date(repliedAt).toUTCString() } });
  const early = { ...exchange, trace: { ...exchange.trace, sentAt: repliedAt - 220 } };
  expect(clockSkew(early)?.skewSeconds).toBe(0);
});

test("an exchange without a response, or of which a time is missing, measures nothing", () => {
  const exchange = replied({ headers: { date: new Date(repliedAt).toUTCString() } });
  for (const missing of [{ sentAt: null }, { respondedAt: null }])
    expect(clockSkew({ ...exchange, trace: { ...exchange.trace, ...missing } })).toBeNull();
  expect(clockSkew(failed({ step: "response", code: "EOF", received: "nothing" }))).toBeNull();
});

const most = 48 * 3600;

test.each([
  ["of clocks that agree", 0, [-3]],
  ["of a difference within the precision of Date", 2, [-3]],
  ["of this clock ahead", 400, [-400, -403]],
  ["of this clock behind", -3, [3, 0]],
  ["of 48 hours", most, [-most]],
  ["of 48 hours behind", -most, [most, most - 3]],
  ["of more", most + 1, []],
])("the corrections %s (%i s) are %j; the last one is kept", (_, skewSeconds, corrections) => {
  expect(clockCorrections({ skewSeconds, uncertaintySeconds: 1 })).toEqual(corrections);
});

test("if nothing is known of the server's clock, Created is tried 3 seconds earlier", () => {
  expect(clockCorrections(null)).toEqual([-3]);
});

test("no time beyond 48 hours is tried, whatever is measured", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.nat(1000), (skewSeconds, uncertaintySeconds) => {
      for (const seconds of clockCorrections({ skewSeconds, uncertaintySeconds })) {
        expect(Math.abs(seconds)).toBeLessThanOrEqual(most);
      }
    }),
  );
});
