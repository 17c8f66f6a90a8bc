import { expect, test } from "vitest";
import { clockSkew as skewOf } from "../../src/check/read/dates.ts";
import { readExchange } from "../../src/check/read/response.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { type AnswerParts, failed, ofApi, replied, repliedAt } from "../support/exchanges.ts";
import { unredacted } from "./causes/found.ts";

const clockSkew = (exchange: Exchange) => skewOf(readExchange(exchange, unredacted, ofApi));
const dateOf = (secondsAhead: number): string => new Date(repliedAt - secondsAhead * 1000).toUTCString();

// test/check/read/cache.test.ts has all marks of caches. A response with one measures nothing.
test.each<[skewSeconds: number | null, AnswerParts["headers"]]>([
  [0, { date: dateOf(0) }],
  [400, { date: dateOf(400) }],
  [400, { date: dateOf(400), age: "0" }],
  [400, { date: [dateOf(400), dateOf(400)] }],
  [null, { date: [dateOf(0), dateOf(400)] }],
  [null, { date: dateOf(400), age: "1" }],
  [null, {}],
  [null, { date: "Sun, 32 Nov 2026 12:00:00 GMT" }],
])("this clock is %j s ahead by %j", (skewSeconds, headers = {}) => {
  const measured = skewSeconds === null ? null : { skewSeconds, uncertaintySeconds: 1 };
  expect(clockSkew(replied({ headers }))).toEqual(measured);
});

// test/check/diagnose/texts/experiments.txt has what a diagnosis makes of it.
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
