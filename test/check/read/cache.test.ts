import { expect, test } from "vitest";
import { redactorOf } from "../../../src/redaction/redact.ts";
import { type AnswerParts, judged, read, replied } from "../../support/exchanges.ts";

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

test.each(hits.map((row) => [row]))("a response with %j is a cache's, and the field is named", (row) => {
  const [name, ...values] = row;
  const mark = read({ headers: { [name]: values } }).cacheMark?.toLowerCase();
  expect([mark?.startsWith(`${name}: `), mark?.endsWith(row.at(-1)?.toLowerCase() ?? "")]).toEqual([
    true,
    true,
  ]);
});

test.each(misses.map((row) => [row]))("a response with %j is no cache's", ([name, ...values]) => {
  expect(read({ headers: { [name]: values } }).cacheMark).toBeNull();
});

const cached = { kind: "unexpected", reason: { kind: "cached", mark: "x-cache: HIT for [secret]" } };

// A server that is busy keeps its outcome, and a finding names the cache (test/check/causes/texts/answers.txt).
test.each<[AnswerParts, object]>([
  [{ body: '{"code":200,"message":"Hi"}' }, cached],
  [{ status: 401 }, cached],
  [{ status: 403, body: "No" }, cached],
  [{ status: 404 }, { kind: "unexpected", reason: { kind: "not-found" } }],
  [{ status: 429 }, { kind: "unavailable" }],
  [{ status: 503 }, { kind: "unavailable" }],
])("a cache's response %j is judged as %j, and no secret in its field is shown", (parts, expected) => {
  const exchange = replied({ ...parts, headers: { "x-cache": "HIT for a-secret" } });
  expect(judged(exchange, 10, redactorOf(["a-secret"]))).toMatchObject(expected);
});
