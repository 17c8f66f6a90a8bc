import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { because, judged } from "../../src/emulator/answer.ts";
import { protocolError } from "../../src/emulator/request.ts";
import { get, now, raw, send, startTestEmulator, statusOf, until } from "./support.ts";

const head = "GET / HTTP/1.1\r\nHost: a\r\n";
const lengths = "Content-Length: 3\r\nTransfer-Encoding: chunked";
const proxied = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n";

test.each([
  ["no HTTP", "hello\r\n\r\n", 400, "malformed HTTP: HPE_"],
  ["a TLS handshake", Buffer.from("16030100050100000100", "hex"), 400, "a TLS handshake came"],
  ["a length and chunks", `${head}${lengths}\r\n\r\n`, 400, "malformed HTTP: HPE_"],
  ["a large header", `${head}x: ${"y".repeat(9000)}\r\n\r\n`, 431, "header is too large"],
  ["CONNECT", proxied, 405, "CONNECT is for proxies"],
])("%s gets an answer in JSON and a line in the log", async (_title, bytes, status, reason) => {
  const emulator = await startTestEmulator();
  const answer = await raw(emulator.port, bytes);
  expect(statusOf(answer)).toBe(status);
  expect(answer).toContain("\r\nConnection: close\r\n");
  expect(answer).toContain("\r\nDate: Sat, 21 Nov 2026 03:31:00 GMT\r\n");
  expect(answer).toMatch(new RegExp(`{"code":${status},"message":".*${reason}`));
  expect(emulator.log).toEqual([expect.stringMatching(`^\\S+ \\S+ - ${status} .*${reason}`)]);
  expect((await send(emulator.url)).status).toBe(401);
});

test.each([
  ["CONNECT", proxied],
  ["what is no request", "hello\r\n\r\n"],
  ["a request", `GET /test-authentication HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`],
])("the latency delays the answer to %s", async (_, bytes) => {
  const timeOf = async (latencyMs: number): Promise<number> => {
    const { port } = await startTestEmulator({ latencyMs });
    const before = performance.now();
    await raw(port, bytes);
    return performance.now() - before;
  };
  expect(await timeOf(0)).toBeLessThan(150);
  expect(await timeOf(200)).toBeGreaterThan(190);
});

test("what is no request, in the middle of an answer, gets no second status line into it", async () => {
  const { port } = await startTestEmulator({ answer: "slow" });
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  socket.write(`GET /test-authentication HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  let text = "";
  socket.on("data", (part) => {
    if (text === "") socket.write("hello\r\n\r\n");
    text += part;
  });
  await once(socket, "close");
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?!.*HTTP\/)/s);
});

describe("a client that disconnects", () => {
  test("in the middle is not logged and does no harm", async () => {
    const emulator = await startTestEmulator();
    for (const bytes of ["", "GET /te", `${head}Content-Length: 10\r\n\r\nabc`]) {
      const socket = connect(emulator.port, "127.0.0.1");
      await once(socket, "connect");
      socket.write(bytes);
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.resetAndDestroy();
    }
    expect((await send(emulator.url)).status).toBe(401);
    expect(emulator.log).toHaveLength(1);
  });

  test("before its answer is logged as answered", async () => {
    const clock = vi.fn(() => now);
    const emulator = await startTestEmulator({ latencyMs: 80 }, clock);
    const socket = connect(emulator.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(get(emulator.port));
    await until(() => clock.mock.calls.length > 0);
    socket.resetAndDestroy();
    await until(() => emulator.log.length > 0);
    expect(emulator.log).toEqual([expect.stringContaining(" 200 accepted: X-Auth-Token")]);
  });
});

describe("a body", () => {
  const post = (port: number, lines: string): string =>
    `POST /test-authentication HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines}`;

  test("within the limit is discarded, and the connection is kept", async () => {
    const { port } = await startTestEmulator();
    const answer = await raw(port, post(port, "Content-Length: 5\r\n\r\nhello") + get(port));
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 405", "HTTP/1.1 200"]);
  });

  test("beyond the limit gets 413, which a client that first sends all of it can read", async () => {
    const { port, log } = await startTestEmulator();
    const body = `Content-Length: 10000000\r\n\r\n${"x".repeat(10_000_000)}`;
    const socket = connect(port, "127.0.0.1").end(post(port, body));
    await once(socket, "finish");
    const [answer] = await once(socket, "data");
    expect(statusOf(`${answer}`)).toBe(413);
    expect(`${answer}`).toContain("Connection: close");
    expect(log[0]).toContain(" 413 body: more than 1048576 bytes");
  });

  test("of 64 MiB and more is not read to its end", async () => {
    const { port } = await startTestEmulator();
    const chunk = `4010000\r\n${"x".repeat(0x4010000)}\r\n`;
    const answer = await raw(port, post(port, `Transfer-Encoding: chunked\r\n\r\n${chunk}`));
    expect(statusOf(answer)).toBe(413);
  });
});

test.each([
  ["ERR_HTTP_REQUEST_TIMEOUT", 408, "the request was not finished in time"],
  ["ECONNRESET", null, null],
  ["EPIPE", null, null],
])("%s of Node gets the status %j", (code, status, reason) => {
  const answer = status === null ? null : judged(status, [because("malformed HTTP", `${reason} (${code})`)]);
  expect(protocolError(Object.assign(new Error("x"), { code }))).toEqual(answer);
});
