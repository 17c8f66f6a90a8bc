import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { type EmulatorOptions, startEmulator } from "../../src/library/emulator.ts";
import { runInProcess } from "../support/run.ts";
import { credentials, nonce, now, raw, send, startTestEmulator, wsse } from "./support.ts";

const token = { "X-Auth-Token": credentials.token };

describe("startEmulator", () => {
  test("without options accepts one account with random credentials", async () => {
    const emulator = await startEmulator();
    const [{ token }] = emulator.accounts;
    const { status } = await send(emulator.url, { headers: { "X-Auth-Token": token } });
    await emulator.close();
    expect([emulator.accounts.length, status]).toEqual([1, 200]);
  });

  test("accepts several accounts, each by its own rules or else those of the emulator", async () => {
    const rules = { digest: "hex-digest", hash: "sha256", authorization: "wsse" } as const;
    const { url, accounts, requests } = await startTestEmulator({
      accounts: [
        { username: "a@b.cd", authorization: "none" },
        { profile: "b", username: "b@b.cd", digest: "text-nonce" },
      ],
      ...rules,
    });
    expect(accounts).toMatchObject([
      { ...rules, profile: null, username: "a@b.cd", authorization: "none" },
      { ...rules, profile: "b", username: "b@b.cd", digest: "text-nonce" },
    ]);
    const Authorization = "WSSE profile=UsernameToken";
    for (const { username, secret, digest, hash } of accounts)
      await send(url, { headers: { "X-WSSE": wsse({ username, secret, digest, hash }), Authorization } });
    expect(requests).toMatchObject([{ account: 0 }, { account: 1 }]);
  });

  test.each<[object, string]>([
    [{ timeout: 5 }, 'startEmulator has no "timeout"'],
    [{ port: 65_536 }, "port is not a whole number from 0 to 65535"],
    [{ latencyMs: 0.5 }, "latencyMs is not a whole number"],
    [{ clockOffsetSeconds: "soon" }, "clockOffsetSeconds is not a whole number"],
    [{ digest: "md5" }, "digest is not one of text-nonce"],
    [{ accounts: [{}, { hash: "md5" }] }, "accounts[1].hash is not one of sha1"],
    [{ accounts: [] }, "accounts is empty"],
    [{ accounts: [{ user: "a" }] }, 'accounts[0] has no "user"'],
    [{ accounts: [{ token: "" }] }, "The value of accounts[0].token is empty"],
    [{ answer: "teapot" }, "answer is neither a status"],
    [{ host: "localhost" }, "host is not an IP address"],
    [{ allowHosts: ["http://api"] }, "allowHosts is not a host name"],
    [{ allowHosts: "api" }, "allowHosts is not a list"],
    [{ accounts: {} }, "accounts is not a list"],
    [{ strict: "yes" }, "strict is not a boolean"],
    [{ log: "requests.log" }, "log is not a function"],
    [{ accounts: [null] }, "accounts[0]: not an object"],
    [5 as unknown as object, "startEmulator: not an object"],
  ])("%j is an InputError", async (options, message) => {
    const attempt = startEmulator(options as EmulatorOptions);
    await expect(attempt).rejects.toBeInstanceOf(InputError);
    await expect(attempt).rejects.toThrow(message);
  });

  test("on an address that this machine does not have is an InputError", async () => {
    const attempt = startEmulator({ host: "192.0.2.1" });
    await expect(attempt).rejects.toThrow("192.0.2.1 is no address of this machine");
  });
});

