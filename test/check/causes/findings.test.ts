import { describe, expect, test } from "vitest";
import { nothingToTry } from "../../../src/check/diagnose/conclusions.ts";
import { outcomes } from "../../../src/check/outcome.ts";
import type { Finding, RuleId } from "../../../src/check/result.ts";
import type { Exchange } from "../../../src/http/exchange.ts";
import { redactorOf } from "../../../src/redaction/redact.ts";
import type { Fix } from "../../../src/settings/fix.ts";
import { judged, replied, repliedAt } from "../../support/exchanges.ts";
import { causes } from "./cases.ts";
import { dated, rejected } from "./exchanges.ts";
import { type Case, explained, findingsIn, found, hex40, token, wsse } from "./found.ts";

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

describe.each(Object.entries(causes))("the finding %s", (id, [shows, near, says]) => {
  test(`says: ${says}`, () => {
    expect(found(id as RuleId, shows)?.message).toContain(says);
  });

  test("names no host that is a secret", () => {
    const redact = redactorOf(["api.example.com"]);
    const outcome = judged(shows.exchange, 10, redact.and([], 500));
    // The finding of a misspelt host does not appear then.
    const message = found(id as RuleId, { outcome, ...shows, redact })?.message ?? "";
    expect(message).not.toContain("api.example.com");
  });

  test("does not appear where it must not", () => {
    expect(idsOf(near)).not.toContain(id);
  });
});

test("findings stand in the order of their certainty, and the one that repeats the outcome last", () => {
  const ranks = { proved: 0, measured: 1, possible: 2 };
  const repeating = new Set<string | null>(Object.values(outcomes).map(({ finding }) => finding));
  const cases: readonly Case[] = Object.values(causes).map(([shows]) => shows);
  const dates = { date: new Date(repliedAt - 400_000).toUTCString() };
  const diagnosed = (["possible", "proved", "measured"] as const).map((certainty) => ({
    id: "clock" as const,
    certainty,
    message: "seen by an experiment",
    fix: ["Set the clock"],
  }));
  const unordered: unknown[] = [];
  for (const { exchange, ...one } of cases) {
    for (const { credential = one.credential, hints } of cases.filter(
      (other) => other.credential ?? other.hints,
    )) {
      const findings = findingsIn({
        ...one,
        exchange: withFields(exchange, dates),
        ...(credential !== undefined && { credential }),
        hints: { ...one.hints, ...hints, suffixGiven: true },
        diagnosed,
      });
      const order = findings.map(({ id, certainty }) => (repeating.has(id) ? 3 : ranks[certainty]));
      if (order.some((rank, index) => rank < (order[index - 1] ?? 0))) unordered.push(findings);
    }
  }
  expect(unordered).toEqual([]);
});

const ruledOut: Finding<Fix> = {
  id: "ruled-out",
  certainty: "measured",
  message: "ruled out: all",
  fix: ["Compare"],
};

test("what a diagnosis rules out stands behind all that is measured", () => {
  const wanted: Case = {
    exchange: rejected(dated(400)),
    credential: wsse({ username: "me" }),
    hints: { suffixGiven: true },
    diagnosed: [ruledOut],
  };
  expect(idsOf(wanted)).toEqual(["clock-ahead", "base-url-suffix", "ruled-out", "username-shape"]);
});

test("that a diagnosis had nothing to try explains nothing", () => {
  const wanted: Case = {
    exchange: replied({ status: 503 }),
    diagnosed: [nothingToTry("only a refusal counts")],
  };
  expect(idsOf(wanted)).toEqual(["not-diagnosed", "unavailable"]);
});

test("an outcome that only possible causes explain is named itself, last", () => {
  const wanted: Case = { exchange: rejected(), credential: wsse({ username: "me" }) };
  expect(idsOf(wanted)).toEqual(["username-shape", "rejected"]);
  expect(idsOf({ ...wanted, hints: { suffixGiven: true } })).toEqual([
    "base-url-suffix",
    "username-shape",
    "rejected",
  ]);
});

test("a clock that is wrong explains a refusal of WSSE, and nothing else", () => {
  expect(idsOf({ exchange: rejected(dated(400)), credential: wsse() })).toEqual(["clock-ahead"]);
  expect(idsOf({ exchange: rejected(dated(400)) })).toEqual(["clock-ahead", "rejected"]);
  const exchange = replied({ status: 500, headers: dated(400) });
  expect(idsOf({ exchange, credential: wsse() })).toEqual(["clock-ahead", "unavailable"]);
});

test("a firewall's refusal in plain text may be a firewall's", () => {
  const exchange = rejected({}, 403, "Blocked by rule 1020");
  expect(idsOf({ exchange })).toEqual(["no-evidence", "blocked"]);
});

const noLength = replied({ status: 401, bodyEnd: "connection" });
const hasSpareToken = { hasSpareToken: true };
test.each<[Case, string]>([
  [{ exchange: rejected() }, "1 further request, and 4 more"],
  [{ exchange: rejected(), credential: wsse() }, "14 further requests, and 10 more"],
  [{ exchange: rejected(), credential: wsse(), hints: hasSpareToken }, "15 further requests, and 9 more"],
  [{ exchange: rejected(dated(400)), credential: token(hex40) }, "1 further request, and 4 more"],
  [{ exchange: noLength }, "1 further request, and 4 more"],
])(
  "the advice to diagnose gives the number of requests for this credential, and ends with a diagnosis: %#",
  (wanted, words) => {
    const cost = "each may count as a failed login";
    expect(explained(wanted).more).toBe(
      `--diagnose can prove more, with at most ${words} if one is accepted; ${cost}`,
    );
    expect(JSON.stringify(findingsIn(wanted))).not.toContain("--diagnose");
    expect(JSON.stringify(explained({ ...wanted, diagnosed: [ruledOut] }))).not.toContain("--diagnose");
  },
);
