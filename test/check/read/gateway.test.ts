import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isRefusal } from "../../../src/check/outcome.ts";
import { type AnswerParts, judged, replied } from "../../support/exchanges.ts";
import { explained, unredacted } from "../causes/found.ts";

/**
 * A refusal that a gateway made itself, and where its maker or users published it; or the fields and bodies of an API behind
 * one that look like its own. A challenge that some send beside it is left out: it decides alone.
 */
interface Row {
  readonly gateway?: string;
  readonly behind?: string;
  readonly source?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const rows: readonly Row[] = readFileSync(new URL("gateways.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const refusals = rows.filter(({ gateway }) => gateway !== undefined);
const own = { code: 401, message: "The credentials were not accepted." };
const exchangeOf = ({ status = 200, headers = {}, body = own }: Row) =>
  replied({ status, headers, body: JSON.stringify(body) });

describe("a refusal that a gateway marks as its own blames no credential", () => {
  test.each(refusals)("$gateway, $status, $body: $source", (row) => {
    const exchange = exchangeOf(row);
    const outcome = judged(exchange, 10, unredacted);
    expect(outcome).toMatchObject({ kind: "unexpected", reason: { kind: "gateway" } });
    // The gateway may have checked this very credential, so a diagnosis can prove something.
    expect(isRefusal(outcome)).toBe(true);
    const { headline, findings } = explained({ exchange });
    expect(headline).toContain(`${row.gateway} answered (${row.status}), not the API`);
    const message = expect.stringMatching(
      new RegExp(`^${row.gateway} made this response itself: it has \\w`),
    );
    const fix = expect.stringMatching(new RegExp(` the \\w[\\w, ]+ of ${row.gateway}`));
    expect(findings[0]).toMatchObject({ id: "gateway", certainty: "measured", message, fix });
  });

  test("ten gateways at least", () => {
    expect(new Set(refusals.map(({ gateway }) => gateway)).size).toBeGreaterThanOrEqual(10);
  });
});

describe.each([401, 403])("the API's own %i is rejected behind", (status) => {
  test.each(rows.filter(({ behind }) => behind !== undefined))("$behind", (row) => {
    const exchange = exchangeOf({ ...row, status });
    expect(judged(exchange, 10, unredacted).kind).toBe("rejected");
  });
});

const amazon = { "x-amzn-errortype": "ForbiddenException:http://internal.amazon.com/" };
const kong = { "x-kong-response-latency": "2" };
test.each<[outcome: string, AnswerParts]>([
  // A field marks the response whatever its body is.
  ["gateway", { status: 403, headers: amazon }],
  ["gateway", { status: 403, headers: amazon, body: "<html><title>Forbidden</title></html>" }],
  ["gateway", { status: 403, headers: amazon, body: "Forbidden" }],
  ["gateway", { status: 403, headers: { "x-rapidapi-proxy-response": "true " } }],
  // A challenge outweighs the mark, and other outcomes stay as they are.
  ["rejected", { status: 401, headers: { ...amazon, "www-authenticate": "WSSE" }, body: "{}" }],
  ["foreign-challenge", { status: 401, headers: { ...kong, "www-authenticate": "Key" } }],
  ["accepted", { headers: kong, body: '{"code":200,"message":"Hi"}' }],
  ["status", { status: 404, headers: kong }],
  ["unavailable", { status: 502, body: '{"cloudflare_error":true}' }],
])("%s: %j", (expected, parts) => {
  const outcome = judged(replied(parts), 10, unredacted);
  expect(outcome.kind === "unexpected" ? outcome.reason.kind : outcome.kind).toBe(expected);
});

test.each([
  { body: { code: "1900901" } },
  { body: { code: "9009011" } },
  { body: { error_code: "no APIG.0301" } },
  { body: { fault: { faultstring: "", detail: { errorcode: "x" } } } },
  { body: { message: "No: Access denied due to missing subscription key" } },
  ...[
    "No: Invalid API key",
    "No: The x is forbidden.",
    "The x is forbidden. No",
    "Your IP address is not allowed yet",
  ].map((message) => {
    return { headers: { server: "APISIX/3.9" }, body: { message } };
  }),
])("no gateway's mark is in %j", (row) => {
  expect(judged(exchangeOf({ ...row, status: 401 }), 10, unredacted).kind).toBe("rejected");
});

test("no body can break the search for a mark", () => {
  for (const value of [null, [], {}, { toString: 1 }, "900902", 1, true]) {
    const fields = ["fault", "message", "code", "error_code", "cloudflare_error"];
    const body = JSON.stringify(Object.fromEntries(fields.map((name) => [name, value])));
    expect(() => judged(replied({ status: 403, body }), 10, unredacted)).not.toThrow();
  }
});
