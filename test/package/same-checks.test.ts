import { expect, test } from "vitest";
import { checkCredentials, exitCodeOf, InputError } from "../../src/index.ts";
import { flagOf, type SettingName, settingNames } from "../../src/settings/table.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

const wsse = { method: "wsse", username: planted.username, secret: planted.secret };
const part = (name: string) => (text: string) => ({ credential: { ...wsse, [name]: text } });
const urls = ["", "x y", "127.0.0.1:1", "http://127.0.0.1:1", "https://127.0.0.1:1/v1", "ftp://a", "\u6f22"];
const numbers = ["0", "0.0001", "1", "1.5", "100", "101", "86400.5", "Infinity", "-1"];
const names = ["none", "wsse", "sha1", "sha512", "hex-digest", "Sha1", "", "\u6f22"];
const texts = ["", "me@example.com", " me", 'a"b', "\u6f22", "\ufeffme"];

/** What the library says of an option with each of these texts, and the command line of the flag for the same setting. */
const cases: ReadonlyArray<readonly [SettingName, (text: string) => object, readonly string[]]> = [
  ["baseUrl", (baseUrl) => ({ baseUrl }), urls],
  ["proxy", (proxy) => ({ proxy }), urls],
  ["timeout", (text) => ({ timeoutSeconds: Number(text) }), numbers],
  // More retries would be waited for.
  ["retry", (text) => ({ retries: Number(text) }), numbers.filter((text) => text !== "1" && text !== "100")],
  ...(["digest", "hash", "authorization"] as const).map((name) => [name, part(name), names] as const),
  ...(["username", "secret"] as const).map((name) => [name, part(name), texts] as const),
];

/** Settings that no option takes as the flag does. The library reads no file, runs no command and makes one check. */
const others: readonly SettingName[] = [
  ...(["token", "tokenFile", "tokenCommand", "secretFile", "secretCommand"] as const),
  ...(["concurrency", "maxWait", "caCert"] as const),
];

test("every setting is compared here, or is one that the library takes otherwise or not at all", () => {
  const compared = cases.map(([setting]) => setting);
  expect([...compared, ...others].toSorted()).toEqual(settingNames.toSorted());
});

test.each(cases)(
  "the library accepts for %s what the command line accepts",
  async (setting, options, texts) => {
    for (const text of texts) {
      const base = { baseUrl: "https://127.0.0.1:1", credential: wsse, timeoutSeconds: 20, ...options(text) };
      const byLibrary = await checkCredentials(base as Parameters<typeof checkCredentials>[0]).then(
        ({ outcome }) => exitCodeOf[outcome.kind],
        (error: unknown) => error,
      );
      const account = { "--username": planted.username, "--secret": planted.secret };
      const flags = { "--base-url": base.baseUrl, ...account, [flagOf(setting)]: text };
      const { exitCode, stderr } = await runInProcess(["test", "--wsse", ...Object.entries(flags).flat()]);
      const isRefused = exitCode === 2 || exitCode === 3;
      expect(byLibrary instanceof InputError, `${setting} ${text} ${stderr}`).toBe(isRefused);
      if (!isRefused) expect(byLibrary).toBe(exitCode);
    }
  },
  60_000,
);
