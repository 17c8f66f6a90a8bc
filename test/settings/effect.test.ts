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
const none = { REFERRAL_USERNAME: "", REFERRAL_SECRET: "" };
const token = { REFERRAL_TOKEN: "t" };
const wsse = { REFERRAL_USERNAME: "a@example.com", REFERRAL_SECRET: "s" };
const accepting = (): Promise<Served> => serve((_, response) => json(response, 200, success));

/** Checks once, at a server that accepts, and gives the header of that request. */
async function headerOf(args: readonly string[], given: GivenInProcess): Promise<string> {
  const { url, requests } = await accepting();
  const environment = { ...given.environment, REFERRAL_BASE_URL: url };
  expect(await runInProcess(["test", ...args], { ...given, environment, now, nonce })).toMatchObject({
    exitCode: 0,
  });
  expect(requests).toHaveLength(1);
  return String(requests[0]?.headers["x-auth-token"] ?? requests[0]?.headers["x-wsse"]);
}

/** One attribute of the X-WSSE header. */
async function attributeOf(
  name: string,
  args: readonly string[],
  more = {},
  homeFolder?: string,
): Promise<string> {
  const environment = { ...wsse, ...more };
  const header = await headerOf(["--wsse", ...args], { environment, ...(homeFolder && { homeFolder }) });
  return new RegExp(` ${name}="([^"]*)"`).exec(header)?.[1] ?? header;
}

const digestOf = (secret: string): string =>
  passwordDigest({
    digest: "text-nonce",
    hash: "sha1",
    nonce: nonce.toString("hex"),
    created: createdAt(now),
    secret,
  });

const words = { one: "one", two: "two" };
const digests = { one: digestOf("one"), two: digestOf("two") };

/** The path of a file of this name in which a word of the same name stands. */
const fileOf = (word: string): string => join(folderWith({ [word]: `${word}\n` }), word);

/** A command that prints this word. */
const printing = (word: string): readonly string[] => [process.execPath, "-p", JSON.stringify(word)];

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
  token: { look: (flag, value) => headerOf([flag, value], {}), seen: words },
  tokenFile: { look: (flag, value) => headerOf([flag, fileOf(value)], {}), seen: words },
  tokenCommand: {
    look: (_, value) =>
      headerOf([], { homeFolder: folderWith({ ".referralrc": { tokenCommand: printing(value) } }) }),
    seen: words,
  },
  username: { look: (flag, value) => attributeOf("Username", [flag, value]), seen: words },
  secret: { look: (flag, value) => attributeOf("PasswordDigest", [flag, value]), seen: digests },
  secretFile: {
    look: (flag, value) => attributeOf("PasswordDigest", [flag, fileOf(value)], { REFERRAL_SECRET: "" }),
    seen: digests,
  },
  secretCommand: {
    look: (_, value) => {
      const rc = { username: "a@example.com", secretCommand: printing(value) };
      return attributeOf("PasswordDigest", [], none, folderWith({ ".referralrc": rc }));
    },
    seen: digests,
  },
  digest: {
    look: (flag, value) => attributeOf("Nonce", [flag, value]),
    seen: { "text-nonce": nonce.toString("hex"), "base64-nonce": nonce.toString("base64") },
  },
  hash: {
    look: async (flag, value) =>
      Buffer.from(await attributeOf("PasswordDigest", [flag, value]), "base64").length,
    seen: { sha1: 20, sha256: 32, sha512: 64 },
  },
  authorization: {
    look: async (flag, value) => {
      const { url, requests } = await accepting();
      await runInProcess(["test", flag, value], { environment: { ...wsse, REFERRAL_BASE_URL: url } });
      return requests[0]?.headers.authorization ?? null;
    },
    seen: { none: null, wsse: 'WSSE profile="UsernameToken"' },
  },
  timeout: {
    look: async (flag, value) => {
      const { url } = await serve((_, response) => {
        delay(500).then(() => json(response, 200, success));
      });
      return outcomeOf(url, [flag, value]);
    },
    seen: { "0.1": "timeout", "20": "accepted" },
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
        await delay(100);
        open -= 1;
        json(response, 200, success);
      });
      const rc = { baseUrl: url, token: "t", profiles: { a: {}, b: {}, c: {} } };
      await runInProcess(["test", "--all", flag, value], { homeFolder: folderWith({ ".referralrc": rc }) });
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
  const values = Object.keys(seen);

  const found = new Map<string, unknown>();
  for (const value of values) found.set(value, await look(flagOf(name), value));

  expect(Object.fromEntries(found)).toEqual(seen);
  expect(new Set([...found.values()].map((one) => JSON.stringify(one))).size).toBe(values.length);
  expect(values.length).toBeGreaterThan(1);
});
