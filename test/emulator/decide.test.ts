import { describe, expect, test } from "vitest";
import { get, raw, send, startTestEmulator, statusOf } from "./support.ts";

describe("Host", () => {
  test.each(["127.0.0.1:PORT", "localhost:PORT", "LocalHost:PORT", "[::1]:PORT"])(
    "%s passes",
    async (host) => {
      const { port } = await startTestEmulator();
      expect(statusOf(await raw(port, get(port, [`Host: ${host}`])))).toBe(200);
    },
  );

  test.each([
    "evil.example",
    "evil.example:PORT",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost",
    "localhost.:PORT",
    "127.0.0.1.evil.example:PORT",
    "user@127.0.0.1:PORT",
    "127.1:PORT",
    "0.0.0.0:PORT",
    "127.0.0.2:PORT",
    "",
  ])("%s gets 421, whatever the credentials", async (host) => {
    const emulator = await startTestEmulator();
    const answer = await raw(emulator.port, get(emulator.port, [`Host: ${host}`]));
    expect(statusOf(answer)).toBe(421);
    expect(answer).toContain('{"code":421,"message":"Misdirected Request."}');
    const shown = host.replace("PORT", String(emulator.port));
    expect(emulator.log).toEqual([
      `2026-11-21T03:31:00Z GET /test-authentication 421 host: this server is 127.0.0.1:${emulator.port}; the request is for "${shown}"`,
    ]);
  });

  test.each([
    ["none", [], "there is no Host header"],
    ["two, the first of them right", ["Host: 127.0.0.1:PORT", "Host: evil.example"], "sent more than once"],
    ["two that are right", ["Host: 127.0.0.1:PORT", "Host: 127.0.0.1:PORT"], "sent more than once"],
  ] as const)("%s gets 400", async (_title, lines, reason) => {
    const emulator = await startTestEmulator();
    expect(statusOf(await raw(emulator.port, get(emulator.port, lines)))).toBe(400);
    expect(emulator.log[0]).toContain(reason);
  });

  test("of an absolute target replaces the header", async () => {
    const { port } = await startTestEmulator();
    const lines = ["Host: 127.0.0.1:PORT"];
    const own = get(port, lines, `http://127.0.0.1:${port}/test-authentication`);
    const other = get(port, lines, "http://evil.example/test-authentication");
    expect([statusOf(await raw(port, own)), statusOf(await raw(port, other))]).toEqual([200, 421]);
  });
});

describe("Origin", () => {
  test.each(["http://evil.example", "null", "http://127.0.0.1:PORT", ""])(
    "%s gets 403, and nothing that lets a page read the answer",
    async (origin) => {
      const emulator = await startTestEmulator();
      const { port } = emulator;
      const answer = await raw(port, get(port, ["Host: 127.0.0.1:PORT", `Origin: ${origin}`]));
      expect(statusOf(answer)).toBe(403);
      expect(answer.toLowerCase()).not.toContain("access-control");
      expect(emulator.log[0]).toMatch(/ 403 origin: web pages may not use this server/);
    },
  );

  test("is read after a thousand other headers", async () => {
    const { port } = await startTestEmulator();
    const many = Array.from({ length: 1500 }, () => "a:");
    const answer = await raw(
      port,
      get(port, ["Host: 127.0.0.1:PORT", ...many, "Origin: http://evil.example"]),
    );
    expect(statusOf(answer)).toBe(403);
  });

  test("of a preflight is refused too", async () => {
    const { url } = await startTestEmulator();
    const headers = { Origin: "http://evil.example", "Access-Control-Request-Method": "GET" };
    expect((await send(url, { method: "OPTIONS", headers })).status).toBe(403);
  });
});
