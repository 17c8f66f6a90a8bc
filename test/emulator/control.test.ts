import { connect } from "node:net";
import { expect, test } from "vitest";
import { credentials, send, startTestEmulator, statuses, three, token } from "./support.ts";

const [answers, requests, health] = [
  "/__emulator/answers",
  "/__emulator/requests",
  "/__emulator/health",
] as const;

/** A request that steers. */
const steer = (url: string, method: string, path: string = answers, body?: string) =>
  send(url, { method, path, ...(body !== undefined && { body }) });

test("GET /__emulator/requests lists what arrived, without what steers, and DELETE empties the lists", async () => {
  const emulator = await startTestEmulator({ control: true });
  await send(emulator.url, { headers: { ...token, "X-Note": credentials.secret } });
  await steer(emulator.url, "PUT", answers, '[{"status":500}]');
  await steer(emulator.url, "GET", health);
  const listed = await steer(emulator.url, "GET", requests);
  expect(listed).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  expect(listed.headers).not.toHaveProperty("access-control-allow-origin");
  expect(JSON.parse(listed.body)).toEqual(JSON.parse(JSON.stringify(emulator.requests)));
  expect(JSON.parse(listed.body)).toMatchObject([
    { status: 200, account: 0, headers: { "x-note": "[secret]" } },
  ]);
  expect(await steer(emulator.url, "HEAD", requests)).toEqual({ ...listed, body: "" });
  for (const path of [answers, requests])
    expect(await steer(emulator.url, "DELETE", path)).toMatchObject({ status: 204, body: "" });
  expect(emulator.requests).toEqual([]);
  expect(await statuses(emulator, token)).toEqual([200]);
});

test("an answer to steering waits until the one before was read, so that many questions take no memory", async () => {
  const emulator = await startTestEmulator({ control: true });
  const note = "x".repeat(7_000);
  for (let count = 0; count < 300; count += 1)
    await send(emulator.url, { headers: { "X-Note": `${note}${count}` } });
  const before = process.memoryUsage().rss;
  const client = connect(emulator.port, "127.0.0.1").on("error", () => {});
  // The answers are 2 MB each.
  client.write(`GET ${requests} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(300));
  client.pause();
  for (let count = 0; count < 20; count += 1) await steer(emulator.url, "GET", health);
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  client.destroy();
});

test("without --control there is the path for health alone, which needs no credentials", async () => {
  const { url, requests: seen } = await startTestEmulator();
  const sent = [health, answers, requests].map(async (path) => (await steer(url, "GET", path)).status);
  expect(await Promise.all(sent)).toEqual([200, 404, 404]);
  expect(seen).toHaveLength(2);
});

test("GET /__emulator/answers lists what is left, in the form that PUT takes", async () => {
  const emulator = await startTestEmulator({ control: true });
  const left = async (): Promise<unknown> => JSON.parse((await steer(emulator.url, "GET")).body);
  expect(await left()).toEqual([]);
  const once = { status: 503, headers: { "Retry-After": "5" }, body: { code: 503 }, delaySeconds: 0.01 };
  const list = [{ ...once, times: 3 }, {}, { cutOff: true, account: 0 }];
  await steer(emulator.url, "PUT", answers, JSON.stringify(list));
  expect(await left()).toEqual(list);
  await statuses(emulator, token, token);
  expect(await left()).toEqual([{ ...once, times: 1 }, ...list.slice(1)]);
  await statuses(emulator, token, token);
  const last = await left();
  expect(last).toEqual(list.slice(2));
  expect((await steer(emulator.url, "PUT", answers, JSON.stringify(last))).status).toBe(204);
});

test.each<[string, number, string, Parameters<typeof send>[1]]>([
  ["another path", 404, "tests use /__emulator/health, ", { path: "/__emulator/reset" }],
  ["another method", 405, "this path has GET, PUT, DELETE", { method: "POST" }],
  ["another Host", 421, "this server is ", { headers: { Host: "evil.example" } }],
  ["an image", 403, "is from another site", { headers: { "Sec-Fetch-Site": "cross-site" } }],
  ["an Origin", 403, "no web page may steer", { headers: { Origin: "http://127.0.0.1" } }],
  ["2 MB", 413, "more than 1048576 bytes", { body: " ".repeat(2_000_000) }],
  ["no body", 400, "The body is empty", {}],
  ["no JSON", 400, "The body is not JSON in UTF-8 at position 2: Send a list like ", { body: "[{]" }],
  ["no UTF-8", 400, "The body is not JSON in UTF-8: ", { body: Buffer.from('["\xff"]', "latin1") }],
  ["a wrong list", 400, "answers[1].times is not a whole", { body: '[{ "status": 500 }, { "times": 0 }]' }],
])("%s gets %i, says why, and changes nothing", async (_, status, reason, sent) => {
  const emulator = await startTestEmulator({ control: true });
  emulator.answers([{ status: 418, times: 2 }]);
  const response = await send(emulator.url, { method: "PUT", path: answers, ...sent });
  expect(response).toMatchObject({ status, body: expect.stringContaining(reason) });
  expect(await statuses(emulator, ...three)).toEqual([418, 418, 200]);
});
