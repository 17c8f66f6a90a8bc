import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { Arrived, exchangeEndOf } from "../../src/http/client.ts";
import { bodyEndOf } from "../../src/http/exchange.ts";
import { ConnectionRecorder } from "../../src/http/record.ts";

// test/faults/broken.both-ways.test.ts has the rules that real responses break.

/** An error with this code, as Node, OpenSSL and undici make them. */
const withCode = (code: string, message = ""): Error => Object.assign(new Error(message), { code });
const parserError = (message: string): Error =>
  Object.assign(new Error(message), { name: "HTTPParserError" });
const arrived = new Arrived(new Socket());
const open = { firstError: null, ended: false, arrived };
/** The record of an exchange whose request was sent, and of whose response this has come. */
function waiting(received: "nothing" | "part" = "nothing"): ConnectionRecorder {
  const record = new ConnectionRecorder({ baseUrl: new URL("https://a.example"), proxy: null });
  record.received = () => received;
  record.enter("response");
  return record;
}

test.each([
  [parserError("(one) and (two)"), "two"],
  [parserError("(one) and then"), "parse error"],
  [parserError("()"), "parse error"],
  [withCode("ERR_ASSERTION"), "Unexpected status"],
])("%s breaks the rule of HTTP: %s", (error, problem) => {
  expect(exchangeEndOf(error, open, waiting())).toMatchObject({
    kind: "malformed",
    broken: { problem },
  });
});

test("a connection that broke while the request was written failed at that step", () => {
  const failure = { step: "request", code: "EPIPE", received: "nothing" };
  expect(exchangeEndOf(withCode("EPIPE"), open, waiting())).toMatchObject({ kind: "failed", failure });
});

test.each(["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_TLS_INVALID_STATE"])("%s is a failure of TLS", (code) => {
  const failure = { step: "tls", at: "api", code, reason: "", received: "part", certificate: null };
  expect(exchangeEndOf(withCode(code), open, waiting("part"))).toMatchObject({ kind: "failed", failure });
  // undici reports the end that follows a TLS alert; the alert came first.
  const connection = { firstError: withCode(code), ended: true, arrived };
  expect(exchangeEndOf(withCode("UND_ERR_SOCKET"), connection, waiting())).toMatchObject({
    kind: "failed",
    failure,
  });
});

describe.each(["part", "nothing"] as const)("a connection that ended after %s of a response,", (received) => {
  test("in an orderly way, is closed by EOF, whatever the error says", () => {
    for (const error of [parserError("(one)"), withCode("ECONNRESET"), withCode("UND_ERR_INVALID_ARG")])
      expect(
        exchangeEndOf(error, { firstError: null, ended: true, arrived }, waiting(received)),
      ).toMatchObject({
        kind: "failed",
        failure: { step: "response", code: "EOF", received },
      });
  });

  test("by an error, is closed by the first error", () => {
    const connection = { firstError: withCode("ECONNRESET"), ended: false, arrived };
    expect(exchangeEndOf(parserError("(one)"), connection, waiting(received))).toMatchObject({
      kind: "failed",
      failure: { step: "response", code: "ECONNRESET", received },
    });
  });
});

test.each([
  ["shows a bug of ours", withCode("UND_ERR_INVALID_ARG")],
  ["shows that WebAssembly is switched off", withCode("ERR_WEBASSEMBLY_NOT_SUPPORTED")],
  ["shows that WebAssembly has no memory", new RangeError("WebAssembly.Instance(): Out of memory: no")],
])("an error that %s is thrown", (_, bug) => {
  expect(() => exchangeEndOf(bug, open, waiting())).toThrow(bug);
});

// A response that its connection ends may have been cut, so it is no evidence of a refusal.
test.each([
  [200, "", "connection"],
  [204, "", "length"],
  [304, "Transfer-Encoding: chunked", "length"],
  [401, "content-length: 0", "length"],
  [401, "x-content-length: 0", "connection"],
  [401, "Transfer-Encoding:  Chunked ", "chunked"],
  [401, "transfer-encoding: gzip, chunked; content-length: 5", "chunked"],
  [401, "transfer-encoding: gzip; transfer-encoding: chunked", "chunked"],
  [401, "transfer-encoding: chunked, gzip", "connection"],
  [401, "transfer-encoding: chunked; transfer-encoding: gzip", "connection"],
  [401, "transfer-encoding: gzip; x-transfer-code: chunked", "connection"],
  [401, "transfer-encoding: gzip; content-length: 5", "length"],
])("the body of a %i with %j is ended by its %s", (status, fields, end) => {
  const headers = fields.split("; ").map((field) => {
    const [name = "", value = ""] = field.split(": ");
    return { name, value };
  });
  expect(bodyEndOf({ status, headers })).toBe(end);
});
