import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import type { PlannedAnswer } from "../../src/emulator/planned-answers.ts";
import { statuses, three, token } from "./steering.ts";
import { credentials, get, raw, send, startTestEmulator, statusOf, wsse } from "./support.ts";

const second = { token: "second-token", username: "second@example.com", secret: "second-secret" };

test("a forced answer is the first reason, and the faults and notes of the header follow it", async () => {
  const emulator = await startTestEmulator({ accounts: [credentials, second] });
  emulator.answers([{ status: 503, times: 2 }, { status: 200 }, {}]);
  await statuses(emulator, { "X-WSSE": wsse({ secret: "wrong" }) }, {}, token, { "X-Auth-Token": "no" });
  const rules = emulator.requests.map(({ accepted, reasons }) => [
    accepted,
    ...reasons.map(({ rule }) => rule),
  ]);
  expect(rules).toEqual([
    [false, "forced", "digest"],
    [false, "forced", "missing"],
    [false, "forced"],
    [false, "token"],
  ]);
  expect(emulator.requests[0]?.reasons[0]?.detail).toBe("answer 503");
  emulator.answer(503);
  await send(emulator.url, { method: "OPTIONS" });
  expect(emulator.requests.at(-1)?.reasons).toEqual([{ rule: "forced", detail: "answer 503" }]);
});

test("a forced answer uses up no nonce", async () => {
  const emulator = await startTestEmulator();
  const same = { "X-WSSE": wsse() };
  emulator.answers([{ status: 503, times: 2 }]);
  expect(await statuses(emulator, same, same, same, same)).toEqual([503, 503, 200, 401]);
  emulator.reset();
  expect(await statuses(emulator, same)).toEqual([200]);
});

const started = () => startTestEmulator({ accounts: [credentials, second] });

test("planned answers are used in order, and then the real ones come; a new list replaces them", async () => {
  const emulator = await started();
  emulator.answers([{ status: 503, times: 2 }, {}, { status: 429, headers: { "retry-after": "7" } }]);
  expect(await statuses(emulator, ...three)).toEqual([503, 503, 200]);
  expect((await send(emulator.url, { headers: token })).headers["retry-after"]).toBe("7");
  expect(await statuses(emulator, token)).toEqual([200]);
  emulator.answers([{ status: 500, times: 9 }]);
  emulator.answers([{ status: 418 }]);
  expect(await statuses(emulator, token, token)).toEqual([418, 200]);
});

test("a planned answer is for one account by token and by username, whatever its digest", async () => {
  const emulator = await started();
  emulator.answers([{ status: 423, account: 1, times: 4 }, { status: 503 }]);
  const locked = [
    { "X-Auth-Token": second.token },
    { "X-WSSE": wsse(second) },
    { "X-WSSE": wsse({ ...second, secret: "wrong" }) },
  ];
  const others = [token, { "X-Auth-Token": "unknown" }, { "X-WSSE": wsse({ username: "a@b.cd" }) }];
  expect(await statuses(emulator, ...locked)).toEqual([423, 423, 423]);
  expect(await statuses(emulator, ...others)).toEqual([503, 401, 401]);
  expect(emulator.requests.map(({ account }) => account)).toEqual([1, 1, 1, 0, null, null]);
  expect(emulator.log[0]).toContain(" 423 forced: answer 423; account: second@example.com");
});

test("planned answers come before `answer`, which counts again when they are used up; reset() empties the list", async () => {
  const emulator = await startTestEmulator({ answer: 500 });
  emulator.answers([{}, { status: 511 }, { status: 503, times: 2 }]);
  expect(await statuses(emulator, ...three)).toEqual([200, 511, 503]);
  emulator.reset();
  expect(await statuses(emulator, token)).toEqual([500]);
});

