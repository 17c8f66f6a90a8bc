import { expect, test } from "vitest";
import { clockCorrections } from "../../src/check/changes.ts";
import { readExchange, clockSkew as skewOf } from "../../src/check/read/response.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { type AnswerParts, failed, replied, repliedAt } from "../support/exchanges.ts";
import { unredacted } from "./causes/found.ts";

const clockSkew = (exchange: Exchange) => skewOf(readExchange(exchange, unredacted));
const dateOf = (secondsAhead: number): string => new Date(repliedAt - secondsAhead * 1000).toUTCString();

// test/check/read/cache.test.ts has all marks of caches. A response with one measures nothing.
test.each<[skewSeconds: number | null, AnswerParts["headers"]]>([
  ...[0, 400, 3_600, -400, -86_400].map((skew): [number, Record<string, string>] => [
    skew,
    { date: dateOf(skew) },
  ]),
  ...["0", "00", " 0 ", "", "soon"].map((age): [number, Record<string, string>] => [
    400,
    { date: dateOf(400), age },
  ]),
  [400, { date: [dateOf(400), dateOf(400)] }],
  [null, { date: [dateOf(0), dateOf(400)] }],
  [null, { date: dateOf(400), age: "1" }],
  [null, { date: dateOf(400), "x-cache": "HIT" }],
  [null, {}],
  [null, { date: "yesterday" }],
  [null, { date: "Sun, 32 Nov 2026 12:00:00 GMT" }],
])("this clock is %j s ahead by %j", (skewSeconds, headers = {}) => {
  const measured = skewSeconds === null ? null : { skewSeconds, uncertaintySeconds: 1 };
  expect(clockSkew(replied({ headers }))).toEqual(measured);
});

// A slow answer is less certain, a difference that rounds to nothing is 0 and not minus 0, and a time that is missing measures nothing.
test.each([
  [{ sentAt: repliedAt - 5_000 }, { skewSeconds: -2, uncertaintySeconds: 3 }],
  [{ sentAt: repliedAt - 220 }, { skewSeconds: 0, uncertaintySeconds: 1 }],
  [{ sentAt: null }, null],
  [{ respondedAt: null }, null],
])("with the times %j it is measured as %j", (times, measured) => {
  const exchange = replied({ headers: { date: dateOf(0) } });
  const found = clockSkew({ ...exchange, trace: { ...exchange.trace, ...times } });
  expect(found).toEqual(measured);
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
