import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { flagOf, type SettingName, settingNames } from "../../src/settings/table.ts";
import { passwordDigest } from "../../src/wsse/digest.ts";
import { createdAt } from "../../src/wsse/header.ts";
import { api, authorityCertificate, host } from "../faults/authority.ts";
import { identity } from "../faults/certificates.ts";
import { folderWith } from "../support/folder.ts";
import { type GivenInProcess, runInProcess } from "../support/run.ts";
import { json, type Served, serve, success } from "../support/serve.ts";
import { canary } from "../threats/places.ts";

/** Runs `test` with the flag of a setting and a value, and gives what a server or the report shows. */
type Look = (flag: string, value: string) => Promise<unknown>;

const now = Date.UTC(2026, 10, 21);
const nonce = Buffer.alloc(20, 7);
const token = { REFERRAL_TOKEN: "t" };
const username = { username: "a@example.com" };
const wsse: GivenInProcess = { environment: { REFERRAL_USERNAME: "a@example.com", REFERRAL_SECRET: "s" } };
const accepting = (): Promise<Served> => serve((_, response) => json(response, 200, success));

/** Checks once, at a server that accepts, and gives the header fields of that request. */
async function headersOf(args: readonly string[], given: GivenInProcess = {}) {
  const { url, requests } = await accepting();
  const environment = { ...given.environment, REFERRAL_BASE_URL: url };
  const { exitCode } = await runInProcess(["test", ...args], { ...given, environment, now, nonce });
  expect([exitCode, requests.length]).toEqual([0, 1]);
  return requests[0]?.headers ?? {};
}

const tokenOf = async (...given: Parameters<typeof headersOf>) => (await headersOf(...given))["x-auth-token"];

/** One attribute of the X-WSSE header. */
async function attributeOf(name: string, args: readonly string[], given = wsse): Promise<string> {
  const header = String((await headersOf(args, given))["x-wsse"]);
  return new RegExp(` ${name}="([^"]*)"`).exec(header)?.[1] ?? header;
}
const sentDigest = (args: readonly string[], given = wsse) => attributeOf("PasswordDigest", args, given);

const algorithm = { digest: "text-nonce", hash: "sha1", nonce: nonce.toString("hex") } as const;
const digestOf = (secret: string) => passwordDigest({ ...algorithm, created: createdAt(now), secret });
const words = { one: "one", two: "two" };
const digests = { one: digestOf("one"), two: digestOf("two") };
const nonces = { "text-nonce": nonce.toString("hex"), "base64-nonce": nonce.toString("base64") };

/** The path of a file of this name in which a word of the same name stands. */
const fileOf = (word: string): string => join(folderWith({ [word]: `${word}\n` }), word);
/** A home folder with this rc file. */
const home = (rc: object): GivenInProcess => ({ homeFolder: folderWith({ ".referralrc": rc }) });

/** Runs `test` against the server and gives the outcome of the only check. */
async function outcomeOf(url: string, args: readonly string[]): Promise<string> {
  const environment = { ...token, REFERRAL_BASE_URL: url };
  const { stdout } = await runInProcess(["test", "--json", ...args], { environment, waits: [] });
  return JSON.parse(stdout).checks[0].outcome;
}

const pathRequested: Look = async (flag, path) => {
  const { url, requests } = await accepting();
  await runInProcess(["test", flag, url + path], { environment: token });
  return requests.map((request) => request.path);
};

const outcomeAfterAMoment: Look = async (flag, value) => {
  const { url } = await serve((_, response) => {
    delay(60).then(() => json(response, 200, success));
  });
  return outcomeOf(url, [flag, value]);
};

const requestsOfAFailure: Look = async (flag, value) => {
  const { url, requests } = await serve((_, response) => json(response, 503, {}));
  await outcomeOf(url, [flag, value]);
  return requests.length;
};

