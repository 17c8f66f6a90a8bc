import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { type EmulatorOptions, startEmulator } from "../../src/library/emulator.ts";
import { credentials, nonce, now, raw, send, startTestEmulator, wsse } from "./support.ts";

const token = { "X-Auth-Token": credentials.token };

test("startEmulator without options accepts one account with random credentials", async () => {
  const { url, accounts, close } = await startEmulator();
  const { status } = await send(url, { headers: { "X-Auth-Token": accounts[0].token } });
  await close();
  expect([accounts.length, status]).toEqual([1, 200]);
});

test("each of several accounts has its own rules or else those of the emulator", async () => {
  const rules = { digest: "hex-digest", hash: "sha256", authorization: "wsse" } as const;
  const one = { username: "a@b.cd", authorization: "none" } as const;
  const other = { profile: "b", username: "b@b.cd", digest: "text-nonce" } as const;
  const { url, accounts, requests } = await startTestEmulator({ accounts: [one, other], ...rules });
  const expected = [one, other].map((own) => ({ profile: null, ...rules, ...own }));
  expect(accounts).toMatchObject(expected);
  const Authorization = "WSSE profile=UsernameToken";
  for (const { username, secret, digest, hash } of accounts)
    await send(url, { headers: { "X-WSSE": wsse({ username, secret, digest, hash }), Authorization } });
  expect(requests).toMatchObject([{ account: 0 }, { account: 1 }]);
});

test.each<[object, string]>([
  [{ timeout: 5 }, 'options has no field "timeout"'],
  [{ port: 65_536 }, "port is not a whole number from 0 to 65535"],
  [{ accounts: [{}, { hash: "md5" }] }, "accounts[1].hash is not one of sha1"],
  [{ accounts: [] }, "accounts is empty"],
  [{ accounts: [{ token: 12345 }] }, "The value of accounts[0].token is not text"],
  [{ accounts: [{ user: "a" }] }, 'accounts[0] has no field "user"'],
  [{ host: "192.0.2.1" }, "192.0.2.1 is no address of this machine"],
  [{ allowHosts: "api" }, "allowHosts is not a list"],
  [{ strict: "yes" }, "strict is neither true nor false"],
  [{ log: "requests.log" }, "log is not a function"],
  [{ accounts: [null] }, "accounts[0] is not an object"],
  [5 as unknown as object, "options is not an object"],
])("startEmulator rejects %j with an InputError", async (options, message) => {
  const attempt = startEmulator(options as EmulatorOptions);
  await expect(attempt).rejects.toMatchObject({ name: "InputError", code: "ERR_REFERRAL_AUTH_SETTINGS" });
  await expect(attempt).rejects.toThrow(message);
});

