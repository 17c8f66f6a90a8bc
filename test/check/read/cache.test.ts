import { expect, test } from "vitest";
import { redactorOf } from "../../../src/redaction/redact.ts";
import { judged, read, replied } from "../../support/exchanges.ts";

type Row = readonly [name: string, ...values: string[]];
/** The fields in which a cache says in words of its own how it answered. */
const ownWords = [
  ...["x-cache", "x-cache-status", "x-proxy-cache", "x-fastcgi-cache", "x-litespeed-cache"],
  ...["x-vercel-cache", "akamai-cache-status", "cf-cache-status"],
];
const fromCache = [
  ...["HIT", "hit", "STALE", "Stale", "UPDATING", "updating", "HIT, MISS", "MISS, HIT", "MISS; STALE"],
  '"HIT"',
  ...["Hit from cloudfront", "RefreshHit from cloudfront", "hit,private", "HIT-STALE"],
  "stale-while-revalidate",
  ...["TCP_HIT from a1.example (AkamaiGHost)", "TCP_MEM_HIT", "TCP_REMOTE_HIT", "TCP_REFRESH_HIT from a"],
  "tcp_ims_hit",
];
const fromApi = [
  ...["MISS", "EXPIRED", "REVALIDATED", "BYPASS", "DYNAMIC", "NONE/UNKNOWN", "PASS", ""],
  "MISS from hit.example",
  ...["hit-for-pass", "HIT_FOR_PASS", "hit-for-miss", "Miss from cloudfront", "Error from cloudfront"],
  "no hit",
  ...["TCP_MISS from a1.example", "TCP_REFRESH_MISS", "TCP_CLIENT_REFRESH_MISS", "TCP_HI"],
  "expired, revalidated",
];

const cached: readonly Row[] = [
  ...["47", "0, 1", "99999999999999999999"].map((age): Row => ["age", age]),
  ...ownWords.flatMap((name) => fromCache.map((value): Row => [name, value])),
  ["cache-status", "ExampleCache; hit"],
  ["cache-status", "Origin; fwd=uri-miss, CDN; ttl=30; HIT; detail=x"],
  ["cache-status", "CDN; hit=?1"],
  ["cache-status", '"CDN; hit'],
  ["cache-status", '"a, b"; hit; ttl=-3'],
  ["cache-status", "HIT"],
  // Of several fields, one that names a cache is enough.
  ["age", "0", "47"],
  ["x-cache", "MISS", "HIT"],
];
const fresh: readonly Row[] = [
  ...["0", "00", "-1", "0, 0", "1e999", "0.0", "0x0", "", "old", "1 s"].map((age): Row => ["age", age]),
  ...ownWords.flatMap((name) => fromApi.map((value): Row => [name, value])),
  ["cache-status", "CDN; fwd=uri-miss; stored"],
  ["cache-status", "CDN; fwd=stale; fwd-status=200"],
  ["cache-status", "hit; fwd=miss"],
  ["cache-status", "CDN; detail=hit"],
  ["cache-status", "CDN; hits=0"],
  ["cache-status", '"a; hit"; fwd=miss; detail="hit, hit"'],
  ["cache-status", "CDN; hit=?0"],
  // These tell of other requests, or what other caches would have answered.
  ["x-cache-lookup", "HIT from squid:3128"],
  ["x-cache-hits", "3"],
];

test("a cache's response is known by its field, which is named; a fresh one is none", () => {
  for (const row of cached) {
    const [name, ...values] = row;
    const mark = read({ headers: { [name]: values } }).cacheMark?.toLowerCase() ?? "";
    expect([mark.startsWith(`${name}: `), mark.endsWith(row.at(-1)?.toLowerCase() ?? "")], `${row}`).toEqual([
      true,
      true,
    ]);
  }
  expect(read({ headers: { age: ["1", "0"] } }).cacheMark).toBe("Age: 1, 0");
  for (const [name, ...values] of fresh)
    expect(read({ headers: { [name]: values } }).cacheMark, `${name}: ${values}`).toBeNull();
});

// test/check/judge.test.ts has the other statuses. A server that is busy keeps its outcome, and a finding names the cache.
test.each([
  [401, { kind: "unexpected", reason: { kind: "cached", mark: "x-cache: HIT for [secret]" } }],
  [404, { kind: "unexpected", reason: { kind: "status" } }],
  [503, { kind: "unavailable" }],
])("a cache's response with %i is judged as %j, and no secret in its field is shown", (status, expected) => {
  const exchange = replied({ status, headers: { "x-cache": "HIT for a-secret" } });
  expect(judged(exchange, 10, redactorOf(["a-secret"]))).toMatchObject(expected);
});
