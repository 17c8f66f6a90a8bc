import { describe, expect, test } from "vitest";
import { isRefusal } from "../../../src/check/outcome.ts";
import { marks } from "../../../src/check/read/gateway.ts";
import { type AnswerParts, judged, read, replied } from "../../support/exchanges.ts";
import { explained, unredacted } from "../causes/found.ts";
import { examples } from "./gateway-examples.ts";

/** The parts of a response as it was captured. */
function captured(bytes: string): AnswerParts {
  const [head = "", body = ""] = bytes.split("\n\n");
  const [line = "", ...fields] = head.split("\n");
  const headers = fields
    .map((field) => field.split(": ", 2))
    .map(([name = "", value = ""]) => [name.toLowerCase(), value]);
  return { status: Number(line.split(" ")[1]), headers: Object.fromEntries(headers), body };
}

const rows = Object.entries(marks).map(
  ([key, mark]) => [key, mark, ...examples[key as keyof typeof marks]] as const,
);

describe.each(rows)("the mark %s", (_, { name, mark, whose }, own, behind) => {
  test("names its gateway, and whose it is, in the gateway's own response", () => {
    const parts = captured(own);
    expect(read(parts).gateway).toMatchObject({ name, mark, whose });
    const exchange = replied(parts);
    const { headline, findings } = explained({ exchange });
    expect(headline).toBe(
      `${name} answered (${parts.status}), not the API: this proves nothing about the credential`,
    );
    expect(findings[0]).toMatchObject({ id: "gateway", certainty: "measured" });
    expect(findings[0]?.message).toBe(`${name} made this response itself: it has ${mark}`);
    const advice = {
      api: `why ${name} answers in its place`,
      network: "operator of this network",
      host: "Check the host of the base URL",
    };
    expect(findings[0]?.fix).toContain(advice[whose]);
    // The gateway may have checked this very credential, so a diagnosis can prove something.
    const refusing = [401, 403].includes(parts.status ?? 0);
    expect(isRefusal(judged(exchange, 10, unredacted))).toBe(refusing);
  });

  test("is not in the response of an API behind it, which is judged as the API's", () => {
    for (const status of [401, 403]) {
      const parts = { ...captured(behind), status };
      expect(read(parts).gateway).toBeNull();
      expect(judged(replied(parts), 10, unredacted).kind).toBe("rejected");
    }
  });
});

const amazon = { "x-amzn-errortype": "ForbiddenException:http://internal.amazon.com/" };
const kong = { "x-kong-response-latency": "2" };
test.each<[outcome: string, AnswerParts]>([
  // A field marks the response whatever its body is.
  ["gateway", { status: 403, headers: amazon }],
  ["gateway", { status: 403, headers: { "x-rapidapi-proxy-response": "true " } }],
  // A challenge outweighs the mark, and other outcomes stay as they are.
  ["foreign-challenge", { status: 401, headers: { ...kong, "www-authenticate": "Key" } }],
  ["accepted", { headers: kong, body: '{"code":200,"message":"Hi"}' }],
  ["status", { status: 404, headers: kong }],
  ["unavailable", { status: 502, body: '{"cloudflare_error":true}' }],
])("%s: %j", (expected, parts) => {
  const outcome = judged(replied(parts), 10, unredacted);
  expect(outcome.kind === "unexpected" ? outcome.reason.kind : outcome.kind).toBe(expected);
});

test("no body can break the search for a mark", () => {
  for (const value of [null, [], {}, { toString: 1 }, "900902", 1, true]) {
    const fields = ["fault", "message", "code", "error_code", "cloudflare_error"];
    const body = JSON.stringify(Object.fromEntries(fields.map((name) => [name, value])));
    expect(() => judged(replied({ status: 403, body }), 10, unredacted)).not.toThrow();
  }
});
