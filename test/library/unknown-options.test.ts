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
  ["freshness", "noww", "now", () => authHeaders(wsse, { noww: 0 } as object)],
  ["account", "user", "username", () => wsseHeader(user)],
  ["freshness", "nonse", "nonce", () => wsseHeader(account, { nonse: null } as object)],
  ["options", "hosts", "host", () => startEmulator({ hosts: "::1" } as object)],
  ["accounts[1]", "secrte", "secret", () => startEmulator(secrte)],
];

test.each(mistakes)(
  '%s has no "%s", but %s, with one code at every function',
  async (owner, name, meant, call) => {
    const error = await new Promise((resolve) => resolve(call())).catch((reason: unknown) => reason);
    const message = `${owner} has no field "${name}"`;
    const hint = expect.stringMatching(`^(?:Did you mean ${meant}\\?|The nearest is ${meant}\\.) `);
    expect(error).toMatchObject({ name: "InputError", code, message, hint });
  },
);

/** Each function as a program without types calls it. */
type Untyped = (...given: readonly unknown[]) => unknown;
const [ofChecker, ofOne] = [createChecker, checkCredentials] as unknown as readonly [Untyped, Untyped];
const [headers, header] = [authHeaders, wsseHeader] as unknown as readonly [Untyped, Untyped];
const check: Untyped = (...given) => (createChecker({ baseUrl }).check as Untyped)(...given);
const emulator = startEmulator as Untyped;

const url = "https://api.example.com";
const planted = "pl4nted";
const shape = '{ method: "token", token } or { method: "wsse", username, secret }';

/** What people write first, and the start of the hint. */
const guesses: ReadonlyArray<readonly [guess: string, hint: string, call: () => unknown]> = [
  // One name contains the other, or its beginning.
  ["timeoutMs", "Did you mean timeoutSeconds?", () => ofChecker({ baseUrl, timeoutMs: 5000 })],
  ["maxRetries", "Did you mean retries?", () => ofChecker({ baseUrl, maxRetries: 5 })],
  ["ca", "Did you mean caCertificates?", () => ofChecker({ baseUrl, ca: "a" })],
  ["insecure", "Did you mean insecureHttp?", () => ofChecker({ baseUrl, insecure: true })],
  ["base_url", "Did you mean baseUrl?", () => ofChecker({ base_url: url })],
  ["baseURL", "Did you mean baseUrl?", () => ofChecker({ baseURL: url })],
  ["no name is near", "The nearest is ", () => ofChecker({ baseUrl, concurrency: 4 })],
  ["no name contains one letter", "The nearest is ", () => ofChecker({ baseUrl, x: 4 })],
  ["credentials", "Did you mean credential?", () => ofOne({ baseUrl, credentials: token })],
  [
    "no object of checkCredentials",
    "Write checkCredentials({ baseUrl, credential: {",
    () => ofOne(url, token),
  ],
  ["no object of createChecker", "Write createChecker({ baseUrl })", () => ofChecker()],
  ["a list", "Write createChecker({ baseUrl })", () => ofChecker([url])],
  ["a token alone", `Write ${shape}`, () => check(planted)],
  ["no credential", `Write ${shape}`, () => check()],
  ["no method", `Write ${shape}`, () => check({ token: planted })],
  ["another method", `Write ${shape}`, () => check({ method: "Token", token: planted })],
  ["a signal", "Write check(credential, { signal, diagnose })", () => check(token, AbortSignal.timeout(1))],
  ["two texts of authHeaders", `Write ${shape}`, () => headers("user", planted)],
  ["a time", "Write authHeaders(credential, { now, nonce })", () => headers(wsse, 0)],
  ["a date", "Give milliseconds, as Date.now() does", () => headers(wsse, { now: new Date() })],
  ["two texts of wsseHeader", "Write wsseHeader({ username, secret })", () => header("user", planted)],
  [
    "another method of wsseHeader",
    "Write wsseHeader({ username, secret })",
    () => header({ ...account, method: "token" }),
  ],
  ["an empty token", "Give a value, or leave it out", () => check({ method: "token", token: "" })],
  ["an empty digest", "Give a value, or leave it out", () => check({ ...wsse, digest: "" })],
  ["an empty hash of a header", "Give a value, or leave it out", () => header({ ...account, hash: "" })],
  ["an empty proxy", "Give a value, or leave it out", () => ofChecker({ baseUrl, proxy: "" })],
  ["an empty URL", "Give a value, or leave it out", () => ofChecker({ baseUrl: "" })],
  [
    "an empty certificate",
    "Give a value, or leave it out",
    () => ofChecker({ baseUrl, caCertificates: [""] }),
  ],
  ["a port", "Write startEmulator({ accounts: [{", () => emulator(8080)],
];

test.each(guesses)("%s: %s", async (_, hint, call) => {
  const error = await new Promise((resolve) => resolve(call())).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "InputError", code, hint: expect.stringContaining(hint) });
  expect(`${(error as Error).message} ${(error as { hint: string }).hint}`).not.toContain(planted);
});

test("wsseHeader takes an account that names its own method", () => {
  expect(header({ ...account, method: "wsse" })).toContain('UsernameToken Username="me@example.com"');
});
