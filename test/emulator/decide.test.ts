import { expect, test } from "vitest";
import { knownAccounts } from "../../src/emulator/accounts.ts";
import { decide } from "../../src/emulator/decide.ts";
import { known, withWsse } from "./authenticated.ts";
import { get, now, raw, send, startTestEmulator, statusOf, wsse } from "./support.ts";

test("another host gets 421, whatever the credentials", async () => {
  const emulator = await startTestEmulator();
  const answer = await raw(emulator.port, get(emulator.port, ["Host: evil.example"]));
  expect(statusOf(answer)).toBe(421);
  expect(answer).toContain('{"code":421,"message":"Misdirected Request."}');
  expect(emulator.log).toEqual([
    `2026-11-21T03:31:00Z GET /test-authentication 421 host: this server is 127.0.0.1:${emulator.port}; the request is for "evil.example"; other names need --allow-host (allowHosts)`,
  ]);
});

test.each([
  [[], 400],
  [["Host: 127.0.0.1:PORT", "Host: evil.example"], 400],
  [["Host: localhost:PORT"], 200],
])("%j gets %i", async (lines, status) => {
  const { port } = await startTestEmulator();
  expect(statusOf(await raw(port, get(port, lines)))).toBe(status);
});

test("the host of an absolute target replaces the header", async () => {
  const { port } = await startTestEmulator();
  const lines = ["Host: 127.0.0.1:PORT"];
  const own = get(port, lines, `http://127.0.0.1:${port}/test-authentication`);
  const other = get(port, lines, "http://evil.example/test-authentication");
  expect([statusOf(await raw(port, own)), statusOf(await raw(port, other))]).toEqual([200, 421]);
});

test("an Origin gets 403, and nothing that lets a page read the answer, after a thousand other headers too", async () => {
  const { port } = await startTestEmulator();
  const many = Array.from({ length: 1500 }, () => "a:");
  const lines = ["Host: 127.0.0.1:PORT", ...many, "Origin: http://evil.example"];
  const answer = await raw(port, get(port, lines));
  expect(statusOf(answer)).toBe(403);
  expect(answer.toLowerCase()).not.toContain("access-control");
});

test("an Origin of a preflight is refused too", async () => {
  const { url } = await startTestEmulator();
  const headers = { Origin: "http://evil.example", "Access-Control-Request-Method": "GET" };
  expect((await send(url, { method: "OPTIONS", headers })).status).toBe(403);
});

test("a nonce that cannot be remembered gets 503", () => {
  const head = {
    method: "GET",
    path: "/test-authentication",
    hosts: ["localhost:1"],
    origins: [],
    address: "127.0.0.1",
    port: 1,
  };
  const service = {
    rules: { accounts: knownAccounts([known]), strict: false },
    nonces: { has: () => false, remember: () => false, clear: () => {} },
    allowHosts: [],
    explain: false,
    forced: null,
  };
  expect(decide(head, withWsse(wsse()), service, now / 1000)).toMatchObject({
    reaction: { status: 503, headers: { "Retry-After": "1" } },
    reason: expect.stringMatching(/^full: /),
    accepted: false,
  });
});
