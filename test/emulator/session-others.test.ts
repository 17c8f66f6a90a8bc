import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { folderWith } from "../support/folder.ts";
import { startRun, until, variablesOf } from "./start-run.ts";
import { send, startTestEmulator, wsse } from "./support.ts";

describe("other programs", () => {
  const account = { profile: null, digest: "text-nonce", hash: "sha1", authorization: "none" };
  const given = ["--token", "t0ken", "--username", "a@example.com", "--secret", "s3cret"];
  const named = { ...account, token: "t0ken", username: "a@example.com", secret: "s3cret" };

  test("get URL and accounts from --json", async () => {
    const run = startRun(["--json", "--answer", "503", ...given]);
    await until(() => run.stdout() !== "");
    expect(run.stdout()).toMatch(/^\{.*\}\n$/);
    const { port, ...rest } = JSON.parse(run.stdout());
    expect(rest).toEqual({ schemaVersion: 1, url: `http://127.0.0.1:${port}`, accounts: [named] });
    expect((await send(rest.url)).status).toBe(503);
    run.interrupt("SIGINT");
    await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
  });

  test("find them in --ready-file while it listens, and nobody else does", async () => {
    const file = join(folderWith({ ready: "of an earlier run" }), "ready");
    chmodSync(file, 0o644);
    const run = startRun(["--ready-file", file, ...given]);
    await until(() => run.stdout() !== "");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      url: variablesOf(run.stdout()).REFERRAL_BASE_URL,
      accounts: [named],
    });
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    run.interrupt("SIGTERM");
    await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
    expect(existsSync(file)).toBe(false);
  });

  test("never find the file of an earlier run when the port cannot be opened", async () => {
    const { port } = await startTestEmulator();
    const file = join(folderWith({ ready: "of an earlier run" }), "ready");
    await expect(startRun(["--ready-file", file, "--port", String(port)]).ended).rejects.toThrow("in use");
    expect(existsSync(file)).toBe(false);
  });

  test("are not told where the file cannot be written, and no server stays", async () => {
    const file = join(folderWith(), "missing", "ready");
    await expect(startRun(["--ready-file", file]).ended).rejects.toThrow(/^--ready-file names a file that /);
  });
});

describe("--accounts", () => {
  const fileOf = (...lines: readonly string[]): string => {
    const file = join(folderWith({ accounts: `${lines.join("\n")}\n` }), "accounts");
    chmodSync(file, 0o600);
    return file;
  };

  test("accepts every account of the file, by its line or else by the flags", async () => {
    const file = fileOf(
      '{"profile":"west","token":"west-token","timeout":5,"baseUrl":"https://api.example.com"}',
      "",
      '{"username":"b@example.com","secret":"b-secret","digest":"base64-nonce"}',
    );
    const run = startRun(["--json", "--accounts", file, "--hash", "sha256"]);
    await until(() => run.stdout() !== "");
    const { url, accounts } = JSON.parse(run.stdout());
    expect(accounts).toMatchObject([
      { profile: "west", token: "west-token", digest: "text-nonce", hash: "sha256" },
      {
        profile: null,
        username: "b@example.com",
        secret: "b-secret",
        digest: "base64-nonce",
        hash: "sha256",
      },
    ]);
    const second = {
      username: "b@example.com",
      secret: "b-secret",
      digest: "base64-nonce",
      hash: "sha256",
    } as const;
    expect((await send(url, { headers: { "X-Auth-Token": "west-token" } })).status).toBe(200);
    expect((await send(url, { headers: { "X-WSSE": wsse(second) } })).status).toBe(200);
    expect((await send(url, { headers: { "X-WSSE": wsse({ ...second, secret: "x" }) } })).status).toBe(401);
    run.interrupt("SIGINT");
    await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
    expect(
      run
        .stderr()
        .split("\n")
        .map((line) => line.split("/test-authentication ")[1]),
    ).toEqual([
      "200 accepted: X-Auth-Token (west)",
      "200 accepted: X-WSSE (b@example.com)",
      "401 digest: does not match base64-nonce with sha256 (b@example.com)",
      undefined,
    ]);
  });

  test.each([
    [['{"token":"a"}', "S3CRET"], "line 2 of --accounts is not a JSON object"],
    [['{"token":"S3CRET\\n"}'], "The value of token in line 1 of --accounts begins or ends with white space"],
    [['{"digest":"S3CRET"}'], "digest in line 1 of --accounts is not one of"],
    [[""], "--accounts has no account"],
  ])("%j is refused, and not shown", async (lines, message) => {
    const run = startRun(["--accounts", fileOf(...lines)]);
    await expect(run.ended).rejects.toThrow(message);
    await expect(run.ended).rejects.not.toThrow("S3CRET");
  });
});

test.each([
  [
    ["--host", "0.0.0.0"],
    ["Warning: every machine that reaches this one can use port PORT and its accounts (--host)"],
  ],
  [
    ["--allow-host", "api", "--allow-host", "API:80"],
    ["Warning: web pages of api, api:80 can reach this server (--allow-host)"],
  ],
  [["--host", "127.0.0.2"], []],
])("%j warns of those who can reach it", async (args, warnings) => {
  const run = startRun(args);
  await until(() => run.stdout() !== "");
  expect(
    run
      .stderr()
      .replace(/port \d+/, "port PORT")
      .split("\n")
      .slice(0, -1),
  ).toEqual(warnings);
  run.interrupt("SIGINT");
  await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
});
