import { describe, expect, test } from "vitest";
import { redactorOf } from "../../../src/redaction/redact.ts";
import { type AnswerParts, judged, replied } from "../../support/exchanges.ts";
import { explained, unredacted } from "../causes/found.ts";

type Row = readonly [name: string, ...values: string[]];
const hits: readonly Row[] = [
  ...["47", "0, 1", "99999999999999999999"].map((age): Row => ["age", age]),
  ["cache-status", "ExampleCache; hit"],
  ["cache-status", "Origin; fwd=uri-miss, CDN; ttl=30; HIT; detail=x"],
  ["cache-status", "CDN; hit=?1"],
  ["cache-status", '"CDN; hit'],
  ["x-cache", "HIT"],
  ["x-cache", "Hit from cloudfront"],
  ["x-cache", "RefreshHit from cloudfront"],
  ["x-cache", "TCP_HIT from a1.example (AkamaiGHost)"],
  ["x-cache", "MISS, HIT"],
  ["x-cache-status", "HIT"],
  ["x-proxy-cache", "hit"],
  ["cf-cache-status", "HIT"],
  // Of several fields, one that names a hit is enough.
  ["age", "0", "47"],
  ["x-cache", "MISS", "HIT"],
];
const misses: readonly Row[] = [
  ...["0", "00", "-1", "0, 0", "1e999", "0.0", "0x0", "", "old", "1 s"].map((age): Row => ["age", age]),
  ["cache-status", "CDN; fwd=uri-miss; stored"],
  ["cache-status", '"a; hit"; fwd=miss; detail="hit, hit"'],
  ["cache-status", "CDN; hit=?0"],
  ["x-cache", "MISS from hit.example"],
  ["x-cache", "hit-for-pass"],
  ["x-cache-status", "BYPASS"],
  ["x-cache-lookup", "HIT from squid:3128"],
  ["cf-cache-status", "DYNAMIC"],
];

const answers: ReadonlyArray<readonly [string, AnswerParts]> = [
  ["accepted", { body: '{"code":200,"message":"Hi"}' }],
  ["rejected", { status: 401 }],
  ["unexpected", { status: 403, body: "No" }],
  ["unavailable", { status: 429 }],
  ["unavailable", { status: 503 }],
];

describe.each(answers)("a response that would be %s, %j,", (kind, parts) => {
  const withFields = ([name, ...values]: Row) => replied({ ...parts, headers: { [name]: values } });

  // A server that is busy keeps its outcome, and a finding names the cache.
  test.each(hits.map((row) => [row]))("is a cache's with %j, which is named", (row) => {
    const exchange = withFields(row);
    const outcome = judged(exchange, 10, unredacted);
    const { headline, findings } = explained({ exchange });
    if (kind === "unavailable") expect(outcome.kind).toBe(kind);
    else expect(outcome).toMatchObject({ kind: "unexpected", reason: { kind: "cached" } });
    const said = kind === "unavailable" ? findings.find(({ id }) => id === "cached")?.message : headline;
    const [, name, value] = /a cache answered \((\S+): (.*?)\)(?=[,:])/.exec(said?.toLowerCase() ?? "") ?? [];
    expect([name, value?.endsWith(row.at(-1)?.toLowerCase() ?? "")], said).toEqual([row[0], true]);
  });

  test.each(misses.map((row) => [row]))("is judged as without %j", (row) => {
    expect(judged(withFields(row), 10, unredacted)).toEqual(judged(replied(parts), 10, unredacted));
  });
});

test("a field that holds the secret is not shown", () => {
  const exchange = replied({ status: 401, headers: { "x-cache": "HIT for a-secret" } });
  expect(judged(exchange, 10, redactorOf(["a-secret"]))).toMatchObject({
    reason: { mark: "x-cache: HIT for [secret]" },
  });
});
