import { describe, expect, test } from "vitest";
import { credentials, now, send, startTestEmulator, wsse } from "./support.ts";

const token = { "X-Auth-Token": credentials.token };
const generic = '{"code":401,"message":"The credentials were not accepted."}';

describe("valid credentials", () => {
  test.each([
    ["X-Auth-Token", () => token, "Hello, user! You are successfully authenticated with X-Auth-Token."],
    [
      "X-WSSE",
      () => ({ "X-WSSE": wsse() }),
      "Hello, me@example.com! You are successfully authenticated on the platform.",
    ],
  ])("by %s get the documented answer, with the documented headers", async (name, headers, message) => {
    const emulator = await startTestEmulator();

    const { status, headers: received, body } = await send(emulator.url, { headers: headers() });

    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ code: 200, message });
    expect(received).toEqual({
      "content-type": "application/json",
      "cache-control": "no-cache",
      "access-control-allow-origin": "*",
      allow: "GET, OPTIONS",
      "content-length": String(body.length),
      date: "Sat, 21 Nov 2026 03:31:00 GMT",
      connection: "close",
    });
    expect(emulator.log).toEqual([`2026-11-21T03:31:00Z GET /test-authentication 200 accepted: ${name}`]);
  });

  test("are accepted with a query, which the log leaves out", async () => {
    const emulator = await startTestEmulator();
    const { status } = await send(emulator.url, { path: "/test-authentication?a=b", headers: token });
    expect(status).toBe(200);
    expect(emulator.log[0]).toContain(" GET /test-authentication 200 ");
  });
});

describe("refused credentials", () => {
  test("get a challenge and a message that does not say why; the log does", async () => {
    const emulator = await startTestEmulator();

    const { status, headers, body } = await send(emulator.url, {
      headers: { "X-WSSE": wsse({ now: now - 412_000 }) },
    });

    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toBe('WSSE realm="referral-auth emulator", profile="UsernameToken"');
    expect(headers["content-type"]).toBe("application/json");
    expect(headers).not.toHaveProperty("access-control-allow-origin");
    expect(body).toBe(generic);
    expect(emulator.log).toEqual([
      "2026-11-21T03:31:00Z GET /test-authentication 401 stale: Created is 412 s behind this server; 300 s are allowed",
    ]);
  });

  test("get the reason too with --explain", async () => {
    const emulator = await startTestEmulator({ explain: true });
    const { body } = await send(emulator.url, { headers: { "X-WSSE": wsse({ hash: "sha256" }) } });
    expect(JSON.parse(body)).toEqual({
      code: 401,
      message: "The credentials were not accepted: digest: matches sha256; this server expects sha1.",
    });
  });

  test("that are missing get a message that says so, since a client must see whether its header arrives", async () => {
    const { url } = await startTestEmulator();
    expect(JSON.parse((await send(url, { headers: {} })).body)).toEqual({
      code: 401,
      message: "No credentials were sent.",
    });
  });

  test("all get the same answer, whatever is wrong", async () => {
    const { url } = await startTestEmulator();
    const attempts = [
      { "X-Auth-Token": "wrong" },
      { "X-WSSE": "wrong" },
      { "X-WSSE": wsse({ username: "you@example.com" }) },
      { "X-WSSE": wsse({ secret: "wrong" }) },
      { ...token, "X-WSSE": wsse() },
    ];
    for (const headers of attempts)
      expect(await send(url, { headers })).toMatchObject({ status: 401, body: generic });
  });
});

describe("a nonce", () => {
  test("is accepted once when it is sent many times at once", async () => {
    const { url } = await startTestEmulator({ latencyMs: 20 });
    const headers = { "X-WSSE": wsse() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(url, { headers })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("can be sent again after a wrong digest or a stale Created", async () => {
    const { url } = await startTestEmulator();
    const nonce = Buffer.alloc(20, 0xee);
    await send(url, { headers: { "X-WSSE": wsse({ nonce, secret: "wrong" }) } });
    await send(url, { headers: { "X-WSSE": wsse({ nonce, now: now - 301_000 }) } });
    expect((await send(url, { headers: { "X-WSSE": wsse({ nonce }) } })).status).toBe(200);
  });
});

test("a clock offset changes the Date header and the window, but not the log", async () => {
  const emulator = await startTestEmulator({ clockOffsetSeconds: 400 });

  const behind = await send(emulator.url, { headers: { "X-WSSE": wsse() } });
  const right = await send(emulator.url, { headers: { "X-WSSE": wsse({ now: now + 400_000 }) } });

  expect(behind).toMatchObject({ status: 401, headers: { date: "Sat, 21 Nov 2026 03:37:40 GMT" } });
  expect(right.status).toBe(200);
  expect(emulator.log[0]).toMatch(/^2026-11-21T03:31:00Z .* stale: Created is 400 s behind this server/);
});

test("waits for the latency before each answer", async () => {
  const { url } = await startTestEmulator({ latencyMs: 150 });
  const before = performance.now();
  expect((await send(url, { headers: token })).status).toBe(200);
  expect(performance.now() - before).toBeGreaterThanOrEqual(145);
});

describe("other requests", () => {
  test("OPTIONS gets 204, Allow and no body, without credentials", async () => {
    const { url } = await startTestEmulator();
    const { status, headers, body } = await send(url, { method: "OPTIONS" });
    expect({ status, allow: headers.allow, body }).toEqual({ status: 204, allow: "GET, OPTIONS", body: "" });
    expect(headers).not.toHaveProperty("content-length");
  });

  test.each(["POST", "PUT", "DELETE", "PATCH", "HEAD"])("%s gets 405 and Allow", async (method) => {
    const emulator = await startTestEmulator();
    const { status, headers } = await send(emulator.url, { method, headers: token });
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: "GET, OPTIONS" });
    expect(emulator.log).toEqual([
      `2026-11-21T03:31:00Z ${method} /test-authentication 405 method: only GET and OPTIONS are offered`,
    ]);
  });

  test.each([
    ["/", "only /test-authentication exists"],
    ["/test-authentication/", "only /test-authentication exists"],
    ["/Test-Authentication", "only /test-authentication exists"],
    ["/api/v1/test-authentication", "the base URL has no path here"],
  ])("%s gets 404, even with valid credentials", async (path, reason) => {
    const emulator = await startTestEmulator();
    const { status, body } = await send(emulator.url, { path, headers: token });
    expect({ status, body }).toEqual({ status: 404, body: '{"code":404,"message":"Not Found."}' });
    expect(emulator.log[0]).toContain(` GET ${path} 404 path: `);
    expect(emulator.log[0]).toContain(reason);
  });
});
