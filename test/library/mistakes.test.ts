import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import * as library from "../../src/index.ts";
import { startEmulator } from "../../src/library/emulator.ts";
import { leaks, planted } from "../support/planted.ts";
import { textOfCases } from "../support/texts.ts";

const baseUrl = "http://127.0.0.1:1";
const account = { username: planted.username, secret: planted.secret };
const wsse = { method: "wsse", ...account };
const token = { method: "token", token: planted.token };
const { signal } = new AbortController();
const context = createContext({ ...library, startEmulator, planted, baseUrl, account, wsse, token, signal });

/** The mistake that a call of a program without types makes; null if it makes none. */
async function mistakeIn(call: string): Promise<library.InputError | null> {
  const run = new Promise((resolve) => resolve(runInContext(call, context)));
  const error = await run.then(
    () => null,
    (reason: library.InputError) => reason,
  );
  if (error === null) return null;
  expect(error, call).toBeInstanceOf(library.InputError);
  expect(error, call).toMatchObject({ kind: "settings", code: "ERR_REFERRAL_AUTH_SETTINGS" });
  expect(leaks(`${error.message} ${error.hint}`)).toEqual([]);
  return error;
}

const wordsOf = (error: library.InputError | null): string =>
  error === null ? "no mistake" : `${error.message} | ${error.hint}`;

/** Options of a checker. */
const ofCheckers = [
  ...["", "{}", "{ baseURL: 1 }", '{ baseUrl: "" }', '{ baseUrl: "ftp://a" }', '{ baseUrl: "{{api}}" }'],
  ...['{ baseUrl: "https://" + planted.token + "@a.example" }', '{ baseUrl: "http://a.example" }'],
  ...["{ baseUrl, timeoutMs: 5 }", "{ baseUrl, x: 4 }", '{ baseUrl, proxy: "" }'],
  ...['{ baseUrl, proxy: "http://p.example" }', '{ baseUrl, insecureHttp: "yes" }'],
  ...["{ baseUrl, timeoutSeconds: 86401 }", "{ baseUrl, retries: 0.5 }", '{ baseUrl, retries: "1" }'],
  ...['{ baseUrl, caCertificates: "a" }', '{ baseUrl, caCertificates: [""] }'],
  "{ baseUrl, caCertificates: [planted.secret] }",
  // No mistakes.
  ...['{ baseUrl: "http://a.example", insecureHttp: true }', '{ baseUrl: "http://[::1]" }'],
].map((options) => `createChecker(${options})`);

const others = [
  "checkCredentials(baseUrl, token)",
  "checkCredentials({ baseUrl, credentials: token })",
  "createChecker({ baseUrl, username: 'a', secret: 'b' })",
  "createChecker({ baseUrl }).check(token, signal)",
  "createChecker({ baseUrl }).check(token, { diagnosis: true })",
  'createChecker({ baseUrl }).check(token, { signal: "a" })',
  "createChecker({ baseUrl }).check(token, { signal: null })",
  "authHeaders(planted.username, planted.secret)",
  "authHeaders(wsse, { noww: 0 })",
  "authHeaders(wsse, { now: new Date() })",
  "authHeaders(wsse, { nonce: new Uint8Array(19) })",
  "wsseHeader(planted.username, planted.secret)",
  "wsseHeader({ ...account, user: 1 })",
  "wsseHeader({ ...account, method: 'token' })",
  "wsseHeader(wsse)",
  "startEmulator(8080)",
  "startEmulator({ hosts: 5 })",
  "startEmulator({ username: 'a', secret: 'b' })",
  "startEmulator({ accounts: [{ token: '{{token}}' }] })",
  "startEmulator({ accounts: [{ secret: 'pa$Word' }] }).then((one) => one.close())",
  "startEmulator({ accounts: [{}, { token: 'a', secrte: 'a' }] })",
];

/** Credentials that checks and headers refuse alike. */
const credentials = [
  ...["undefined", "planted.token", "{ token: planted.token }", "{ ...token, method: 'Token' }"],
  ...["{ ...token, tokne: 1 }", "{ ...token, token: '' }", "{ ...token, token: undefined }"],
  ...["planted.token + '\\n'", "'{{token}}'"].map((text) => `{ ...token, token: ${text} }`),
  ...["''", "undefined", "'a\"'", "'\\u6f22'"].map((text) => `{ ...wsse, username: ${text} }`),
  ...["''", "undefined", "planted.secret + '\\ud83d'"].map((text) => `{ ...wsse, secret: ${text} }`),
  ...["{ ...wsse, digest: 'toString' }", "{ ...wsse, hsah: 1 }", "{ ...wsse, authorization: 'basic' }"],
];

test("all that is said of mistakes of a program is the text beside this test", async () => {
  const calls = [...ofCheckers, ...others, ...credentials.map((one) => `authHeaders(${one})`)];
  const said = calls.map(async (call) => [call, wordsOf(await mistakeIn(call))] as const);
  await expect(textOfCases(await Promise.all(said))).toMatchFileSnapshot("mistakes.txt");
});

test.each(credentials)("checks and headers refuse alike the credential %s", async (credential) => {
  const refused = await mistakeIn(`authHeaders(${credential})`);
  expect(refused).not.toBeNull();
  expect(await mistakeIn(`createChecker({ baseUrl }).check(${credential})`)).toEqual(refused);
  if (!credential.includes("wsse")) return;
  const named = (await mistakeIn(`wsseHeader(${credential})`))?.message;
  expect(named).toBe(refused?.message.replaceAll("credential", "account"));
});
