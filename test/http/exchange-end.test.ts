import { Socket } from "node:net";
import { expect, test } from "vitest";
import { Arrived, exchangeEndOf } from "../../src/http/client.ts";
import { bodyEndOf } from "../../src/http/exchange.ts";
import { ConnectionRecorder } from "../../src/http/record.ts";

// test/faults/broken.both-ways.test.ts has the rules that real responses break.

/** An error with this code, as Node, OpenSSL and undici make them. */
const withCode = (code: string, message = ""): Error => Object.assign(new Error(message), { code });
const parserError = (message: string): Error =>
  Object.assign(new Error(message), { name: "HTTPParserError" });

/** How an exchange ends by this error: the rule of HTTP that is broken, or the step, the code and what had come of the response. */
function endBy(error: Error, received: "nothing" | "part", connection = {}): string {
  const record = new ConnectionRecorder({ baseUrl: new URL("https://a.example"), proxy: null });
  record.received = () => received;
  record.enter("response");
  const arrived = new Arrived(new Socket());
  const end = exchangeEndOf(error, { firstError: null, ended: false, arrived, ...connection }, record);
  if (end.kind === "malformed") return end.broken.problem;
  if (end.kind !== "failed") return end.kind;
  const { step, at, code, received: came } = end.failure;
  return `${step} of the ${at}: ${code}, ${came}`;
}

const ended = { ended: true };
const alert = { firstError: withCode("ERR_TLS_X"), ended: true };
const reset = { firstError: withCode("ECONNRESET") };
test.each<[Error, "nothing" | "part", connection: object, end: string]>([
  [parserError("(one) and (two)"), "nothing", {}, "two"],
  [parserError("(one) and then"), "nothing", {}, "parse error"],
  [parserError("()"), "nothing", {}, "parse error"],
  [withCode("ERR_ASSERTION"), "nothing", {}, "Unexpected status"],
  // The request could not be written.
  [withCode("EPIPE"), "nothing", {}, "request of the api: EPIPE, nothing"],
  [withCode("ERR_SSL_X"), "part", {}, "tls of the api: ERR_SSL_X, part"],
  [withCode("ERR_TLS_X"), "part", {}, "tls of the api: ERR_TLS_X, part"],
  // undici reports the end that follows a TLS alert; the alert came first.
  [withCode("UND_ERR_SOCKET"), "nothing", alert, "tls of the api: ERR_TLS_X, part"],
  // An orderly end counts, whatever the error says.
  ...(["part", "nothing"] as const).flatMap((received): [Error, typeof received, object, string][] => [
    [parserError("(one)"), received, ended, `response of the api: EOF, ${received}`],
    [withCode("ECONNRESET"), received, ended, `response of the api: EOF, ${received}`],
    [withCode("UND_ERR_INVALID_ARG"), received, ended, `response of the api: EOF, ${received}`],
    [parserError("(one)"), received, reset, `response of the api: ECONNRESET, ${received}`],
  ]),
])("%s after %s of a response, %j: %s", (error, received, connection, end) => {
  expect(endBy(error, received, connection)).toBe(end);
});

test.each([
  ["shows a bug of ours", withCode("UND_ERR_INVALID_ARG")],
  ["shows that WebAssembly is switched off", withCode("ERR_WEBASSEMBLY_NOT_SUPPORTED")],
  ["shows that WebAssembly has no memory", new RangeError("WebAssembly.Instance(): Out of memory: no")],
])("an error that %s is thrown", (_, bug) => {
  expect(() => endBy(bug, "nothing")).toThrow(bug);
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