describe("an emulator", () => {
  test("answers as it is told, until it is told to stop or reset, which forgets requests and nonces", async () => {
    const emulator = await startTestEmulator({ answer: 503 });
    const headers = { "X-WSSE": wsse({ nonce }) };
    const status = async (): Promise<number> => (await send(emulator.url, { headers })).status;
    expect(await status()).toBe(503);
    emulator.answer(null);
    expect([await status(), await status()]).toEqual([200, 401]);
    const shown = emulator.requests.map(({ status, account }) => [status, account]);
    expect(shown).toEqual([
      [503, null],
      [200, 0],
      [401, null],
    ]);
    emulator.answer("html");
    emulator.reset();
    expect(emulator.requests).toEqual([]);
    expect(await status()).toBe(503);
    emulator.answer(null);
    expect(await status()).toBe(200);
    expect(() => emulator.answer(99)).toThrow("answer is neither a status from 200 to 599");
  });

  test("keeps the last 1,000 requests", async () => {
    const emulator = await startTestEmulator();
    const head = "HEAD / HTTP/1.1\r\nHost: a\r\n";
    const socket = connect(emulator.port, "127.0.0.1").resume();
    socket.end(`${`${head}\r\n`.repeat(1_005)}${head}X-Last: 1\r\nConnection: close\r\n\r\n`);
    await new Promise((resolve) => socket.once("close", resolve));
    expect(emulator.requests).toHaveLength(1_000);
    expect(emulator.requests.at(-1)?.headers["x-last"]).toBe("1");
  });

  test("serves all addresses and other names on purpose", async () => {
    const emulator = await startTestEmulator({ host: "0.0.0.0", allowHosts: ["Referral-API"] });
    expect(emulator.url).toBe(`http://127.0.0.1:${emulator.port}`);
    const other = emulator.url.replace("127.0.0.1", "127.0.0.2");
    expect((await send(other, { headers: token })).status).toBe(200);
    expect((await send(emulator.url, { headers: { ...token, Host: "referral-api" } })).status).toBe(200);
    expect((await send(emulator.url, { headers: { ...token, Host: "evil.example" } })).status).toBe(421);
  });
});

describe("a request", () => {
  test("is shown with its answer, and without credentials", async () => {
    const emulator = await startTestEmulator();
    const secret = `Basic ${Buffer.from(credentials.secret).toString("base64")}`;
    const other = { Accept: "a", Cookie: "session=1", Authorization: secret, "X-Note": credentials.secret };
    await send(emulator.url, { headers: { ...token, ...other } });
    await send(emulator.url, {
      path: `/${credentials.token}?x=${credentials.secret}`,
      headers: { "X-WSSE": wsse({ nonce, hash: "sha256" }), Authorization: 'WSSE profile="UsernameToken"' },
    });
    const wrong = { "X-WSSE": `UsernameToken passworddigest="${credentials.secret}"` };
    await send(emulator.url, { headers: wrong });
    expect(emulator.requests).toEqual([
      {
        time: now,
        method: "GET",
        path: "/test-authentication",
        headers: {
          "x-auth-token": "[secret]",
          accept: "a",
          cookie: "[secret]",
          authorization: "[secret]",
          "x-note": "[secret]",
          host: `127.0.0.1:${emulator.port}`,
          connection: "close",
        },
        status: 200,
        accepted: true,
        account: 0,
        reason: "accepted: X-Auth-Token",
        notes: [],
      },
      expect.objectContaining({
        path: "/[secret]",
        status: 404,
        accepted: false,
        account: null,
        headers: expect.objectContaining({
          "x-wsse": `UsernameToken Username="me@example.com", PasswordDigest="[secret]", Nonce="${"ab".repeat(20)}", Created="2026-11-21T03:31:00+00:00"`,
          authorization: 'WSSE profile="UsernameToken"',
        }),
      }),
      expect.objectContaining({
        headers: expect.objectContaining({ "x-wsse": "[secret]" }),
        reason: "malformed: X-WSSE has an attribute passworddigest; write PasswordDigest",
      }),
    ]);
  });

  test("that is none is shown too", async () => {
    const emulator = await startTestEmulator();
    await raw(emulator.port, "hello\r\n\r\n");
    const shown = { method: null, path: null, headers: {}, status: 400, accepted: false };
    expect(emulator.requests).toMatchObject([shown]);
  });
});

test("the table of docs/emulator.md has every flag, and every option of startEmulator", async () => {
  const page = readFileSync(new URL("../../docs/emulator.md", import.meta.url), "utf8");
  const [table = ""] = page.split("\n## ", 1);
  const { stdout: help } = await runInProcess(["emulator", "--help"]);
  const flags = [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag);
  const { hint } = await startEmulator({ unknown: 1 } as object).catch((error) => error);
  const options = hint.replace("Use only ", "").split(", ");
  expect([flags.length, options.length]).toEqual([17, 13]);
  for (const name of [...flags, ...options]) expect(table).toContain(`\`${name}`);
});
