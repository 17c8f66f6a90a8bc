import { join } from "node:path";
import { expect, test } from "vitest";
import { completeAccount } from "../../src/emulator/accounts.ts";
import type { InputError } from "../../src/errors.ts";
import { defaultAlgorithm } from "../../src/wsse/digest.ts";
import { folderWith } from "../support/folder.ts";
import { known, listening, randomBytes, send, startRun, wsse } from "./support.ts";

const defaults = { ...defaultAlgorithm, authorization: "none" } as const;
const giver = { kind: "usage", nameOf: (key: string) => `--${key}` } as const;
const complete = (given: object) => completeAccount(given, defaults, randomBytes, giver);

test("an account keeps what is given; the rest is random, in the shapes of the specification, and the default algorithm", () => {
  const username = "emulator-ababab@example.com";
  expect(complete({})).toEqual({ ...known, token: "ab".repeat(20), username, secret: "q6ur".repeat(6) });
  const odd = { profile: "west", token: "t", username: "O'Hara+x@example.com", secret: "pä ss'\"\\$" };
  expect(complete({ ...known, ...odd })).toEqual({ ...known, ...odd });
});

const fileOf = (...lines: readonly string[]): string =>
  join(folderWith({ accounts: `${lines.join("\n")}\n` }), "accounts");

test("--accounts accepts every account of the file, by its line or else by the flags", async () => {
  const second = { username: "b@example.com", secret: "b-secret", digest: "base64-nonce" } as const;
  const first = { profile: "west", token: "west-token", timeout: 5, baseUrl: "https://api.example.com" };
  const file = fileOf(JSON.stringify(first), "", JSON.stringify(second));
  const args = ["--json", "--accounts", file, "--hash", "sha256"];
  const { document, url, stop, stdout } = await listening(args);
  expect(document.accounts).toMatchObject([
    { profile: "west", token: "west-token", digest: "text-nonce", hash: "sha256" },
    { profile: null, ...second, hash: "sha256" },
  ]);
  await send(url, { headers: { "X-Auth-Token": "west-token" } });
  await send(url, { headers: { "X-WSSE": wsse({ ...second, hash: "sha256" }) } });
  await stop();
  const [, ...logged] = stdout().trim().split("\n");
  expect(logged.map((line) => JSON.parse(line).reasons)).toEqual([
    [{ rule: "accepted", detail: "X-Auth-Token" }],
    [{ rule: "accepted", detail: "X-WSSE" }],
  ]);
});

test.each([
  [['{"token":"a"}', "S3CRET"], "line 2 of --accounts is not a JSON object"],
  [['{"token":"S3CRET\\n"}'], "The value of token in line 1 of --accounts contains a control character"],
  [[""], "--accounts has no account"],
])("--accounts refuses %j, and does not show it", async (lines, message) => {
  const run = startRun(["--accounts", fileOf(...lines)]);
  await expect(run.ended).rejects.toThrow(message);
  await expect(run.ended).rejects.not.toThrow("S3CRET");
});

test.each([
  [
    ["--port", "S3CRET"],
    "--port is not a whole number from 0 to 65535: Write a port like 8080, or 0 for any",
  ],
  [["--port", "99999"], "--port is not a whole number"],
  [["--port", ""], "--port is not a whole number"],
  [["--port", "1e3"], "--port is not a whole number"],
  [["--latency", "-1"], "--latency is not a whole number from 0 to 600000: Write milliseconds like 250"],
  [["--clock-offset", "1.5"], "from -3153600000 to 3153600000: Write seconds like 400 or -400"],
  [["--clock-offset", "99999999999"], "--clock-offset is not a whole number"],
  [["--digest", "S3CRET"], "--digest is not one of text-nonce, base64-nonce, decoded-nonce, hex-digest"],
  [["--hash", "md5"], "--hash is not one of sha1, sha256, sha512"],
  [["--answer", "S3CRET"], "--answer is neither a status from 200 to 599 nor one of html, redirect, slow"],
  [["--authorization", "S3CRET"], "--authorization is not one of none, wsse"],
  [["--answer", "199"], "--answer is neither"],
  [["--answer", "600"], "--answer is neither"],
  [["--host", "S3CRET"], "--host is not an IP address"],
  [["--allow-host", "api", "--allow-host", "S3CRET/"], "--allow-host is not a host name"],
  [["--json", "--", "true"], "--json cannot be used with a command"],
  [["--token", ""], "The value of --token is empty"],
  [["--token", " S3CRET"], "The value of --token begins or ends with white space"],
  [["--token", "S3CRET\r\nHost: x"], "The value of --token has more than one line"],
  [["--token", "S3CRETä"], "The value of --token contains a control character or one outside ASCII"],
  [["--username", 'S3CRET"'], "The value of --username contains a"],
  [["--secret", ""], "The value of --secret is empty"],
  [["--secret", "S3CRET\n"], "The value of --secret begins or ends with white space"],
  [["--secret", "S3CRET\0"], "The value of --secret contains a control character"],
  [["--token", "a", "--token", "S3CRET"], "--token is given twice"],
])("%j is wrong usage with a hint, without the value", async (args, message) => {
  const run = startRun(args);
  const error = (await run.ended.catch((reason: unknown) => reason)) as InputError;
  expect(error).toMatchObject({ name: "InputError", kind: "usage", hint: expect.stringMatching(/./) });
  expect(`${error.message}: ${error.hint}`).toContain(message);
  expect(JSON.stringify([error, String(error)])).not.toContain("S3CRET");
  expect([run.stdout(), run.stderr()]).toEqual(["", ""]);
});
