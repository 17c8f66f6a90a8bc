import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { Agent, get as getHttp } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../src/library/emulator.ts";
import { trusted } from "../faults/authority.ts";
import { freePort } from "../support/port.ts";
import {
  credentials,
  get,
  nonce,
  now,
  raw,
  send,
  startTestEmulator,
  statuses,
  token,
  wsse,
} from "./support.ts";

test("startEmulator without options accepts one account with random credentials", async () => {
  const { url, accounts, close } = await startEmulator();
  const { status } = await send(url, { headers: { "X-Auth-Token": accounts[0].token } });
  await close();
  expect([accounts.length, status]).toEqual([1, 200]);
});

test("a client that keeps its connections finds the next emulator of the same port", async () => {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  let port = 0;
  for (const _ of [1, 2, 3]) {
    const emulator = await startEmulator({ port });
    port = Number(new URL(emulator.url).port);
    const [response] = await once(getHttp(`${emulator.url}/test-authentication`, { agent }), "response");
    await once(response.resume(), "end");
    await emulator.close();
    expect(emulator.requests).toMatchObject([{ status: 401 }]);
  }
});

test("each of several accounts has its own rules or else those of the emulator", async () => {
  const rules = { digest: "hex-digest", hash: "sha256", authorization: "wsse" } as const;
  const one = { username: "a@b.cd", authorization: "none" } as const;
  const other = { profile: "b", username: "b@b.cd", digest: "text-nonce" } as const;
  const { accounts } = await startTestEmulator({ accounts: [one, other], ...rules });
  expect(accounts).toMatchObject([one, other].map((own) => ({ profile: null, ...rules, ...own })));
});

test.each<[object, string]>([
  [{ port: 65_536 }, "port is not a whole number from 0 to 65535"],
  [{ answer: 600 }, "answer is not a whole number from 200 to 599"],
  [{ accounts: [{}, { hash: "md5" }] }, "accounts[1].hash is not one of sha1"],
  [{ accounts: [] }, "accounts is empty"],
  [{ accounts: [{ token: 12345 }] }, "The value of accounts[0].token is not text"],
  [{ accounts: [null] }, "accounts[0] is not an object"],
  [{ host: "192.0.2.1" }, "of 192.0.2.1 cannot be opened (EADDRNOTAVAIL)"],
  [{ allowHosts: "api" }, "allowHosts is not a list"],
  [{ strict: "yes" }, "strict is neither true nor false"],
  [{ log: "requests.log" }, "log is not a function"],
])("startEmulator rejects %j with an InputError", async (options, message) => {
  const attempt = startEmulator(options as EmulatorOptions);
  await expect(attempt).rejects.toMatchObject({ name: "InputError", code: "ERR_REFERRAL_AUTH_SETTINGS" });
  await expect(attempt).rejects.toThrow(message);
});

