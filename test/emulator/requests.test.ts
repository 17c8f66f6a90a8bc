import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { protocolError } from "../../src/emulator/requests.ts";
import { until } from "./start-run.ts";
import { get, now, raw, send, startTestEmulator, statusOf } from "./support.ts";

describe("something that is not a request", () => {
  test.each([
    ["no HTTP", "hello\r\n\r\n", 400, "malformed HTTP: HPE_"],
    ["a TLS handshake", Buffer.from("16030100050100000100", "hex"), 400, "a TLS handshake came"],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", 400, "malformed HTTP: HPE_"],
    ["a NUL in a header", "GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 400, "malformed HTTP: HPE_"],
    ["a space before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400, "malformed HTTP: HPE_"],
    [
      "a length and chunks",
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
      "malformed HTTP: HPE_",
    ],
    [
      "a large header",
      `GET / HTTP/1.1\r\nHost: a\r\nx: ${"y".repeat(9000)}\r\n\r\n`,
      431,
      "header is too large",
    ],
    ["a long target", `GET /${"y".repeat(9000)} HTTP/1.1\r\n\r\n`, 431, "header is too large"],
    [
      "CONNECT",
      "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n",
      405,
      "CONNECT is for proxies",
    ],
  ])("%s gets an answer in JSON and a line in the log", async (_title, bytes, status, reason) => {
    const emulator = await startTestEmulator();
    const answer = await raw(emulator.port, bytes);
    expect(statusOf(answer)).toBe(status);
    expect(answer).toContain("\r\nConnection: close\r\n");
    expect(answer).toContain("\r\nDate: Sat, 21 Nov 2026 03:31:00 GMT\r\n");
    expect(answer).toContain(`{"code":${status},"message":`);
    expect(emulator.log).toHaveLength(1);
    expect(emulator.log[0]).toContain(` ${status} `);
    expect(emulator.log[0]).toContain(reason);
    expect((await send(emulator.url)).status).toBe(401);
  });

  test("a client that disconnects in the middle is not logged and does no harm", async () => {
    const emulator = await startTestEmulator();
    for (const bytes of ["", "GET /te", `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc`]) {
      const socket = connect(emulator.port, "127.0.0.1");
      await once(socket, "connect");
      socket.write(bytes);
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.resetAndDestroy();
    }
    expect((await send(emulator.url)).status).toBe(401);
    expect(emulator.log).toHaveLength(1);
  });

  test("a client that disconnects before its answer is logged as answered", async () => {
    let decided = 0;
    const clock = (): number => {
      decided += 1;
      return now;
    };
    const emulator = await startTestEmulator({ latencyMs: 80 }, clock);
    const socket = connect(emulator.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(get(emulator.port, ["Host: 127.0.0.1:PORT"]));
    await until(() => decided > 0);
    socket.resetAndDestroy();
    await until(() => emulator.log.length > 0);
    expect(emulator.log).toEqual([expect.stringContaining(" 200 accepted: X-Auth-Token")]);
  });
});

describe("a body", () => {
  test("within the limit is discarded, and the connection is kept", async () => {
    const { port } = await startTestEmulator();
    const head =
      "GET /test-authentication HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 5\r\n\r\nhello";
    const one = head.replace("PORT", String(port));
    const answer = await raw(port, one + get(port, ["Host: 127.0.0.1:PORT"]));
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
  });

  test.each([
    ["a declared length", "Content-Length: 100000000", "x".repeat(20_000)],
    ["chunks", "Transfer-Encoding: chunked", `4e20\r\n${"x".repeat(20_000)}\r\n`],
  ])("beyond the limit, with %s, gets 413 and is not read to its end", async (_title, header, body) => {
    const emulator = await startTestEmulator();
    const answer = await raw(
      emulator.port,
      `POST /test-authentication HTTP/1.1\r\nHost: 127.0.0.1:${emulator.port}\r\n${header}\r\n\r\n${body}`,
    );
    expect(statusOf(answer)).toBe(413);
    expect(answer).toContain("Connection: close");
    expect(emulator.log[0]).toContain(" 413 body: more than 16384 bytes; none are expected");
  });
});

test.each([
  [
    "ERR_HTTP_REQUEST_TIMEOUT",
    { status: 408, reason: "malformed HTTP: the request was not finished in time" },
  ],
  [
    "HPE_CHUNK_EXTENSIONS_OVERFLOW",
    { status: 413, reason: "malformed HTTP: the chunk extensions are too large" },
  ],
  ["ECONNRESET", null],
  ["EPIPE", null],
])("%s of Node becomes %j", (code, expected) => {
  expect(protocolError(Object.assign(new Error("x"), { code }))).toEqual(expected);
});
