import { join } from "node:path";
import { expect, test } from "vitest";
import { completeAccount } from "../../src/emulator/accounts.ts";
import type { InputError } from "../../src/errors.ts";
import { defaultAlgorithm } from "../../src/wsse/digest.ts";
import { folderWith } from "../support/folder.ts";
import { known, listening, randomBytes, startRun } from "./support.ts";

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
  const { document, stop } = await listening(["--json", "--accounts", file, "--hash", "sha256"]);
  expect(document.accounts).toMatchObject([
    { profile: "west", token: "west-token", digest: "text-nonce", hash: "sha256" },
    { profile: null, ...second, hash: "sha256" },
  ]);
  await stop();
});

test("--accounts accepts the rows of a CSV file too", async () => {
  const file = fileOf(
    "Name;Token;E-Mail;Secret;Hash",
    "west;west-token;;;",
    ";;b@example.com;b-secret;sha512",
  );
  const { document, stop } = await listening(["--json", "--accounts", file, "--hash", "sha256"]);
  expect(document.accounts).toMatchObject([
    { profile: "west", token: "west-token", hash: "sha256" },
    { profile: null, username: "b@example.com", secret: "b-secret", hash: "sha512" },
  ]);
  await stop();
});

test.each([
  [["name;token", "west;a", "S3CRET;b;c"], "row 3 of accounts has more cells than the header"],
  [["name;token", 'west;"S3CRET'], "row 2 of accounts has a quotation mark that does not close"],
  [["name;token;Token", "west;S3CRET;b"], "row 1 of accounts names token twice"],
  [['{"token":"a"}', "S3CRET"], "line 2 of --accounts is not a JSON object"],
  [
    ['{"token":"S3CRET\\n"}'],
    "The value of token in line 1 of --accounts has a line feed (U+000A) as its last character",
  ],
  [[""], "--accounts has no account"],
])("--accounts refuses %j, and does not show it", async (lines, message) => {
  const run = startRun(["--accounts", fileOf(...lines)]);
  await expect(run.ended).rejects.toThrow(message);
  await expect(run.ended).rejects.not.toThrow("S3CRET");
});

test("what is said of wrong usage stands in a text, without the value", async () => {
  const said: string[] = [];
  for (const args of [
    ["--port", "S3CRET"],
    ["--port", "65536"],
    ["--port", ""],
    ["--clock-offset", "1.5"],
    ["--clock-offset", "99999999999"],
    ["--digest", "S3CRET"],
    ["--hash", "md5"],
    ["--hash", "SHA-256"],
    ["--digest", "text_nonce"],
    ["--authorization", "S3CRET"],
    ["--answer", "S3CRET"],
    ["--answer", "199"],
    ["--host", "S3CRET"],
    ["--allow-host", "api", "--allow-host", "S3CRET/"],
    ["--json", "--", "true"],
    ["--base-path", "S3CRET"],
    ["--base-path", "/v1/.."],
    ["--base-path", "/__emulator"],
    ["--end-with-stdin", "--", "true"],
    ["--end-with-stdin", "--token-file", "-"],
    ["--token", ""],
    ["--token", " S3CRET"],
    ["--token", "S3CRET\r\nHost: x"],
    ["--token", "S3CRETä"],
    ["--username", 'S3CRET"'],
    ["--secret", ""],
    ["--secret", "S3CRET\n"],
    ["--secret", "S3CRET\0"],
    ["--token", "a", "--token", "S3CRET"],
  ]) {
    const run = startRun(args);
    const error = (await run.ended.catch((reason: unknown) => reason)) as InputError;
    expect(error).toMatchObject({ name: "InputError", kind: "usage", hint: expect.stringMatching(/./) });
    expect(JSON.stringify([error, String(error)])).not.toContain("S3CRET");
    expect([run.stdout(), run.stderr()]).toEqual(["", ""]);
    said.push(`${args.map((word) => JSON.stringify(word)).join(" ")} | ${error.message}: ${error.hint}\n`);
  }
  await expect(said.join("")).toMatchFileSnapshot("wrong-usage.txt");
});