test("a planned answer replaces parts of the real one", async () => {
  const emulator = await started();
  emulator.answers([{ headers: { "X-A": "1", date: "x" } }, { body: { a: ["é"] } }, { body: "no\n" }]);
  const [first, json, text] = await Promise.all(three.map((headers) => send(emulator.url, { headers })));
  expect(first).toMatchObject({ status: 200, headers: { "x-a": "1", date: "x", allow: "GET, OPTIONS" } });
  expect(json).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  expect(Buffer.from(json?.body ?? "", "latin1").toString()).toBe('{"a":["é"]}');
  expect(text).toMatchObject({ body: "no\n", headers: { "content-type": "text/plain; charset=utf-8" } });
  expect(emulator.requests.map(({ accepted }) => accepted)).toEqual([true, true, true]);
});

test("a planned answer waits and is cut off", async () => {
  const emulator = await started();
  emulator.answers([{ delaySeconds: 0.15 }, { cutOff: true }, { cutOff: true, body: "" }]);
  const before = performance.now();
  expect(await statuses(emulator, token)).toEqual([200]);
  expect(performance.now() - before).toBeGreaterThan(140);
  for (const code of ["ECONNRESET", "ECONNRESET"])
    await expect(send(emulator.url, { headers: token })).rejects.toMatchObject({ code });
  expect(emulator.requests.map(({ status }) => status)).toEqual([200, null, null]);
});

test("a request that waits is listed at once, and does not hold up close()", async () => {
  const emulator = await startTestEmulator();
  emulator.answers([{ delaySeconds: 600 }]);
  const sent = send(emulator.url).catch((error: { code: string }) => error.code);
  await expect.poll(() => emulator.requests).toHaveLength(1);
  emulator.reset();
  await emulator.close();
  expect([await sent, emulator.requests]).toEqual(["ECONNRESET", []]);
});

test("what has no content has none by any plan", async () => {
  const emulator = await startTestEmulator();
  emulator.answers([{ status: 205 }, { status: 204 }, { body: "x" }]);
  for (const [status, method = "GET"] of [[205], [204], [204, "OPTIONS"]] as const)
    expect(await send(emulator.url, { method })).toMatchObject({ status, body: "" });
});

test.each<[PlannedAnswer, string]>([
  [{ body: null, status: 500 }, "answer 500, body"],
  [{ headers: { a: "b" }, delaySeconds: 0.01, cutOff: true }, "headers, delaySeconds, cutOff"],
  [{ times: 2 }, ""],
])("the reasons name what is planned: %j", async (planned, detail) => {
  const emulator = await startTestEmulator();
  emulator.answers([planned]);
  const sent = send(emulator.url, { headers: token }).catch(() => {});
  await expect.poll(() => emulator.requests).toHaveLength(1);
  const forced = emulator.requests[0]?.reasons.filter(({ rule }) => rule === "forced");
  expect(forced).toEqual(detail === "" ? [] : [{ rule: "forced", detail }]);
  await emulator.close();
  await sent;
});

test("a reset ends no connection of another address with the same port", async () => {
  const emulator = await startTestEmulator({ host: "0.0.0.0" });
  emulator.answers([{ delaySeconds: 0.2 }]);
  emulator.answer("reset");
  const from = (localAddress: string, localPort: number) =>
    connect({ host: "127.0.0.1", port: emulator.port, localAddress, localPort });
  const waiting = from("127.0.0.1", 0);
  await once(waiting, "connect");
  waiting.write(get(emulator.port));
  await expect.poll(() => emulator.requests).toHaveLength(1);
  const other = from("127.0.0.2", waiting.localPort ?? 0);
  other.write(get(emulator.port));
  await expect(once(other, "close")).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(String(await once(waiting, "data"))).toContain(" 200 OK");
});

test("the absolute form and OPTIONS take a planned answer too", async () => {
  const emulator = await startTestEmulator();
  emulator.answers([{ status: 500 }, { status: 501 }]);
  const target = `${emulator.url}/test-authentication`;
  expect(statusOf(await raw(emulator.port, get(emulator.port, undefined, target)))).toBe(500);
  expect((await send(emulator.url, { method: "OPTIONS" })).status).toBe(501);
});
