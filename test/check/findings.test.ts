import { describe, expect, test } from "vitest";
import type { RuleId } from "../../src/check/outcome.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { replied, repliedAt } from "../support/exchanges.ts";
import { accepted, rejected, table } from "./finding-cases.ts";
import { type Case, findingsIn } from "./found.ts";

const idsOf = (wanted: Case): readonly string[] => findingsIn(wanted).map(({ id }) => id);

/** The exchange with further header fields, where it is an answer. */
function withFields(exchange: Exchange, fields: Readonly<Record<string, string>>): Exchange {
  if (exchange.kind !== "response") return exchange;
  const added = Object.entries(fields).map(([name, value]) => ({ name, value }));
  return {
    ...exchange,
    response: { ...exchange.response, headers: [...exchange.response.headers, ...added] },
  };
}

describe.each(Object.entries(table))("the finding %s", (id, [present, absent]) => {
  test("appears where it must", () => {
    expect(idsOf(present)).toContain(id);
  });

  test("does not appear where it must not", () => {
    expect(idsOf(absent)).not.toContain(id);
  });
});

test("what is measured stands before what is possible, and remarks stand last, whatever comes together", () => {
  const remarks: readonly string[] = ["base-url-suffix", "unusual-headers"] satisfies readonly RuleId[];
  const ranks = { proved: 0, measured: 1, possible: 2 };
  const cases: readonly Case[] = Object.values(table).flat();
  const dates = { date: new Date(repliedAt - 400_000).toUTCString() };
  const together = cases.flatMap(({ exchange, ...one }) =>
    cases.map(({ credential = one.credential, hints, proxy = one.proxy }) => ({
      exchange: withFields(exchange, dates),
      ...(one.url !== undefined && { url: one.url }),
      ...(credential !== undefined && { credential }),
      ...(proxy !== undefined && { proxy }),
      hints: { ...one.hints, ...hints, suffixGiven: true },
    })),
  );

  const seen = together.map((each) =>
    findingsIn(each).map(({ id, certainty }) => (remarks.includes(id) ? 3 : ranks[certainty])),
  );
  for (const order of seen) expect(order).toEqual(order.toSorted());
  expect(seen).toContainEqual([1, 2, 2, 3]);
});

test("a firewall's refusal in plain text may be a firewall's", () => {
  const exchange = rejected({ "cf-ray": "1" }, 403, "error code: 1020");
  expect(idsOf({ exchange })).toEqual(["no-evidence", "blocked"]);
});

test("a plain success has no findings", () => {
  expect(idsOf({ exchange: accepted() })).toEqual([]);
});

test.each([
  [
    "a 404 of an URL with the endpoint in it",
    replied({ status: 404 }),
    { suffixGiven: true },
    /^Remove \/test-auth/,
  ],
  ["a 404 of one without", replied({ status: 404 }), {}, /version or prefix may be missing/],
])("the advice for %s fits", (_, exchange, hints, fix) => {
  expect(findingsIn({ exchange, hints }).map((finding) => finding.fix)).toContainEqual(
    expect.stringMatching(fix),
  );
});