test("an emulator answers as it is told, until it is told to stop or reset, which forgets requests and nonces", async () => {
  const emulator = await startTestEmulator({ answer: 503 });
  const headers = { "X-WSSE": wsse({ nonce }) };
  const status = async (): Promise<number> => (await send(emulator.url, { headers })).status;
  expect(await status()).toBe(503);
  emulator.answer(null);
  expect([await status(), await status()]).toEqual([200, 401]);
  const shown = emulator.requests.map(({ status, account }) => `${status} ${account}`);
  expect(shown).toEqual(["503 0", "200 0", "401 0"]);
  emulator.answer("html");
  emulator.reset();
  expect(emulator.requests).toEqual([]);
  expect(await status()).toBe(503);
  emulator.answer(null);
  expect(await status()).toBe(200);
  expect(() => emulator.answer(99)).toThrow("answer is neither a status from 200 to 599");
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
  const emulator = await startTestEmulator({ accounts: [{ secret }] });
  const absolute = `http://${secret}/x`;
  for (const path of [`/a/${secret}`, `/b?${secret}`, `/${encodeURIComponent(secret)}`, absolute])
    await raw(emulator.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const header = `UsernameToken Username="${secret}", PasswordDigest="x"`;
  await raw(
    emulator.port,
    `GET /test-authentication HTTP/1.1\r\nHost: 127.0.0.1:${emulator.port}\r\nX-WSSE: ${header}\r\nConnection: close\r\n\r\n`,
  );
  await raw(emulator.port, "GET /harmless?x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const said = JSON.stringify(emulator.requests);
  for (const half of halves) expect(said).not.toContain(half);
  expect(emulator.requests.at(-1)?.path).toBe("/harmless");
});

test("a request is shown with its answer, and without credentials; so is what is none", async () => {
  const { url, port, requests } = await startTestEmulator();
  const secret = `Basic ${Buffer.from(credentials.secret).toString("base64")}`;
  const other = { Accept: "a", Cookie: "session=1", Authorization: secret, "X-Note": credentials.secret };
  const sent = { "X-WSSE": wsse({ nonce, hash: "sha256" }), Authorization: 'WSSE profile="UsernameToken"' };
  await send(url, { headers: { ...token, ...other } });
  await send(url, { path: `/${credentials.token}?x=${credentials.secret}`, headers: sent });
  const named = { [credentials.token.toUpperCase()]: "1", [`X-${credentials.secret}`]: "2" };
  await send(url, {
    headers: { ...named, "X-WSSE": `UsernameToken passworddigest="${credentials.secret}"` },
  });
  await raw(port, "hello\r\n\r\n");
  const [masked, connection] = ["[secret]", "close"];
  const hidden = { "x-auth-token": masked, cookie: masked, authorization: masked, "x-note": masked };
  const reasons = [{ rule: "accepted", detail: "X-Auth-Token" }];
  const accepted = { status: 200, accepted: true, account: 0, reasons, notes: [] };
  const usernameToken = sent["X-WSSE"].replace(/(?<=PasswordDigest=")[^"]*/, masked);
  const [first, ...others] = requests;
  const headers = { ...hidden, accept: "a", host: `127.0.0.1:${port}`, connection };
  expect(first).toEqual({ time: now, method: "GET", path: "/test-authentication", ...accepted, headers });
  expect(others).toMatchObject([
    {
      path: "/[secret]",
      status: 404,
      headers: { "x-wsse": usernameToken, authorization: sent.Authorization },
    },
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

test("a port in use is an error in the settings, with a hint; it is free again once the emulator is closed", async () => {
  const first = await startTestEmulator();
  const { port } = first;
  const error = await startEmulator({ port }).catch((reason: unknown) => reason);
  const message = `Port ${port} of 127.0.0.1 is in use by another program`;
  const hint = expect.stringContaining("another port");
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({ kind: "settings", message, hint });
  await first.close();
  await first.close();
  expect((await startTestEmulator({ port })).port).toBe(port);
});

test("a port is open on 127.0.0.1 and on no other address", async () => {
  const { port } = await startTestEmulator();
  // All of 127.0.0.0/8 leads to this machine, so a server on 0.0.0.0 would answer here.
  const [error] = await once(connect(port, "127.0.0.2"), "error");
  expect(error.code).toBe("ECONNREFUSED");
});

const request = "GET /test-authentication HTTP/1.1\r\nHost: HOST\r\n\r\n";

test.each([
  ["an idle connection", {}, ""],
  ["half a request", {}, "GET /test-authentication HTTP/1.1\r\nHost:"],
  ["an answer that waits", { latencyMs: 60_000 }, request],
  ["an answer that never ends", { answer: "slow" }, request],
  ["a kept connection", {}, request],
] as const)("closing ends %s at once", async (_title, options, bytes) => {
  const emulator = await startTestEmulator(options);
  const socket = connect(emulator.port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  socket.resume().write(bytes.replace("HOST", `127.0.0.1:${emulator.port}`));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const closed = once(socket, "close");
  const before = performance.now();
  await Promise.all([emulator.close(), closed]);
  // Node alone would wait longer: five seconds for a kept connection, sixty for half a request.
  expect(performance.now() - before).toBeLessThan(4_000);
  expect(emulator.log.filter((line) => line.includes("failure"))).toEqual([]);
});
