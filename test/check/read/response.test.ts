import { inspect } from "node:util";
import { expect, test, vi } from "vitest";
import type { Rule } from "../../../src/check/causes/evidence.ts";
import { ReadResponse } from "../../../src/check/read/response.ts";
import { measured } from "../../../src/check/result.ts";
import { type Exchange, headerValue } from "../../../src/http/exchange.ts";
import { redactorOf } from "../../../src/redaction/redact.ts";
import { judged, replied } from "../../support/exchanges.ts";
import { explained } from "../causes/found.ts";

const responseOf = (exchange: Exchange) => {
  if (exchange.kind !== "response") throw new Error("expected a response");
  return exchange.response;
};

test("a rule cannot quote a field of the raw response: this does not compile", () => {
  const slip: Rule = ({ exchange }) =>
    exchange.kind === "response" &&
    // @ts-expect-error: a rule has what was read of the response, not the response.
    measured("web-page", `a static file server answered: ${headerValue(exchange.response, "server")}`, []);
  expect(slip).toBeInstanceOf(Function);
});

test("a rule can quote a field that was searched, and nothing shows the response itself", () => {
  const exchange = replied({ headers: { server: "nginx Zq8XvK2m" }, body: "Zq8XvK2m" });
  const read = new ReadResponse(responseOf(exchange), exchange.trace, redactorOf(["Zq8XvK2m"]));
  expect(read.header("Server")).toBe("nginx [secret]");
  expect(read.header("via")).toBeNull();
  expect(`${JSON.stringify(read)}${inspect(read, { depth: 9, showHidden: true })}`).not.toContain("Zq8XvK2m");
});

test("a body is decoded and parsed once, whatever asks for it", () => {
  const [decode, parse] = [vi.spyOn(TextDecoder.prototype, "decode"), vi.spyOn(JSON, "parse")];
  const exchange = replied({ status: 403, body: '{"message":"Account locked"}', headers: { server: "x" } });
  explained({ exchange, outcome: judged(exchange, 10, redactorOf(["Zq8XvK2m"])) });
  const [decoded, parsed] = [decode.mock.calls.length, parse.mock.calls.length];
  vi.restoreAllMocks();
  // Both the judgement and the explanation of this test read the response.
  expect([decoded, parsed]).toEqual([2, 2]);
});

const escaped = (text: string): string =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

test.each([
  ["escaped, behind a backslash", "Zq8XvK2m\\Geheim7K", (secret: string) => `\\${escaped(secret)}`],
  [
    "plain, behind a backslash that makes its first letter an escape",
    "fQQ5Ttf7Uq2Bw",
    (secret: string) => `\\${secret}`,
  ],
  ["plain, behind the start of a Unicode escape", "c09f2fb61bb9f5f7d3a1", (secret: string) => `\\u${secret}`],
  ["in base64, behind a backslash", "nZq8XvK2mGeheim7K", (secret: string) => `\\b${btoa(secret)}`],
  ["with two backslashes inside", "Zq8X\\\\vK2mGeheim", (secret: string) => secret],
  ["with a Unicode escape inside", "Zq8X\\u0041vK2mGeheim", (secret: string) => secret],
  ["with a backslash at its start", "\\nZq8XvK2mGeheim", (secret: string) => secret],
])("a secret that the parser of JSON half decodes is not shown: %s", (_, secret, sent) => {
  const words = (text: string): readonly string[] => {
    const exchange = replied({ status: 401, body: `{"message":"${text}"}` });
    return new ReadResponse(responseOf(exchange), exchange.trace, redactorOf([secret])).words;
  };
  expect(words(sent(secret))).toEqual(["[secret]"]);
  expect(words("C:\\\\temp is full")).toEqual(["C:\\temp is full"]);
});

test("a text without an escape is shown beside one that holds a secret", () => {
  const exchange = replied({ status: 401, body: '{"message":"no such user","detail":"\\fQQ5Ttf7Uq2Bw"}' });
  const read = new ReadResponse(responseOf(exchange), exchange.trace, redactorOf(["fQQ5Ttf7Uq2Bw"]));
  expect(read.words).toEqual(["no such user", "[secret]"]);
});
