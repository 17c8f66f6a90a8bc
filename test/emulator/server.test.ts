import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { pipeline } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { because, judged } from "../../src/emulator/answer.ts";
import { protocolError } from "../../src/emulator/request.ts";
import { credentials, get, nonce, raw, send, startTestEmulator, statusOf, token, wsse } from "./support.ts";

const line = "2026-11-21T03:31:00Z GET /test-authentication";

test("an answer has the documented headers and the time, and a line in the log without the query", async () => {
  const emulator = await startTestEmulator();
  const path = "/test-authentication?a=b";
  const { status, headers, body } = await send(emulator.url, { path, headers: token });
  expect([status, JSON.parse(body).code]).toEqual([200, 200]);
  expect(headers).toEqual({
    "content-type": "application/json",
    "cache-control": "no-cache",
    "access-control-allow-origin": "*",
    allow: "GET, OPTIONS",
    "content-length": String(body.length),
    date: "Sat, 21 Nov 2026 03:31:00 GMT",
    connection: "close",
  });
  expect(emulator.log).toEqual([`${line} 200 accepted: X-Auth-Token`]);
});

test("a port that is published under another number leads to the API, its health and its steering", async () => {
  const emulator = await startTestEmulator({ host: "0.0.0.0", control: true });
  const forwarder = createServer((socket) => {
    const inner = connect(emulator.port, "127.0.0.1");
    pipeline(socket, inner, socket, () => {});
  }).listen(0, "127.0.0.1");
  await once(forwarder, "listening");
  onTestFinished(() => void forwarder.close());
  const { port } = forwarder.address() as AddressInfo;
  for (const host of ["localhost", "127.0.0.1"])
    for (const [path, headers] of [
      ["/test-authentication", token],
      ["/__emulator/health", {}],
      ["/__emulator/requests", {}],
    ] as const)
      expect((await send(`http://${host}:${port}`, { path, headers })).status).toBe(200);
  const headers = { ...token, Host: `evil.example:${port}` };
  expect((await send(`http://127.0.0.1:${port}`, { headers })).status).toBe(421);
});

