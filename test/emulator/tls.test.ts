import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { protocolError } from "../../src/emulator/request.ts";
import { authorityCertificate as ca, signed, trusted } from "../faults/authority.ts";
import { folderWith } from "../support/folder.ts";
import * as support from "./support.ts";

const { credentials, get, listening, raw, send, startRun, startTestEmulator, statusOf, until } = support;
const token = { "X-Auth-Token": credentials.token };
const pair = { cert: trusted.cert, key: trusted.key };

describe("with a certificate", () => {
  test("the emulator serves https at the address, or at localhost if the certificate has only that name", async () => {
    const emulator = await startTestEmulator(pair);
    expect(emulator.url).toBe(`https://127.0.0.1:${emulator.port}`);
    expect((await send(emulator.url, { ca, headers: token })).status).toBe(200);
    const named = await startTestEmulator(signed({ names: ["DNS:localhost"] }));
    expect(named.url).toBe(`https://localhost:${named.port}`);
    expect((await send(named.url, { ca, headers: token })).status).toBe(200);
  });

  test("the absolute form and planned answers work as over http", async () => {
    const emulator = await startTestEmulator(pair);
    emulator.answers([{}, { cutOff: true }]);
    emulator.answer("reset");
    const target = `${emulator.url}/test-authentication`;
    const bytes = get(emulator.port, ["Host: evil.example"], target);
    expect(statusOf(await raw(emulator.port, bytes, ca))).toBe(200);
    for (const code of ["ECONNRESET", "ECONNRESET"])
      await expect(send(emulator.url, { ca })).rejects.toMatchObject({ code });
  });

  test("a request without TLS is logged as one, and the server goes on", async () => {
    const { port, url, log } = await startTestEmulator(pair);
    await expect(send(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: "ECONNRESET" });
    await until(() => log.length > 0);
    expect(log).toEqual([
      expect.stringContaining("- - - malformed HTTP: a request without TLS came; the base URL "),
    ]);
    expect((await send(url, { ca, headers: token })).status).toBe(200);
  });

  test("a half-finished handshake does not hold up close()", async () => {
    const emulator = await startTestEmulator(pair);
    const socket = connect(emulator.port, "127.0.0.1").on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await new Promise((resolve) => socket.once("connect", resolve));
    const before = performance.now();
    await Promise.all([emulator.close(), closed]);
    expect(performance.now() - before).toBeLessThan(4_000);
  });
});

test("a client that refuses the certificate is logged as what it is", () => {
  const refusal = Object.assign(new Error("x"), { code: "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA" });
  const [reason] = protocolError(refusal)?.reasons ?? [];
  expect(reason?.detail).toMatch(/^the TLS handshake failed; .* does not trust the certificate \(.*_CA\)$/);
});

const other = signed();

test.each([
  [{ cert: pair.cert }, "cert is given without key"],
  [{ key: pair.key }, "key is given without cert"],
  [{ ...pair, cert: "x" }, "OpenSSL does not serve TLS with cert and key (ERR_OSSL_PEM_NO_START_LINE)"],
  [{ ...pair, key: pair.cert }, "OpenSSL does not serve TLS with cert and key (ERR_OSSL_"],
  [{ ...pair, key: other.key }, "with cert and key (ERR_OSSL_X509_KEY_VALUES_MISMATCH)"],
])("startEmulator refuses a pair that is none", async (options, message) => {
  await expect(startTestEmulator(options)).rejects.toThrow(message);
});

test("a pair that this OpenSSL finds too weak is refused before the server starts", async () => {
  const { cert, key } = signed({ key: "weak" });
  const isRefused = Number(process.versions.node.split(".")[0]) >= 24;
  const started = startTestEmulator({ cert, key }).then(
    () => "started",
    ({ name, message }) => `${name}: ${message}`,
  );
  expect(await started).toBe(
    isRefused
      ? "InputError: OpenSSL does not serve TLS with cert and key (ERR_SSL_EE_KEY_TOO_SMALL)"
      : "started",
  );
});

describe("--cert and --key", () => {
  const files = { "c.pem": pair.cert, "k.pem": pair.key, "other.pem": other.key };

  test("serve https, and tell a shell and a command which certificate to trust", async () => {
    const folder = folderWith(files);
    const inside = (name: string): string => join(folder, name);
    const both = ["--cert", inside("c.pem"), "--key", inside("k.pem")];
    const { variables, url, stop } = await listening([...both, "--token", credentials.token]);
    expect(variables.REFERRAL_CA_CERT).toBe(inside("c.pem"));
    expect((await send(url, { ca, headers: token })).status).toBe(200);
    await stop();
    const out = inside("out");
    const script = 'require("fs").writeFileSync(process.argv[1], process.env.REFERRAL_CA_CERT)';
    const relative = ["--cert", "c.pem", "--key", "k.pem", "--", process.execPath, "-e", script, out];
    expect(await startRun(relative, { workingFolder: folder }).ended).toEqual([0]);
    expect(readFileSync(out, "utf8")).toBe(inside("c.pem"));
  });

  test.each([
    ["none", "k.pem", /^--cert names a file that does not exist$/],
    [".", "k.pem", /^--cert names \., which is a folder, not a file$/],
    ["c.pem", "", /^--cert c.pem is given without --key$/],
    ["c.pem", "other.pem", /^OpenSSL does not serve TLS with --cert c.pem and --key other.pem \(/],
  ])("%j and %j are refused by the name of the file", async (cert, key, message) => {
    const args = ["--cert", cert, ...(key === "" ? [] : ["--key", key])];
    await expect(startRun(args, { workingFolder: folderWith(files) }).ended).rejects.toThrow(message);
  });
});
