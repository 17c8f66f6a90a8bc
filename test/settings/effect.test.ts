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

/** What one setting changes: two of its values, what is seen of each, and how one looks. */
interface Effect {
  /** Runs `test` with the flag of the setting and one of the values, and gives what a server or the report shows. */
  readonly look: (flag: string, value: string) => Promise<unknown>;
  /** What is seen, by value. */
  readonly seen: Readonly<Record<string, unknown>>;
}

const now = Date.UTC(2026, 10, 21);
const nonce = Buffer.alloc(20, 7);
const token = { REFERRAL_TOKEN: "t" };
const username = { REFERRAL_USERNAME: "a@example.com" };
const wsse = { environment: { ...username, REFERRAL_SECRET: "s" } };
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
async function attributeOf(name: string, ...given: Parameters<typeof headersOf>): Promise<string> {
  const header = String((await headersOf(...given))["x-wsse"]);
  return new RegExp(` ${name}="([^"]*)"`).exec(header)?.[1] ?? header;
}

const wsseDefaults = { digest: "text-nonce", hash: "sha1", nonce: nonce.toString("hex") } as const;
const digestOf = (secret: string) => passwordDigest({ ...wsseDefaults, created: createdAt(now), secret });
const words = { one: "one", two: "two" };
const digests = { one: digestOf("one"), two: digestOf("two") };

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

/** Every setting has an effect: what the table of settings lists and no check heeds would be seen here alone. */
const effects: Record<SettingName, Effect> = {
  baseUrl: {
    look: async (flag, path) => {
      const { url, requests } = await accepting();
      await runInProcess(["test", flag, url + path], { environment: token });
      return requests.map((request) => request.path);
    },
    seen: { "/v1": ["/v1/test-authentication"], "/v2": ["/v2/test-authentication"] },
  },
  token: { look: (flag, value) => tokenOf([flag, value]), seen: words },
  tokenFile: { look: (flag, value) => tokenOf([flag, fileOf(value)]), seen: words },
  tokenCommand: { look: (_, value) => tokenOf([], home({ tokenCommand: ["echo", value] })), seen: words },
  username: { look: (flag, value) => attributeOf("Username", [flag, value], wsse), seen: words },
  secret: { look: (flag, value) => attributeOf("PasswordDigest", [flag, value], wsse), seen: digests },
  secretFile: {
    look: (flag, value) => attributeOf("PasswordDigest", [flag, fileOf(value)], { environment: username }),
    seen: digests,
  },
  secretCommand: {
    look: (_, value) => {
      const rc = { username: "a@example.com", secretCommand: ["echo", value] };
      return attributeOf("PasswordDigest", [], home(rc));
    },
    seen: digests,
  },
  digest: {
    look: (flag, value) => attributeOf("Nonce", [flag, value], wsse),
    seen: { "text-nonce": nonce.toString("hex"), "base64-nonce": nonce.toString("base64") },
  },
  hash: {
    look: async (flag, value) => {
      const digest = await attributeOf("PasswordDigest", [flag, value], wsse);
      return Buffer.from(digest, "base64").length;
    },
    seen: { sha1: 20, sha256: 32, sha512: 64 },
  },
  authorization: {
    look: async (flag, value) => (await headersOf([flag, value], wsse)).authorization ?? null,
    seen: { none: null, wsse: 'WSSE profile="UsernameToken"' },
  },
  timeout: {
    look: async (flag, value) => {
      const { url } = await serve((_, response) => {
        delay(60).then(() => json(response, 200, success));
      });
      return outcomeOf(url, [flag, value]);
    },
    seen: { "0.02": "timeout", "20": "accepted" },
  },
  retry: {
    look: async (flag, value) => {
      const { url, requests } = await serve((_, response) => json(response, 503, {}));
      await outcomeOf(url, [flag, value]);
      return requests.length;
    },
    seen: { "0": 1, "2": 3 },
  },
  concurrency: {
    look: async (flag, value) => {
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
    },
    seen: { "1": 1, "3": 3 },
  },
  proxy: {
    look: async (flag, value) => {
      const proxies = { first: await canary("HTTP/1.1 403 No\r\n\r\n"), second: await canary("") };
      const { port } = proxies[value as keyof typeof proxies];
      await outcomeOf(`https://${host}`, [flag, `http://127.0.0.1:${port}`]);
      return Object.values(proxies).map(({ connections }) => connections());
    },
    seen: { first: [1, 0], second: [0, 1] },
  },
  caCert: {
    look: async (flag, value) => {
      const { url } = await api();
      const folder = folderWith({ own: authorityCertificate, other: identity({ commonName: "Other" }).cert });
      return outcomeOf(url, [flag, join(folder, value)]);
    },
    seen: { own: "accepted", other: "unreachable" },
  },
};

test.each(settingNames)("%s has an effect", async (name) => {
  const { look, seen } = effects[name];
  const found: Record<string, unknown> = {};
  for (const value of Object.keys(seen)) found[value] = await look(flagOf(name), value);
  expect(found).toEqual(seen);
  const different = new Set(Object.values(found).map((one) => JSON.stringify(one)));
  expect(different.size).toBe(Object.keys(seen).length);
  expect(different.size).toBeGreaterThan(1);
});
