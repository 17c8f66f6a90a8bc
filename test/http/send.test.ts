import { getEventListeners } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { HttpResponse } from "../../src/http/exchange.ts";
import { answer, head } from "../faults/answers.ts";
import { aMoment } from "../faults/faults.ts";
import { answering, sends, sendsThenEnds, silence } from "../faults/peers.ts";
import { exchangeWith, requestTo, sendRequest } from "./exchange-with.ts";

test("the request is one GET with the given headers; the connection is not kept", async () => {
  const { received } = await exchangeWith(sends(answer("200 OK", "{}")));
  expect(received).toMatch(
    /^GET \/path HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nconnection: close\r\naccept: \*\/\*\r\n\r\n$/,
  );
});

test("a response is given with its fields in order, its body, its times and its steps", async () => {
  let now = 0;
  const lines = ["X-Note: \xe9", "Set-Cookie: a", "x-note: b"];
  const act = sends(answer("418 No", "words", lines));
  // Times are whole milliseconds, and the response must take one.
  const { exchange } = await exchangeWith((socket) => setTimeout(act, 20, socket), { now: () => ++now });
  expect(exchange).toMatchObject({ kind: "response", trace: { sentAt: 1, respondedAt: 2 } });
  if (exchange.kind !== "response") return;
  const { status, reason, headers, body, truncated } = exchange.response;
  expect([status, reason, Buffer.from(body).toString(), truncated]).toEqual([418, "No", "words", false]);
  expect(headers.map(({ name, value }) => `${name}=${value}`)).toEqual([
    "X-Note=\xe9",
    "Set-Cookie=a",
    "x-note=b",
    "Content-Length=5",
  ]);
  const { connection, durationMs } = exchange.trace;
  const { lookup, connect, proxy, tls, request, response } = connection.steps;
  expect([lookup, proxy, tls]).toEqual([null, null, null]);
  const sum = Number(connect) + Number(request) + Number(response);
  expect(sum).toBeGreaterThan(0);
  expect(durationMs - sum).toBeGreaterThanOrEqual(0);
});

// test/http/exchange-end.test.ts has the rule.
test.each<[field: string, HttpResponse["bodyEnd"]]>([
  ["Transfer-Encoding: Chunked ", "chunked"],
  ["Transfer-Encoding: gzip", "connection"],
])("what ends a body: %s, %s", async (field, bodyEnd) => {
  const { exchange } = await exchangeWith(sendsThenEnds(`${head("HTTP/1.1 401 No", field)}0\r\n\r\n`));
  expect(exchange).toMatchObject({ response: { bodyEnd, truncated: false } });
});

test.each(["204 No Content", "304 Not Modified"])("a response with status %s has no body", async (status) => {
  const { exchange } = await exchangeWith(sends(head(`HTTP/1.1 ${status}`)));
  expect(exchange).toMatchObject({ response: { bodyEnd: "length" } });
});

test("a bug rejects, and is no failure of the exchange", async () => {
  const { url } = await answering(silence);
  const sending = sendRequest(requestTo(url, { headers: { "a b": "c" } }));
  await expect(sending).rejects.toMatchObject({ code: "UND_ERR_INVALID_ARG" });
});

test("an exchange leaves nothing behind: no listener, and stack traces as long as before", async () => {
  const { signal } = new AbortController();
  const { stackTraceLimit } = Error;
  await exchangeWith(sends(answer("200 OK", "{}")), { interrupted: signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

test("a limit of stack traces that cannot be set, as with --frozen-intrinsics, is no failure", async () => {
  Object.defineProperty(Error, "stackTraceLimit", { writable: false });
  onTestFinished(() => void Object.defineProperty(Error, "stackTraceLimit", { writable: true }));
  expect(await exchangeWith(sends(answer("200 OK", "{}")))).toMatchObject({ exchange: { kind: "response" } });
});

test("an interruption before the request sends nothing", async () => {
  const peer = await answering(silence);
  const reason = new Error("interrupted");
  const sending = sendRequest(requestTo(peer.url, { interrupted: AbortSignal.abort(reason) }));
  await expect(sending).rejects.toBe(reason);
  await aMoment();
  expect(peer.connections()).toBe(0);
});