const mostRequestsAtOnce: Look = async (flag, value) => {
  let [open, most] = [0, 0];
  const { url } = await serve(async (_, response) => {
    open += 1;
    most = Math.max(most, open);
    // Up to 5 s for as many as may come, and a moment for one too many.
    for (let waited = 0; waited < 5_000 && most < Number(value); waited += 10) await delay(10);
    await delay(20);
    open -= 1;
    json(response, 200, success);
  });
  const rc = { baseUrl: url, token: "t", profiles: { a: {}, b: {}, c: {} } };
  await runInProcess(["test", "--all", flag, value], home(rc));
  return most;
};

const requestsAfterAPause: Look = async (flag, value) => {
  const { url, requests } = await serve((_, response) => json(response, 429, {}, { "retry-after": "2" }));
  await outcomeOf(url, [flag, value, "--retry", "1"]);
  return requests.length;
};

const connectionsOfProxies: Look = async (flag, value) => {
  const proxies = { first: await canary("HTTP/1.1 403 No\r\n\r\n"), second: await canary("") };
  const { port } = proxies[value as keyof typeof proxies];
  await outcomeOf(`https://${host}`, [flag, `http://127.0.0.1:${port}`]);
  return Object.values(proxies).map(({ connections }) => connections());
};

const outcomeWithCertificate: Look = async (flag, value) => {
  const { url } = await api();
  const folder = folderWith({ own: authorityCertificate, other: identity({ commonName: "Other" }).cert });
  return outcomeOf(url, [flag, join(folder, value)]);
};

/**
 * What each setting changes: how one looks, and what is seen by value. What the table of settings lists and no check heeds
 * would be seen here alone.
 */
const effects: Record<SettingName, readonly [Look, Readonly<Record<string, unknown>>]> = {
  baseUrl: [pathRequested, { "/v1": ["/v1/test-authentication"], "/v2": ["/v2/test-authentication"] }],
  token: [(flag, value) => tokenOf([flag, value]), words],
  tokenFile: [(flag, value) => tokenOf([flag, fileOf(value)]), words],
  tokenCommand: [(_, value) => tokenOf([], home({ tokenCommand: ["echo", value] })), words],
  username: [(flag, value) => attributeOf("Username", [flag, value]), words],
  secret: [(flag, value) => sentDigest([flag, value]), digests],
  secretFile: [(flag, value) => sentDigest([flag, fileOf(value)], home(username)), digests],
  secretCommand: [
    (_, value) => sentDigest([], home({ ...username, secretCommand: ["echo", value] })),
    digests,
  ],
  digest: [(flag, value) => attributeOf("Nonce", [flag, value]), nonces],
  hash: [
    async (flag, value) => (await sentDigest([flag, value])).length,
    { sha1: 28, sha256: 44, sha512: 88 },
  ],
  authorization: [
    async (flag, value) => (await headersOf([flag, value], wsse)).authorization ?? null,
    { none: null, wsse: 'WSSE profile="UsernameToken"' },
  ],
  timeout: [outcomeAfterAMoment, { "0.02": "timeout", "20": "accepted" }],
  retry: [requestsOfAFailure, { "0": 1, "2": 3 }],
  concurrency: [mostRequestsAtOnce, { "1": 1, "3": 3 }],
  maxWait: [requestsAfterAPause, { "1": 1, "3": 2 }],
  proxy: [connectionsOfProxies, { first: [1, 0], second: [0, 1] }],
  caCert: [outcomeWithCertificate, { own: "accepted", other: "unreachable" }],
};

test.each(settingNames)("%s has an effect", async (name) => {
  const [look, seen] = effects[name];
  const found: Record<string, unknown> = {};
  for (const value of Object.keys(seen)) found[value] = await look(flagOf(name), value);
  expect(found).toEqual(seen);
  const different = new Set(Object.values(found).map((one) => JSON.stringify(one)));
  expect(different.size).toBe(Object.keys(seen).length);
  expect(different.size).toBeGreaterThan(1);
});
