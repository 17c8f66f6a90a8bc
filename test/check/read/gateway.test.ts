import { describe, expect, test } from "vitest";
import { isRefusal } from "../../../src/check/outcome.ts";
import { type AnswerParts, judged, replied } from "../../support/exchanges.ts";
import { explained, unredacted } from "../causes/found.ts";
import { awsHeaders, type Headers, kongHeaders, type Published, refusals } from "./gateway-refusals.ts";

const partsOf = ({ status, headers = {}, body }: Omit<Published, "gateway" | "source">): AnswerParts => ({
  status,
  headers,
  body: JSON.stringify(body),
});

describe("a refusal that a gateway marks as its own blames no credential", () => {
  test.each(refusals)("$gateway, $status, $body: $source", (published) => {
    const exchange = replied(partsOf(published));
    const outcome = judged(exchange, 10, unredacted);
    expect(outcome).toMatchObject({ kind: "unexpected", reason: { kind: "gateway" } });
    // The gateway may have checked this very credential, so a diagnosis can prove something.
    expect(isRefusal(outcome)).toBe(true);

    const { headline, findings } = explained({ exchange });
    expect(headline).toContain(
      `${published.gateway} refused this request (${published.status}), not the API`,
    );
    expect(findings[0]).toMatchObject({ id: "gateway", certainty: "measured" });
    expect(findings[0]?.message).toContain(`${published.gateway} made this response itself: it has `);
    expect(findings[0]?.fix).toContain(` of ${published.gateway}`);
  });

  test("ten gateways at least", () => {
    expect(new Set(refusals.map(({ gateway }) => gateway)).size).toBeGreaterThanOrEqual(10);
  });
});

const own = { code: 401, message: "The credentials were not accepted." };
type Behind = readonly [gateway: string, headers: Headers, body?: object];

/** What gateways add to an API's own refusal, and bodies of APIs that look like a gateway's. */
const behind: readonly Behind[] = [
  [
    "AWS API Gateway",
    { ...awsHeaders, "x-amzn-trace-id": "Root=1-5f84", via: "1.1 x.cloudfront.net (CloudFront)" },
  ],
  [
    "AWS API Gateway, an error type of the API",
    { ...awsHeaders, "x-amzn-errortype": "InvalidTokenException" },
  ],
  ["Cloudflare", { server: "cloudflare", "cf-ray": "9d99f2a17c6b5e6f-FRA", "cf-cache-status": "DYNAMIC" }],
  ["Cloudflare, a field of that name", { server: "cloudflare" }, { ...own, cloudflare_error: false }],
  [
    "Kong",
    { ...kongHeaders, via: "1.1 kong/3.5.0", "x-kong-upstream-latency": "12", "x-kong-proxy-latency": "1" },
  ],
  ["Kong behind Kong", { "x-kong-upstream-latency": "12", "x-kong-response-latency": "3" }],
  ["Apigee", { "x-apigee-message-id": "1" }, { fault: { faultstring: "No" } }],
  [
    "Azure API Management",
    { "request-context": "appId=cid-v1:1" },
    { statusCode: 401, message: "Unauthorized" },
  ],
  ["Google API Gateway", { via: "1.1 google", server: "Google Frontend" }],
  ["Google's Identity-Aware Proxy", { via: "1.1 google" }],
  ["Tyk", { "x-ratelimit-limit": "0", "x-generator": "Drupal 10" }],
  ["WSO2 API Manager", { activityid: "1" }, { code: 401, message: "No", description: "No" }],
  ["Apache APISIX", { server: "APISIX/3.9.1" }],
  [
    "Apache APISIX, the words without the gateway",
    { server: "nginx" },
    { message: "Invalid API key in request" },
  ],
  ["Huawei Cloud API Gateway", { "x-request-id": "1" }, { error_code: "APP.0301", error_msg: "No" }],
  ["RapidAPI", { server: "RapidAPI-1.2.8", "x-rapidapi-version": "1.2.8" }],
  ["Envoy", { server: "istio-envoy", "x-envoy-upstream-service-time": "3" }],
];

describe.each([401, 403])("the API's own %i is rejected behind", (status) => {
  test.each(behind.map((row) => ({ row })))("$row.0", ({ row: [, headers, body = own] }) => {
    const exchange = replied(partsOf({ status, headers, body }));
    expect(judged(exchange, 10, unredacted).kind).toBe("rejected");
    expect(explained({ exchange }).findings.map(({ id }) => id)).not.toContain("gateway");
  });
});

test("a challenge of the API's own outweighs a gateway's mark", () => {
  const headers = { "x-amzn-errortype": "UnauthorizedException", "www-authenticate": "WSSE" };
  const exchange = replied({ status: 401, headers, body: "{}" });
  expect(judged(exchange, 10, unredacted).kind).toBe("rejected");
  expect(explained({ exchange }).findings.map(({ id }) => id)).not.toContain("gateway");
});

test.each([
  ["an empty body", ""],
  ["a page", "<html><title>Forbidden</title></html>"],
  ["text", "Forbidden"],
])("a field marks the response whatever its body is: %s", (_, body) => {
  const headers = { "x-amzn-errortype": "ForbiddenException:http://internal.amazon.com/" };
  expect(judged(replied({ status: 403, headers, body }), 10, unredacted)).toMatchObject({
    reason: { kind: "gateway" },
  });
});

test.each([
  ["not-found", "unexpected", { status: 404, headers: { "x-kong-response-latency": "2" } }],
  ["status", "unexpected", { status: 400, headers: { "x-rapidapi-proxy-response": "true" } }],
  ["redirect", "unexpected", { status: 302, headers: { "x-goog-iap-generated-response": "true" } }],
  ["429", "unavailable", { status: 429, headers: { "x-generator": "tyk.io" } }],
  ["502", "unavailable", { status: 502, body: '{"cloudflare_error":true}' }],
  [
    "foreign-challenge",
    "unexpected",
    { status: 401, headers: { "x-kong-response-latency": "1", "www-authenticate": "Key" } },
  ],
] as const)("another outcome keeps its headline and names the gateway: %s", (_, kind, parts) => {
  const exchange = replied(parts);
  const { headline, findings } = explained({ exchange });
  expect(judged(exchange, 10, unredacted).kind).toBe(kind);
  expect(headline).not.toContain("refused this request");
  expect(findings.filter(({ id }) => id === "gateway")).toHaveLength(1);
  // It explains nothing: the advice of the outcome stays.
  expect(findings.length).toBeGreaterThan(1);
});

test("a success stays accepted, whatever its fields say", () => {
  const headers = { "x-kong-response-latency": "2" };
  const exchange = replied({ headers, body: '{"code":200,"message":"Hi"}' });
  expect(explained({ exchange }).findings).toEqual([]);
});

test("no body can break the search for a mark", () => {
  for (const value of [null, [], {}, { toString: 1 }, "900902", 1, true]) {
    const fields = ["fault", "message", "code", "error_code", "cloudflare_error"].map((name) => [
      name,
      value,
    ]);
    const body = JSON.stringify(Object.fromEntries(fields));
    expect(() => judged(replied({ status: 403, body }), 10, unredacted)).not.toThrow();
  }
});
