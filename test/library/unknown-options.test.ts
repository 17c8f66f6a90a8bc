import { expect, test } from "vitest";
import { authHeaders, checkCredentials, createChecker, wsseHeader } from "../../src/index.ts";
import { startEmulator } from "../../src/library/emulator.ts";

const baseUrl = "http://127.0.0.1:1";
const account = { username: "me@example.com", secret: "s3cret" };
const wsse = { method: "wsse", ...account } as const;
const token = { method: "token", token: "t0ken" } as const;
const code = "ERR_REFERRAL_AUTH_SETTINGS";

// Variables, because TypeScript would refuse unknown names in place.
const timeout = { baseUrl, timeout: 5 };
const retry = { baseUrl, credential: token, retry: 1 };
const hsah = { baseUrl, credential: { ...wsse, hsah: "sha512" } };
const tokne = { ...token, tokne: "a" };
const digset = { ...wsse, digset: "hex-digest" };
const user = { ...account, user: "a" };
const secrte = { accounts: [{}, { token: "a", secrte: "a" }] };

/** What has a name that does not exist, that name, the one that was meant, and the call. */
const mistakes: ReadonlyArray<readonly [string, string, string, () => unknown]> = [
  ["options", "timeout", "timeoutSeconds", () => createChecker(timeout)],
  ["options", "retry", "retries", () => checkCredentials(retry)],
  ["credential", "hsah", "hash", () => checkCredentials(hsah)],
  ["credential", "tokne", "token", () => createChecker({ baseUrl }).check(tokne)],
  [
    "options",
    "diagnosis",
    "diagnose",
    () => createChecker({ baseUrl }).check(token, { diagnosis: 1 } as object),
  ],
  ["credential", "digset", "digest", () => authHeaders(digset)],
  ["freshness", "nwo", "now", () => authHeaders(wsse, { nwo: 0 } as object)],
  ["account", "user", "username", () => wsseHeader(user)],
  ["freshness", "nonse", "nonce", () => wsseHeader(account, { nonse: null } as object)],
  ["options", "latency", "latencyMs", () => startEmulator({ latency: 5 } as object)],
  ["accounts[1]", "secrte", "secret", () => startEmulator(secrte)],
];

test.each(mistakes)(
  '%s has no "%s", but %s, with one code at every function',
  async (owner, name, meant, call) => {
    const error = await new Promise((resolve) => resolve(call())).catch((reason: unknown) => reason);
    const message = `${owner} has no field "${name}"`;
    const hint = expect.stringContaining(`Did you mean ${meant}? `);
    expect(error).toMatchObject({ name: "InputError", code, message, hint });
  },
);

const wrong = [{ port: -1 }, { strict: "yes" }, { accounts: [] }, { accounts: [{ hash: "md5" }] }];

test.each([...wrong, { accounts: [{ token: "" }] }, { accounts: [null] }, { log: "a" }])(
  "startEmulator refuses %j with the same code",
  async (options) => {
    const started = startEmulator(options as object);
    await expect(started).rejects.toMatchObject({ name: "InputError", code });
  },
);
