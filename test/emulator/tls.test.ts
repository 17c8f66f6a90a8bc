import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { authorityCertificate as ca, signed, trusted } from "../faults/authority.ts";
import { folderWith } from "../support/folder.ts";
import { credentials, listening, send, startRun, startTestEmulator, token, until } from "./support.ts";

const pair = { cert: trusted.cert, key: trusted.key };
const files = { "c.pem": pair.cert, "k.pem": pair.key, "other.pem": signed().key };

test("the emulator serves https at the address, or at localhost if the certificate has only that name", async () => {
  const emulator = await startTestEmulator(pair);
  expect(emulator.url).toBe(`https://127.0.0.1:${emulator.port}`);
  expect((await send(emulator.url, { ca, headers: token })).status).toBe(200);
  const named = await startTestEmulator(signed({ names: ["DNS:localhost"] }));
  expect(named.url).toBe(`https://localhost:${named.port}`);
  expect((await send(named.url, { ca, headers: token })).status).toBe(200);
});

test("a request without TLS is logged as one, and the server goes on", async () => {
  const { port, url, log } = await startTestEmulator(pair);
  await expect(send(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: "ECONNRESET" });
  await until(() => log.length > 0);
  expect(log).toEqual([expect.stringContaining("- - - malformed HTTP: a request without TLS came; ")]);
  expect((await send(url, { ca, headers: token })).status).toBe(200);
});

test("--cert and --key serve https, and tell a shell and a command which certificate to trust", async () => {
  const folder = folderWith(files);
  const inside = (name: string): string => join(folder, name);
  const both = ["--cert", inside("c.pem"), "--key", inside("k.pem")];
  const { variables, url, stop } = await listening([...both, "--token", credentials.token]);
  expect(variables.REFERRAL_CA_CERT).toBe(inside("c.pem"));
  expect((await send(url, { ca, headers: token })).status).toBe(200);
  await stop();
  const script = 'printf %s "$REFERRAL_CA_CERT" > "$0"';
  const relative = ["--cert", "c.pem", "--key", "k.pem", "--", "/bin/sh", "-c", script, inside("out")];
  expect(await startRun(relative, { workingFolder: folder }).ended).toEqual([0]);
  expect(readFileSync(inside("out"), "utf8")).toBe(inside("c.pem"));
});

test.each([
  ["none", "k.pem", /^--cert names a file that does not exist$/],
  [".", "k.pem", /^--cert names \., which is a folder, not a file$/],
  ["c.pem", "", /^Of --cert c.pem and --key, one is missing$/],
  [
    "c.pem",
    "other.pem",
    /^OpenSSL does not serve TLS with --cert c.pem and --key other.pem \(ERR_OSSL_X509_/,
  ],
])("--cert %j and --key %j are refused by the name of the file", async (cert, key, message) => {
  const args = ["--cert", cert, ...(key === "" ? [] : ["--key", key])];
  await expect(startRun(args, { workingFolder: folderWith(files) }).ended).rejects.toThrow(message);
});

test.each([
  [{ key: pair.key }, "Of cert and key, one is missing"],
  [{ ...pair, cert: "x" }, "OpenSSL does not serve TLS with cert and key (ERR_OSSL_PEM_NO_START_LINE)"],
])("startEmulator refuses a pair that is none", async (options, message) => {
  await expect(startTestEmulator(options)).rejects.toThrow(message);
});
