import { once } from "node:events";
import { request } from "node:http";
import { expect, test } from "vitest";
import { credentials, get, nonce, raw, send, startTestEmulator, statusOf, wsse } from "./support.ts";

const token = { "X-Auth-Token": credentials.token };
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

test("a nonce is accepted once when it is sent many times at once", async () => {
  const { url } = await startTestEmulator({ latencyMs: 20 });
  const headers = { "X-WSSE": wsse({ nonce }) };
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(url, { headers })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test.each([
  [{}, "OPTIONS", 204],
  [{ answer: 204 }, "GET", 204],
  [{ answer: 304 }, "GET", 304],
])("with %j, %s gets %i, which has neither body nor length", async (options, method, status) => {
  const { url } = await startTestEmulator(options);
  const received = await send(url, { method });
  expect(received).toMatchObject({ status, body: "" });
  expect(received.headers).not.toHaveProperty("content-length");
});

test("--answer slow begins an answer and never ends it", async () => {
  const emulator = await startTestEmulator({ answer: "slow" });
  const sent = { agent: false, headers: token };
  const outgoing = request(`${emulator.url}/test-authentication`, sent).end();
  const [incoming] = await once(outgoing, "response");
  let body = "";
  incoming.on("data", (chunk: Buffer) => (body += chunk)).on("end", () => (body += "the end"));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect([incoming.statusCode, body]).toEqual([200, '{"code": 200, ']);
  outgoing.destroy();
  expect(emulator.log).toEqual([`${line} - forced: answer slow`]);
});

test.each(["100-continue", "200-ok"])(
  "a request that expects %s is answered and logged like any other",
  async (Expect) => {
    const { url, log } = await startTestEmulator();
    expect((await send(url, { headers: { ...token, Expect } })).status).toBe(200);
    expect(log).toEqual([`${line} 200 accepted: X-Auth-Token`]);
  },
);

test("--answer reset resets the connection", async () => {
  const emulator = await startTestEmulator({ answer: "reset" });
  await expect(send(emulator.url, { headers: token })).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(emulator.log).toEqual([`${line} - forced: answer reset`]);
});

test.each<[string[], string, string]>([
  [[], "/test-authentication", "400 host: there is no Host header"],
  [
    ["Host: a", "Host: a"],
    "http://127.0.0.1:PORT/test-authentication",
    "400 host: Host was sent more than once",
  ],
  // The host of an absolute target replaces the header.
  [["Host: 127.0.0.1:PORT"], "http://evil.example/test-authentication", "421 host: this server is "],
  [["Host: evil.example"], "http://127.0.0.1:PORT/test-authentication", "200 accepted: "],
  [
    ["Host: 127.0.0.1:PORT", "Origin: null"],
    "/",
    '403 origin: web pages may not use this server; this request is from "null"',
  ],
  [
    ["Host: 127.0.0.1:PORT", "Origin:"],
    "/",
    '403 origin: web pages may not use this server; this request is from ""',
  ],
])("%j with the target %s gets %s", async (lines, target, said) => {
  const { port, log } = await startTestEmulator();
  expect(statusOf(await raw(port, get(port, lines, target)))).toBe(Number(said.slice(0, 3)));
  expect(log).toEqual([expect.stringContaining(` ${said}`)]);
});

test("an Origin gets 403, and nothing that lets a page read the answer, after a thousand other headers too", async () => {
  const { port } = await startTestEmulator();
  const many = Array.from({ length: 1500 }, () => "a:");
  const lines = ["Host: 127.0.0.1:PORT", ...many, "Origin: http://evil.example"];
  const answer = await raw(port, get(port, lines));
  expect(statusOf(answer)).toBe(403);
  expect(answer.toLowerCase()).not.toContain("access-control");
});

test("of several accounts, the log names one by its profile or else its username", async () => {
  const accounts = [credentials, { ...credentials, token: "west", profile: "we\nst" }];
  const { url, log } = await startTestEmulator({ accounts });
  for (const sent of [credentials.token, "west", "x"]) await send(url, { headers: { "X-Auth-Token": sent } });
  expect(log).toEqual([
    `${line} 200 accepted: X-Auth-Token; account: me@example.com`,
    `${line} 200 accepted: X-Auth-Token; account: we\\nst`,
    `${line} 401 token: is none of this server's 2`,
  ]);
});

test("the log has one printable line for each request, whatever it holds", async () => {
  const { port, log } = await startTestEmulator();
  const username =
    'X-WSSE: UsernameToken Username="\x9b2J::error::", PasswordDigest="x", Nonce="0", Created="0"';
  for (const request of [
    "GET /\x9b31m HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /%zz% HTTP/1.1\r\nHost: a\x9b2J\x80\t::error::\r\nConnection: close\r\n\r\n",
    get(port, ["Host: 127.0.0.1:PORT", username]).replace(/X-Auth-Token.*\r\n/, ""),
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
