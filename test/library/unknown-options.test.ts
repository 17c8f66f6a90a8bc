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

/** Each function as a program without types calls it. */
type Untyped = (...given: readonly unknown[]) => unknown;
const [ofChecker, ofOne] = [createChecker, checkCredentials] as unknown as readonly [Untyped, Untyped];
const [headers, header] = [authHeaders, wsseHeader] as unknown as readonly [Untyped, Untyped];
const check: Untyped = (...given) => (createChecker({ baseUrl }).check as Untyped)(...given);
const emulator = startEmulator as Untyped;

const byToken = '{ method: "token", token }';
const byWsse = '{ method: "wsse", username, secret }';
const url = "https://api.example.com";
const { username, secret } = account;
const planted = "pl4nted";

/** What people write first, and the start of the hint. */
const guesses: ReadonlyArray<readonly [guess: string, hint: string, call: () => unknown]> = [
  [
    "checkCredentials with a token",
    `Write checkCredentials({ baseUrl, credential: ${byToken} })`,
    () => ofOne({ baseUrl, token: planted }),
  ],
  [
    "with apiKey",
    `Write checkCredentials({ baseUrl, credential: ${byToken} })`,
    () => ofOne({ baseUrl, apiKey: planted }),
  ],
  [
    "with username and secret",
    `Write checkCredentials({ baseUrl, credential: ${byWsse} })`,
    () => ofOne({ baseUrl, username, secret }),
  ],
  [
    "with user and password",
    `Write checkCredentials({ baseUrl, credential: ${byWsse} })`,
    () => ofOne({ baseUrl, user: "a", password: planted }),
  ],
  ["with method", "Write checkCredentials({ baseUrl, credential: {", () => ofOne({ baseUrl, ...token })],
  ["with a URL alone", "Write checkCredentials({ baseUrl, credential: {", () => ofOne(url, token)],
  ["with credentials", "Did you mean credential?", () => ofOne({ baseUrl, credentials: token })],
  ["createChecker with url", "Did you mean baseUrl?", () => ofChecker({ url })],
  ["with baseURL", "Did you mean baseUrl?", () => ofChecker({ baseURL: url })],
  ["with base_url", "Did you mean baseUrl?", () => ofChecker({ base_url: url })],
  ["with host", "Did you mean baseUrl?", () => ofChecker({ host: "a" })],
  ["with a text", "Write createChecker({ baseUrl }).check(", () => ofChecker(url)],
  ["with nothing", "Write createChecker({ baseUrl }).check(", () => ofChecker()],
  ["with a list", "Write createChecker({ baseUrl }).check(", () => ofChecker([url])],
  [
    "with a token",
    `Write createChecker({ baseUrl }).check(${byToken}`,
    () => ofChecker({ baseUrl, token: planted }),
  ],
  [
    "with a secret",
    `Write createChecker({ baseUrl }).check(${byWsse}`,
    () => ofChecker({ baseUrl, username, secret }),
  ],
  [
    "with a credential",
    "Write createChecker({ baseUrl }).check(",
    () => ofChecker({ baseUrl, credential: token }),
  ],
  [
    "with a signal",
    "Write createChecker({ baseUrl }).check(",
    () => ofChecker({ baseUrl, signal: AbortSignal.timeout(1) }),
  ],
  ["with timeoutMs", "Did you mean timeoutSeconds?", () => ofChecker({ baseUrl, timeoutMs: 5000 })],
  ["with maxRetries", "Did you mean retries?", () => ofChecker({ baseUrl, maxRetries: 5 })],
  ["with ca", "Did you mean caCertificates?", () => ofChecker({ baseUrl, ca: "a" })],
  ["with cert", "Did you mean caCertificates?", () => ofChecker({ baseUrl, cert: "a" })],
  ["with insecure", "Did you mean insecureHttp?", () => ofChecker({ baseUrl, insecure: true })],
  [
    "with what nothing is near",
    "The nearest is baseUrl. The others are ",
    () => ofChecker({ baseUrl, concurrency: 4 }),
  ],
  ["check with a text", `Write ${byToken}, or ${byWsse}`, () => check(planted)],
  ["with two texts", `Write ${byToken}, or ${byWsse}`, () => check("a", planted)],
  ["with nothing", `Write ${byToken}, or ${byWsse}`, () => check()],
  ["with a token", `Write ${byToken}, or ${byWsse}`, () => check({ token: planted })],
  ["with an account", `Write ${byWsse}, or ${byToken}`, () => check(account)],
  ["with another method", `Write ${byToken}, or`, () => check({ method: "Token", token: planted })],
  ["with a password", "Did you mean secret?", () => check({ username, password: planted })],
  ["with email", "Did you mean username?", () => check({ method: "wsse", email: "a", secret })],
  ["with type", "Did you mean method?", () => check({ type: "token", token: planted })],
  ["with algorithm", "Did you mean hash?", () => check({ ...wsse, algorithm: "sha512" })],
  [
    "with a signal",
    "Write createChecker({ baseUrl, timeoutSeconds }).check(credential, { signal,",
    () => check(token, AbortSignal.timeout(1)),
  ],
  [
    "with a deadline",
    "Write createChecker({ baseUrl, timeoutSeconds }).check(",
    () => check(token, { timeout: 5 }),
  ],
  ["authHeaders with two texts", `Write ${byToken}, or ${byWsse}`, () => headers("user", planted)],
  ["with an account", `Write ${byWsse}, or ${byToken}`, () => headers(account)],
  ["with a time", "Write authHeaders(credential, { now, nonce })", () => headers(wsse, 0)],
  ["with created", "Did you mean now?", () => headers(wsse, { created: new Date() })],
  ["with a date", "Give milliseconds, as Date.now() does", () => headers(wsse, { now: new Date() })],
  ["wsseHeader with two texts", "Write wsseHeader({ username, secret })", () => header("user", planted)],
  ["with nothing", "Write wsseHeader({ username, secret })", () => header()],
  ["with a password", "Did you mean secret?", () => header({ username, password: planted })],
  ["startEmulator with a port", "Write startEmulator({ accounts: [{", () => emulator(8080)],
  ["with a token", "Write startEmulator({ accounts: [{", () => emulator({ token: planted })],
];

test.each(guesses)("the first guess %s is answered with the right shape: %s", async (_, hint, call) => {
  const error = await new Promise((resolve) => resolve(call())).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "InputError", code, hint: expect.stringContaining(hint) });
  expect(`${(error as Error).message} ${(error as { hint: string }).hint}`).not.toContain(planted);
});

const wrong = [{ port: -1 }, { strict: "yes" }, { accounts: [] }, { accounts: [{ hash: "md5" }] }];

test.each([...wrong, { accounts: [{ token: "" }] }, { accounts: [null] }, { log: "a" }])(
  "startEmulator refuses %j with the same code",
  async (options) => {
    const started = startEmulator(options as object);
    await expect(started).rejects.toMatchObject({ name: "InputError", code });
  },
);
