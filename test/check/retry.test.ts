import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/check/outcome.ts";
import { pauseIn } from "../../src/check/read/dates.ts";
import { pauseBeforeRetry } from "../../src/check/sender.ts";
import { exitCodeOf } from "../../src/exit-codes.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { definitionOf } from "../../src/settings/table.ts";
import { judged, read, replied, repliedAt } from "../support/exchanges.ts";
import { outcomeOf } from "../support/outcomes.ts";

function unavailable(retryAfter?: string, date?: string): Outcome {
  const headers = { ...(retryAfter && { "retry-after": retryAfter }), ...(date && { date }) };
  return judged(replied({ status: 503, headers }), 10, redactorOf(["1234"]));
}

const httpDate = (milliseconds: number): string => new Date(milliseconds).toUTCString();

// test/check/http-date.test.ts has the forms of a date.
test.each([
  ["a date, by this clock", httpDate(repliedAt + 9_000), undefined, 9],
  ["a date, by the server's clock", httpDate(repliedAt + 9_000), httpDate(repliedAt + 4_000), 5],
  ["a date of RFC 850", "Saturday, 21-Nov-26 12:00:09 GMT", undefined, 9],
  ["a date that has passed", httpDate(repliedAt - 9_000), undefined, null],
  ["the server's own time", httpDate(repliedAt), httpDate(repliedAt), null],
  ["a very long wait", "99999999999", undefined, 999_999_999],
  ["white space around seconds", " 7 ", undefined, 7],
  ["seconds that hold a secret", "71234", undefined, null],
  ["nothing", undefined, undefined, null],
])("the wait that Retry-After asks for: %s", (_, retryAfter, date, expected) => {
  expect(unavailable(retryAfter, date)).toMatchObject({ response: { retryAfterSeconds: expected } });
});

test("seconds are read with decimals and rounded up; anything else is no pause", () => {
  const pauseOf = (retryAfter: string) => read({ headers: { "retry-after": retryAfter } }).retryAfterSeconds;
  fc.assert(
    fc.property(fc.nat(99_999), fc.stringMatching(/^\d{0,3}$/), (seconds, digits) => {
      const decimals = digits === "" ? "" : `.${digits}`;
      const rounded = Math.ceil(Number(seconds + decimals));
      expect(pauseOf(seconds + decimals)).toBe(rounded === 0 ? null : rounded);
      for (const odd of ["-#", "#s", "#m", "# seconds", "about #", "#,5", "#e3", "#.", "PT#S", "soon"])
        expect(pauseOf(odd.replace("#", String(seconds))), odd).toBeNull();
    }),
  );
  for (const one of [httpDate(repliedAt - 9_000), ""]) expect(pauseOf(one)).toBeNull();
});

test("a date in Retry-After says nothing where no clock is known", () => {
  const { response } = replied({ headers: { "retry-after": httpDate(repliedAt) } });
  expect(pauseIn(response, null)).toBeNull();
  expect(pauseIn(response, repliedAt - 2_000)).toBe(2);
});

/** The decision after so many retries, of eight that are allowed, with pauses of at most 10 s. */
const decide = (retried: number, outcome: Outcome, random = 0) =>
  pauseBeforeRetry(
    { retried, retries: 8, maxWaitSeconds: 10 },
    { isCommandLine: true },
    outcome,
    () => random,
  );

describe("the pause before the next attempt", () => {
  test("doubles with jitter, up to 8 seconds", () => {
    const pauses = (random: number) =>
      [0, 1, 2, 3, 4, 5].map((retried) => decide(retried, unavailable(), random));
    expect(pauses(0)).toEqual([0.25, 0.5, 1, 2, 4, 4]);
    expect(pauses(1)).toEqual([0.5, 1, 2, 4, 8, 8]);
  });

  test("is at least what the server asks for, and a server that asks for more than the longest pause is left alone", () => {
    expect(decide(0, unavailable("10"))).toBe(10);
    expect(decide(4, unavailable("1")), "the back-off is longer").toBe(4);
    expect(decide(0, unavailable("3600"))).toBe(
      "not retried: Retry-After is 1 hour, and --max-wait allows 10 s",
    );
    const limits = { retried: 0, retries: 1, maxWaitSeconds: 10 };
    const said = pauseBeforeRetry(limits, { isCommandLine: false }, unavailable("3600"), () => 0.5);
    expect(said, "the library has no such option").toBe(
      "not retried: Retry-After is 1 hour, and the library allows 10 s",
    );
  });

  test("is the same after no answer: what a server asked for before does not count", () => {
    const { unreachable, timeout } = outcomeOf;
    expect([unreachable, timeout].map((outcome) => decide(1, outcome))).toEqual([0.5, 0.5]);
  });

  test("follows the exit codes that the table of settings names", () => {
    const retried = Object.values(outcomeOf).filter((one) => decide(0, one) !== null);
    const codes = retried.map(({ kind }) => exitCodeOf[kind]).toSorted();
    expect(definitionOf("retries").summary.match(/\d+/g)?.map(Number)).toEqual(codes);
  });

  test("is not made once all attempts are made, and nothing is said about it", () => {
    expect(decide(7, unavailable())).toBe(4);
    expect([unavailable(), unavailable("11")].map((outcome) => decide(8, outcome))).toEqual([null, null]);
  });
});