test("an emulator is closed at the end of the block that uses it", async () => {
  let closed = "";
  {
    await using emulator = await startEmulator();
    closed = emulator.url;
    expect((await send(closed)).status).toBe(401);
  }
  await expect(send(closed)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test.each([
  ["/v1", "/v1"],
  ["/rest/v1.0/", "/rest/v1.0"],
])("the base path %s is a part of the URL, below which the API and steering are", async (basePath, shown) => {
  const emulator = await startTestEmulator({ basePath, control: true });
  expect(new URL(emulator.url).pathname).toBe(shown);
  expect(await statuses(emulator, token)).toEqual([200]);
  const list = await send(emulator.url, { path: "/__emulator/requests" });
  expect(JSON.parse(list.body)).toMatchObject([{ path: `${shown}/test-authentication`, accepted: true }]);
  expect((await send(new URL(emulator.url).origin, { path: "/__emulator/health" })).status).toBe(200);
  expect((await send(new URL(emulator.url).origin, { headers: token })).status).toBe(404);
});

test("what a browser asks before a request of a page uses up no planned answer", async () => {
  const emulator = await startTestEmulator();
  emulator.answers([{ status: 503 }]);
  const Origin = "http://localhost:5173";
  const asks = {
    Origin,
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "x-auth-token",
  };
  const [asked, first, foreign, second] = [
    await send(emulator.url, { method: "OPTIONS", headers: asks }),
    await send(emulator.url, { headers: { ...token, Origin } }),
    await send(emulator.url, { method: "OPTIONS", headers: { ...asks, Origin: "http://evil.example" } }),
    await send(emulator.url, { headers: { ...token, Origin } }),
  ];
  expect([asked.status, first.status, foreign.status, second.status]).toEqual([204, 503, 403, 200]);
  for (const { headers } of [asked, first, second]) expect(headers["access-control-allow-origin"]).toBe("*");
  expect(Object.keys(foreign.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("an emulator keeps the last 1,000 requests", async () => {
  const emulator = await startTestEmulator();
  const head = "HEAD / HTTP/1.1\r\nHost: a\r\n";
  await raw(emulator.port, `${`${head}\r\n`.repeat(1_005)}${head}X-Last: 1\r\nConnection: close\r\n\r\n`);
  expect(emulator.requests).toHaveLength(1_000);
  expect(emulator.requests.at(-1)?.headers["x-last"]).toBe("1");
});

test.each(["?", "#", "/../", '"', "@", ","])("a secret that holds %j is shown in no part", async (sign) => {
  const halves = ["Zq7Kp2Xw9Lm4", "Rt8Hc5Vn3Bd6"];
  const secret = halves.join(sign);
  const { port, requests } = await startTestEmulator({ accounts: [{ secret }] });
  const header = `X-WSSE: UsernameToken Username="${secret}", PasswordDigest="x"`;
  for (const path of [`/a/${secret}`, `/b?${secret}`, `/${encodeURIComponent(secret)}`, `http://${secret}/x`])
    await raw(port, get(port, ["Host: x"], path));
  await raw(port, get(port, ["Host: 127.0.0.1:PORT", header]));
  await raw(port, get(port, ["Host: x"], "/harmless?x"));
  for (const half of halves) expect(JSON.stringify(requests)).not.toContain(half);
  expect(requests.map(({ path }) => path).slice(4)).toEqual(["/test-authentication", "/harmless"]);
});

test("a request is shown with its answer, and without credentials; so is what is none", async () => {
  const { url, port, requests } = await startTestEmulator();
  const Authorization = `Basic ${Buffer.from(credentials.secret).toString("base64")}`;
  const wsseAuthorization = 'WSSE profile="UsernameToken"';
  const header = wsse({ nonce, hash: "sha256" });
  const lower = `UsernameToken passworddigest="${credentials.secret}"`;
  await send(url, {
    headers: { ...token, Cookie: "session=1", Authorization, "X-Note": credentials.secret },
  });
  await send(url, {
    path: `/${credentials.token}?x=${credentials.secret}`,
    headers: { "X-WSSE": header, Authorization: wsseAuthorization },
  });
  await send(url, {
    headers: { [credentials.token]: "1", [`X-${credentials.secret}`]: "2", "X-WSSE": lower },
  });
  await raw(port, "hello\r\n\r\n");
  const masked = "[secret]";
  const [first, ...others] = requests;
  expect(first).toEqual({
    ...{ time: now, method: "GET", path: "/test-authentication", status: 200, accepted: true, account: 0 },
    headers: {
      ...{ "x-auth-token": masked, cookie: masked, authorization: masked, "x-note": masked },
      ...{ host: `127.0.0.1:${port}`, connection: "close" },
    },
    reasons: [{ rule: "accepted", detail: "X-Auth-Token" }],
    notes: [],
  });
  const shown = header.replace(/(?<=PasswordDigest=")[^"]*/, masked);
  expect(others).toMatchObject([
    { path: "/[secret]", status: 404, headers: { "x-wsse": shown, authorization: wsseAuthorization } },
    { accepted: false, account: null, headers: { "x-wsse": masked, [masked]: "1", [`x-${masked}`]: "2" } },
    { method: null, path: null, headers: {}, status: 400, accepted: false },
  ]);
});

test("an emulator serves all addresses and other names on purpose", async () => {
  const emulator = await startTestEmulator({ host: "0.0.0.0", allowHosts: ["Referral-API"] });
  expect(emulator.url).toBe(`http://127.0.0.1:${emulator.port}`);
  const statusFor = async (url: string, Host?: string): Promise<number> =>
    (await send(url, { headers: { ...token, ...(Host && { Host }) } })).status;
  expect(await statusFor(emulator.url.replace("127.0.0.1", "127.0.0.2"))).toBe(200);
  expect(await statusFor(emulator.url, "referral-api")).toBe(200);
  expect(await statusFor(emulator.url, "evil.example")).toBe(421);
});

test("a port is open on 127.0.0.1 and on no other address, and free once the emulator is closed", async () => {
  const port = await freePort();
  const { close } = await startTestEmulator({ port });
  await expect(startEmulator({ port })).rejects.toMatchObject({
    ...{ name: "InputError", kind: "settings", hint: expect.stringContaining("another port") },
    message: `Port ${port} of 127.0.0.1 cannot be opened (EADDRINUSE)`,
  });
  // All of 127.0.0.0/8 leads to this machine, so a server on 0.0.0.0 would answer here.
  const [error] = await once(connect(port, "127.0.0.2"), "error");
  expect(error.code).toBe("ECONNREFUSED");
  await close();
  await close();
  expect((await startTestEmulator({ port })).port).toBe(port);
});

test.each([
  ["an idle connection", {}, ""],
  ["half a request", {}, "GET /test-authentication HTTP/1.1\r\nHost:"],
  ["an answer that waits", {}, "GET /test-authentication HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"],
  ["a handshake that waits", { cert: trusted.cert, key: trusted.key }, ""],
] as const)("closing ends %s at once", async (_title, options, bytes) => {
  const emulator = await startTestEmulator(options);
  emulator.answers([{ delaySeconds: 600 }]);
  const socket = connect(emulator.port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  socket.resume().write(bytes.replace("PORT", String(emulator.port)));
  // A request is listed before its answer.
  if (bytes.endsWith("\n")) await expect.poll(() => emulator.requests).toHaveLength(1);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const before = [...emulator.log];
  await Promise.all([emulator.close(), closed]);
  // If the server waited for Node's own limits, it would log what they end, or wait longer than a test may.
  expect(emulator.log).toEqual(before);
});

test("with unref, the process may end while the emulator listens", () => {
  const module = new URL("../../src/library/emulator.ts", import.meta.url).href;
  const program = `
    const { startEmulator } = await import(${JSON.stringify(module)});
    const { url } = await startEmulator({ unref: true });
    console.log((await fetch(url + "/__emulator/health")).status);`;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    timeout: 50_000,
  });
  expect([run.status, run.stdout]).toEqual([0, "200\n"]);
});
