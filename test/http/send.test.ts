import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { systemLookup } from "../../src/http/lookup.ts";
import { type HttpRequest, send } from "../../src/http/send.ts";
import { TlsCache } from "../../src/http/trusted-certificates.ts";
import { answer, head } from "../faults/answers.ts";
import { aMoment } from "../faults/faults.ts";
import {
  type Act,
  answering,
  floods,
  sends,
  sendsThenEnds,
  sendsThenResets,
  silence,
} from "../faults/peers.ts";

const mebibyte = 1024 * 1024;

/** Resolves when the client has closed the connection, in an orderly way or not. */
const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once("close", () => resolve()));

/** A request to this URL that the test can change. */
function requestTo(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    url: new URL(`${url}/path`),
    headers: { accept: "*/*" },
    proxy: null,
    extraCertificates: [],
    deadlineMs: 5_000,
    now: () => 7,
    interrupted: new AbortController().signal,
    tls: new TlsCache(),
    lookup: systemLookup,
    ...more,
  };
}

/** What the exchange with a server that acts so comes to, after the server has seen the connection close. */
async function exchangeWith(act: Act, more: Partial<HttpRequest> = {}) {
  let closed: Promise<unknown> = Promise.resolve();
  const peer = await answering((socket: Socket) => {
    closed = closeOf(socket);
    act(socket);
  });
  const exchange = await send(requestTo(peer.url, more));
  await closed;
  await aMoment();
  expect([peer.connections(), peer.requests()]).toEqual([1, 1]);
  return { exchange, received: peer.received() };
}

test("the request is one GET with the given headers; the connection is not kept", async () => {
  const { received } = await exchangeWith(sends(answer("200 OK", "{}")));
  expect(received).toMatch(
    /^GET \/path HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nconnection: close\r\naccept: \*\/\*\r\n\r\n$/,
  );
});