test("a nonce is accepted once when it is sent many times at once", async () => {
  const { url } = await startTestEmulator();
  const headers = { "X-WSSE": wsse({ nonce }) };
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(url, { headers })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test.each<[string[], string, string]>([
  [[], "/test-authentication", "400 host: there is no Host header"],
  // The host of an absolute target replaces the header.
  [["Host: 127.0.0.1:PORT"], "http://evil.example/test-authentication", "421 host: this server is "],
  [["Host: 127.0.0.1:PORT"], "HTTP://evil.example/test-authentication", "421 host: this server is "],
  [["Host: evil.example"], "http://127.0.0.1:PORT/test-authentication", "200 accepted: "],
  [
    ["Host: 127.0.0.1:PORT", "Origin:"],
    "/",
    "403 origin: only pages of loopback and of --allow-host may use this server",
  ],
  // Node alone would drop the last headers.
  [["Host: 127.0.0.1:PORT", ...Array(1500).fill("a:"), "Origin: x"], "/test-authentication", "403 origin: "],
])("%j with the target %s gets %s", async (lines, target, said) => {
  const { port, log } = await startTestEmulator();
  const answer = await raw(port, get(port, lines, target));
  expect(statusOf(answer)).toBe(Number(said.slice(0, 3)));
  if (said.startsWith("403")) expect(answer.toLowerCase()).not.toContain("access-control");
  expect(log).toEqual([expect.stringContaining(` ${said}`)]);
});

test.each([
  ["no HTTP", "hello\r\n\r\n", 400, "malformed HTTP: HPE_"],
  ["a TLS handshake", Buffer.from("16030100050100000100", "hex"), 400, "a TLS handshake came"],
  ["a large header", `GET / HTTP/1.1\r\nx: ${"y".repeat(9000)}\r\n\r\n`, 400, "HPE_HEADER_OVERFLOW"],
  ["CONNECT", "CONNECT a.b:443 HTTP/1.1\r\nHost: a.b:443\r\n\r\n", 405, "method: CONNECT is for proxies"],
])("%s gets a status and a line in the log", async (_title, bytes, status, reason) => {
  const emulator = await startTestEmulator();
  const answer = await raw(emulator.port, bytes);
  expect(statusOf(answer)).toBe(status);
  expect(answer).toContain("\r\nConnection: close\r\n");
  expect(emulator.log).toEqual([expect.stringMatching(`^\\S+ \\S+ - ${status} .*${reason}`)]);
  expect((await send(emulator.url)).status).toBe(401);
});

const headerStart = 'X-WSSE: UsernameToken Username="a", PasswordDigest="';
const inside = "a line break inside the field X-WSSE (HPE_";
const noName = "a line without a name and a colon, behind the field Host (HPE_";
test.each([
  ["a line feed in a value", `${headerStart}abc=\n", Nonce="n", Created="2026-11-21T03:31:00Z"`, inside],
  ["a carriage return", `${headerStart}abc\r", Nonce="n"`, inside],
  ["an indented line", 'X-WSSE: UsernameToken Username="a",\r\n  PasswordDigest="b"', inside],
  ["in another field", "X-Note: a\nb", "a line break inside the field X-Note (HPE_"],
  ["a value over lines", `${headerStart}abc\r\ndef=", Nonce="n"`, noName.replace("Host", "X-WSSE")],
  ["no name", 'UsernameToken Username="a", Created="2026-11-21T03:31:00Z"', noName],
  ["an empty name", ": x", noName],
  ["a secret as the name", `X-${credentials.secret}: a\nb`, "a line break inside the field X-[secret] (HPE_"],
])("of broken HTTP it is said what the client did: %s", async (_title, lines, said) => {
  const emulator = await startTestEmulator();
  const answer = await raw(
    emulator.port,
    `GET / HTTP/1.1\r\nHost: a\r\n${lines}\r\nConnection: close\r\n\r\n`,
  );
  expect(statusOf(answer)).toBe(400);
  expect(emulator.log).toEqual([expect.stringContaining(` - - 400 malformed HTTP: ${said}`)]);
  expect(emulator.requests[0]?.reasons).toMatchObject([{ change: expect.stringMatching(/./) }]);
});

test("a field that looks like X-WSSE is named as it was sent", async () => {
  const { port, log } = await startTestEmulator();
  const lines = ["Host: 127.0.0.1:PORT", "X_Wsse: UsernameToken x"];
  await raw(port, get(port, lines).replace(/X-Auth-Token.*\r\n/, ""));
  expect(log).toEqual([expect.stringContaining("; the field X_Wsse holds what belongs into X-WSSE")]);
});

test("of other broken HTTP there is Node's own code", async () => {
  const emulator = await startTestEmulator();
  await raw(emulator.port, "GET / HTTP/9\r\nHost: a\r\n\r\n");
  await raw(emulator.port, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  expect(emulator.log).toEqual([
    expect.stringMatching(/400 malformed HTTP: HPE_\w+$/),
    expect.stringContaining("400 malformed HTTP: HTTP/2 came; this server speaks HTTP/1.1 (HPE_"),
  ]);
});

const distrust = "maybe because it does not trust the certificate";

test.each([
  ["ERR_HTTP_REQUEST_TIMEOUT", "ERR_HTTP_REQUEST_TIMEOUT"],
  ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", `the TLS handshake failed; the client refused it, ${distrust}`],
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", "the TLS handshake failed ("],
  ["ECONNRESET", null],
  ["EPIPE", null],
])("of the error %s it is said: %s", (code, said) => {
  const reasons = [because("malformed HTTP", expect.stringContaining(said ?? ""))];
  expect(protocolError(Object.assign(new Error("x"), { code }), String)).toEqual(
    said && judged(400, reasons),
  );
});

test("a client that disconnects in the middle is not logged, and one that waits for its answer is", async () => {
  const emulator = await startTestEmulator();
  emulator.answers([{ delaySeconds: 0.1 }, {}, {}, { delaySeconds: 0.1 }]);
  const unfinished = "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc";
  const parts = ["", "GET /te", unfinished];
  for (const [index, part] of parts.entries()) {
    const socket = connect(emulator.port, "127.0.0.1").on("error", () => {});
    await once(socket, "connect");
    // The server reads the part together with the request in front of it, which it lists before it answers.
    socket.write(get(emulator.port).replace("Connection: close\r\n", "") + part);
    await expect.poll(() => emulator.requests).toHaveLength(index + 1);
    socket.resetAndDestroy();
  }
  // This answer waits as long as the first one and began to wait later.
  expect((await send(emulator.url)).status).toBe(401);
  const accepted = `${line} 200 accepted: X-Auth-Token`;
  expect(emulator.log.slice(0, 3)).toEqual([`${accepted}; forced: delaySeconds`, accepted, accepted]);
  expect(emulator.log).toHaveLength(4);
});

test("a body within the limit is discarded, and one beyond it gets 413 once all of it is sent", async () => {
  const { port, log } = await startTestEmulator();
  const post = (length: number): string =>
    `POST /test-authentication HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${length}\r\n\r\n${"x".repeat(length)}`;
  const answer = await raw(port, post(5) + post(10_000_000) + get(port));
  expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 405", "HTTP/1.1 413", "HTTP/1.1 200"]);
  expect(log[1]).toContain(" 413 body: more than 1048576 bytes");
});

test("of several accounts, the log names one by its profile or else its username", async () => {
  const accounts = [credentials, { ...credentials, token: "west", profile: "we\nst" }];
  const { url, log } = await startTestEmulator({ accounts });
  for (const sent of [credentials.token, "west", "x"]) await send(url, { headers: { "X-Auth-Token": sent } });
  expect(log).toEqual([
    `${line} 200 accepted: X-Auth-Token; account: me@example.com`,
    `${line} 200 accepted: X-Auth-Token; account: we\\nst`,
    `${line} 401 token: is none of this server's 2. To change: send the token that this server prints or was given`,
  ]);
});

test("the log has one printable line for each request, whatever it holds", async () => {
  const { port, log } = await startTestEmulator();
  const username = 'UsernameToken Username="\x9b2J::error::", PasswordDigest="x", Nonce="0", Created="0"';
  for (const request of [
    get(port, ["Host: a"], "/\x9b31m"),
    get(port, ["Host: a\x9b2J\x80\t::error::"], "/%zz%"),
    get(port, ["Host: 127.0.0.1:PORT", `X-WSSE: ${username}`]),
  ])
    await raw(port, Buffer.from(request, "latin1"));
  const text = log.join("\n");
  expect(text).toContain("unknown user");
  // Invalid percent-encoding stays as it was sent.
  expect(text).toContain("GET /%zz% 421 ");
  expect(text).not.toMatch(/[^\x20-\x7e\n]|::error/);
});

test("a log that fails closes the connection and is logged, and the server continues", async () => {
  const lines: string[] = [];
  const log = (line: string): void => {
    lines.push(line);
    if (lines.length === 1) throw new RangeError("no room");
  };
  const { url, requests } = await startTestEmulator({ log });
  await expect(send(url)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(await send(url)).toMatchObject({ status: 401 });
  expect(lines[1]).toContain("failure inside the emulator: RangeError");
  expect(requests.map(({ status }) => status)).toEqual([401, null, 401]);
});
