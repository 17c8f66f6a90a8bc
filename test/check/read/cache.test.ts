import { describe, expect, test } from "vitest";
import { redactorOf } from "../../../src/redaction/redact.ts";
import { type AnswerParts, judged, replied } from "../../support/exchanges.ts";
import { explained, findingsIn, unredacted } from "../causes/found.ts";

const hits: ReadonlyArray<readonly [string, string]> = [
  ["age", "47"],
  ["age", "0, 1"],
  ["age", "99999999999999999999"],
  ["cache-status", "ExampleCache; hit"],
  ["cache-status", "Origin; fwd=uri-miss, CDN; ttl=30; HIT; detail=x"],
  ["cache-status", "CDN; hit=?1"],
  ["x-cache", "HIT"],
  ["x-cache", "Hit from cloudfront"],
  ["x-cache", "RefreshHit from cloudfront"],
  ["x-cache", "TCP_HIT from a1.example (AkamaiGHost)"],
  ["x-cache", "MISS, HIT"],
  ["x-cache-status", "HIT"],
  ["x-proxy-cache", "hit"],
  ["cf-cache-status", "HIT"],
];
const misses: ReadonlyArray<readonly [string, string]> = [
  ["age", "0"],
  ...["00", "-1", "0, 0", "1e999", "0.0", "0x0", "", "old", "1 s"].map((age) => ["age", age] as const),
  ["cache-status", "CDN; fwd=uri-miss; stored"],
  ["cache-status", '"a; hit"; fwd=miss; detail="hit, hit"'],
  ["cache-status", "CDN; hit=?0"],
  ["x-cache", "MISS from hit.example"],
  ["x-cache", "hit-for-pass"],
  ["x-cache-status", "BYPASS"],
  ["x-cache-lookup", "HIT from squid:3128"],
  ["cf-cache-status", "DYNAMIC"],
];

const success: AnswerParts = { body: '{"code":200,"message":"Hi"}' };
const answers: ReadonlyArray<readonly [string, AnswerParts, string]> = [
  ["would be accepted", success, "accepted"],
  ["would be rejected", { status: 401 }, "rejected"],
  ["would be a refusal without evidence", { status: 403, body: "No" }, "unexpected"],
];

describe.each(answers)("a response that %s", (_, parts, kind) => {
  test.each(hits)("is a cache's with %s: %s, and its headline names the field", (name, value) => {
    const outcome = judged(replied({ ...parts, headers: { [name]: value } }), 10, unredacted);
    expect(outcome).toMatchObject({ kind: "unexpected", reason: { kind: "cached" } });
    const { headline } = explained({ exchange: replied({ ...parts, headers: { [name]: value } }) });
    expect(headline.toLowerCase()).toContain(`a cache answered (${name}: ${value.toLowerCase()})`);
  });

  test.each(misses)("is judged as without %s: %s", (name, value) => {
    expect(judged(replied({ ...parts, headers: { [name]: value } }), 10, unredacted).kind).toBe(kind);
  });
});

test.each([
  ["age", ["0", "47"]],
  ["x-cache", ["MISS", "HIT"]],
])("of several fields %s, one that names a hit is enough: %j", (name, values) => {
  const outcome = judged(replied({ ...success, headers: { [name]: values } }), 10, unredacted);
  expect(outcome).toMatchObject({ reason: { kind: "cached" } });
});

test.each([429, 503])("%i keeps its outcome, and a finding names the cache", (status) => {
  const exchange = replied({ status, headers: { "x-cache": "HIT" } });
  expect(judged(exchange, 10, unredacted).kind).toBe("unavailable");
  expect(findingsIn({ exchange })).toContainEqual(
    expect.objectContaining({
      id: "cached",
      certainty: "measured",
      message: expect.stringContaining("X-Cache: HIT"),
    }),
  );
});

test("a field that holds the secret is not shown", () => {
  const exchange = replied({ ...success, headers: { "x-cache": "HIT for a-secret" } });
  expect(judged(exchange, 10, redactorOf(["a-secret"]))).toMatchObject({
    reason: { mark: "X-Cache: HIT for [secret]" },
  });
});