test("a response is given with its fields in order, its body, its times and its steps", async () => {
  let now = 0;
  const lines = ["X-Note: \xe9", "Set-Cookie: a", "x-note: b"];
  const { exchange } = await exchangeWith(sends(answer("418 No", "words", lines)), { now: () => ++now });
  expect(exchange).toMatchObject({ kind: "response", trace: { sentAt: 1, respondedAt: 2 } });
  if (exchange.kind !== "response") return;
  const { status, headers, body, truncated } = exchange.response;
  expect([status, Buffer.from(body).toString(), truncated]).toEqual([418, "words", false]);
  expect(headers.map(({ name, value }) => `${name}=${value}`)).toEqual([
    "x-note=\xe9",
    "set-cookie=a",
    "x-note=b",
    "content-length=5",
  ]);
  const { timeline, durationMs } = exchange.trace;
  expect(timeline.map(({ step }) => step.replace(/ \d.*/, ""))).toEqual([
    "connect",
    "request",
    "headers",
    "end",
  ]);
  const times = [0, ...timeline.map(({ at }) => at), durationMs, 5_000];
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

/** The kind of the body and its length. */
async function bodyOf(act: Act) {
  const { exchange } = await exchangeWith(act);
  return exchange.kind === "response"
    ? { length: exchange.response.body.length, truncated: exchange.response.truncated }
    : exchange;
}

describe("a body of more than 1 MiB is cut there, and the connection is closed", () => {
  const ok = "HTTP/1.1 200 OK";
  const block = "a".repeat(64 * 1024);

  test.each([
    ["1 MiB", mebibyte, mebibyte, false],
    ["one byte more, which is announced", mebibyte + 1, 0, true],
  ])("%s", async (_, sent, length, truncated) => {
    expect(await bodyOf(sends(answer("200 OK", "a".repeat(sent))))).toEqual({ length, truncated });
  });

  test.each([
    ["an endless body", floods(head(ok), block)],
    ["an endless chunked body", floods(head(ok, "Transfer-Encoding: chunked"), `10000\r\n${block}\r\n`)],
  ])("%s", async (_, act) => {
    expect(await bodyOf(act)).toEqual({ length: mebibyte, truncated: true });
  });

  test("a body that arrives in pieces keeps every byte", async () => {
    const pieces = Array.from({ length: 200 }, (_, index) => `${index} `.repeat(20));
    const { exchange } = await exchangeWith(
      sends(head(ok, `Content-Length: ${pieces.join("").length}`), ...pieces),
    );
    const body = exchange.kind === "response" ? Buffer.from(exchange.response.body).toString() : "";
    expect(body).toBe(pieces.join(""));
  });

  test("a chunk extension without an end is not read to its end", async () => {
    const act = floods(`${head(ok, "Transfer-Encoding: chunked")}1;`, block);
    expect(await bodyOf(act)).toEqual({ length: 0, truncated: true });
  });

  test("interim responses without an end are no response", async () => {
    const { exchange } = await exchangeWith(floods("", head("HTTP/1.1 103 Early Hints").repeat(1_000)));
    expect(exchange).toMatchObject({ kind: "malformed", problem: "Headers without an end" });
  });

  test.each([
    [999, "response"],
    [1_000, "malformed"],
  ])("%i header fields besides the length make a %s", async (count, kind) => {
    const { exchange } = await exchangeWith(sends(answer("200 OK", "", Array(count).fill("a:b"))));
    expect(exchange.kind).toBe(kind);
  });
});

test.each(["099 Low", "101 Switch"])("status %s is malformed", async (status) => {
  const { exchange } = await exchangeWith(sends(answer(status)));
  expect(exchange.kind).toBe("malformed");
});

describe("after a response has begun, nothing is sent again", () => {
  const begun = answer("200 OK", "{}").toString().slice(0, -1);

  test.each([
    ["ends", sendsThenEnds(begun), "EOF"],
    ["is reset", sendsThenResets(begun), "ECONNRESET"],
  ])("and a connection that %s is a failure", async (_, act, code) => {
    const { exchange } = await exchangeWith(act);
    expect(exchange).toMatchObject({ kind: "failed", failure: { kind: "closed", code, received: "part" } });
  });

  test("and a body that only a reset ends is not complete", async () => {
    const { exchange } = await exchangeWith(sendsThenResets(`${head("HTTP/1.1 200 OK")}{}`));
    expect(exchange).toMatchObject({ kind: "failed", failure: { code: "ECONNRESET", received: "part" } });
  });

  test("and a body that the connection's end ends is complete", async () => {
    expect(await bodyOf(sendsThenEnds(`${head("HTTP/1.1 200 OK")}{}`))).toEqual({
      length: 2,
      truncated: false,
    });
  });
});

test.each([
  ["headers", silence],
  ["headers", sends("HTTP/1.1 200")],
  ["headers", sends(head("HTTP/1.1 103 Early Hints"))],
  ["body", sends(head("HTTP/1.1 200 OK", "Content-Length: 1048576"))],
])("a deadline names the step that it ended: %s", async (phase, act) => {
  const { exchange } = await exchangeWith(act, { deadlineMs: 150 });
  expect(exchange).toMatchObject({ kind: "expired", phase });
});

describe("an interruption", () => {
  const reason = new Error("interrupted");

  test("before the request sends nothing", async () => {
    const peer = await answering(silence);
    await expect(send(requestTo(peer.url, { interrupted: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    await aMoment();
    expect(peer.connections()).toBe(0);
  });

  test("during the request ends it at once and closes the connection", async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> = Promise.reject(new Error("no request arrived"));
    closed.catch(() => {});
    const peer = await answering((socket) => {
      closed = closeOf(socket);
      controller.abort(reason);
    });
    await expect(send(requestTo(peer.url, { interrupted: controller.signal }))).rejects.toBe(reason);
    await closed;
  });
});
