import { once } from "node:events";
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { credentials, send, startTestEmulator, wsse } from "./support.ts";

const headers = { "X-Auth-Token": credentials.token };

describe("--answer with a status", () => {
  test.each([200, 299, 400, 401, 403, 404, 405, 407, 418, 500, 502, 599])("%i", async (answer) => {
    const emulator = await startTestEmulator({ answer });
    const { status, headers: received, body } = await send(emulator.url, { headers });
    expect(status).toBe(answer);
    expect(received["content-type"]).toBe("application/json");
    expect(received).not.toHaveProperty("retry-after");
    expect(JSON.parse(body)).toEqual({ code: answer, message: expect.stringMatching(/.\.$/) });
    expect(emulator.log).toEqual([
      `2026-11-21T03:31:00Z GET /test-authentication ${answer} forced: answer ${answer}`,
    ]);
  });

  test.each([429, 503])("%i asks to come back in a second", async (answer) => {
    const { url } = await startTestEmulator({ answer });
    expect(await send(url, { headers })).toMatchObject({ status: answer, headers: { "retry-after": "1" } });
  });

  test.each([204, 304])("%i has no body", async (answer) => {
    const { url } = await startTestEmulator({ answer });
    const received = await send(url, { headers });
    expect(received).toMatchObject({ status: answer, body: "" });
    expect(received.headers).not.toHaveProperty("content-length");
  });

  test("is named in the answer with --explain", async () => {
    const { url } = await startTestEmulator({ answer: 503, explain: true });
    expect((await send(url, { headers })).body).toContain("Service Unavailable: forced: answer 503.");
  });
});

test("--answer html is a web page with a title and status 200", async () => {
  const { url } = await startTestEmulator({ answer: "html" });
  const { status, headers: received, body } = await send(url, { headers });
  expect({ status, type: received["content-type"] }).toEqual({
    status: 200,
    type: "text/html; charset=utf-8",
  });
  expect(body).toContain("<title>Sign in to this network</title>");
});

test("--answer redirect is a 302 to a path that does not exist", async () => {
  const { url } = await startTestEmulator({ answer: "redirect" });
  const { status, headers: received } = await send(url, { headers });
  expect({ status, location: received.location }).toEqual({ status: 302, location: "/sign-in" });
  expect((await send(url, { path: received.location ?? "" })).status).toBe(404);
});

test("--answer slow begins an answer and never ends it", async () => {
  const emulator = await startTestEmulator({ answer: "slow" });
  const outgoing = request(`${emulator.url}/test-authentication`, { agent: false }).end();
  const [incoming] = await once(outgoing, "response");
  expect(incoming.statusCode).toBe(200);
  let [ended, body] = [false, ""];
  incoming.on("data", (chunk: Buffer) => {
    body += chunk;
  });
  incoming.on("end", () => {
    ended = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect({ ended, body }).toEqual({ ended: false, body: '{"code": 200, ' });
  outgoing.destroy();
  expect(emulator.log).toEqual(["2026-11-21T03:31:00Z GET /test-authentication - forced: answer slow"]);
});

test("--answer reset resets the connection", async () => {
  const emulator = await startTestEmulator({ answer: "reset" });
  await expect(send(emulator.url, { headers })).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(emulator.log).toEqual(["2026-11-21T03:31:00Z GET /test-authentication - forced: answer reset"]);
});

test("a forced answer holds for every method of the endpoint, ignores nonces, and allows nothing else", async () => {
  const { url } = await startTestEmulator({ answer: 500 });
  const value = { "X-WSSE": wsse() };
  expect((await send(url, { headers: value })).status).toBe(500);
  expect((await send(url, { headers: value })).status).toBe(500);
  expect((await send(url, { method: "OPTIONS" })).status).toBe(500);
  expect((await send(url, { method: "POST" })).status).toBe(500);
  expect((await send(url, { path: "/" })).status).toBe(404);
  expect((await send(url, { headers: { Host: "evil.example" } })).status).toBe(421);
  expect((await send(url, { headers: { Origin: "http://evil.example" } })).status).toBe(403);
});

test("a forced answer waits for the latency too", async () => {
  const { url } = await startTestEmulator({ answer: 500, latencyMs: 100 });
  const before = performance.now();
  await send(url);
  expect(performance.now() - before).toBeGreaterThanOrEqual(95);
});
