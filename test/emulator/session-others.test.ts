import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { listening, startRun } from "./start-run.ts";
import { known, send, startTestEmulator, wsse } from "./support.ts";

const named = { ...known, token: "t0ken", username: "a@example.com", secret: "s3cret" };
const given = ["--token", named.token, "--username", named.username, "--secret", named.secret];

describe("other programs", () => {
  const earlier = (): string => join(folderWith({ ready: "of an earlier run" }), "ready");

  test("get URL and accounts from --json", async () => {
    const { stdout, document, url, stop } = await listening(["--json", "--answer", "503", ...given]);
    expect(stdout()).toMatch(/^\{.*\}\n$/);
    const { port, ...rest } = document;
    expect({ ...rest, url }).toEqual({
      schemaVersion: 1,
      url: `http://127.0.0.1:${port}`,
      accounts: [named],
    });
    expect((await send(url)).status).toBe(503);
    await stop();
  });

  test("find them in --ready-file while it listens, and nobody else does", async () => {
    const file = earlier();
    chmodSync(file, 0o644);
    const { url, stop } = await listening(["--ready-file", file, ...given]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ url, accounts: [named] });
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    await stop("SIGTERM");
    expect(existsSync(file)).toBe(false);
  });

  test("never find the file of an earlier run when the port cannot be opened", async () => {
    const { port } = await startTestEmulator();
    const file = earlier();
    await expect(startRun(["--ready-file", file, "--port", String(port)]).ended).rejects.toThrow("in use");
    expect(existsSync(file)).toBe(false);
  });

  test("are not told where the file cannot be written, and no server stays", async () => {
    const file = join(folderWith(), "missing", "ready");
    await expect(startRun(["--ready-file", file]).ended).rejects.toThrow(/^--ready-file names a file that /);
  });
});

describe("--accounts", () => {
  const fileOf = (...lines: readonly string[]): string =>
    join(folderWith({ accounts: `${lines.join("\n")}\n` }), "accounts");

  test("accepts every account of the file, by its line or else by the flags", async () => {
    const second = { username: "b@example.com", secret: "b-secret", digest: "base64-nonce" } as const;
    const file = fileOf(
      '{"profile":"west","token":"west-token","timeout":5,"baseUrl":"https://api.example.com"}',
      "",
      JSON.stringify(second),
    );
    const { document, url, stop } = await listening(["--json", "--accounts", file, "--hash", "sha256"]);
    expect(document.accounts).toMatchObject([
      { profile: "west", token: "west-token", digest: "text-nonce", hash: "sha256" },
      { profile: null, ...second, hash: "sha256" },
    ]);
    await send(url, { headers: { "X-Auth-Token": "west-token" } });
    await send(url, { headers: { "X-WSSE": wsse({ ...second, hash: "sha256" }) } });
    expect((await stop()).map((line) => line.split("/test-authentication ")[1])).toEqual([
      "200 accepted: X-Auth-Token (west)",
      "200 accepted: X-WSSE (b@example.com)",
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
    /^every machine that reaches this one can use port \d+ and its accounts \(--host\)$/,
  ],
  [
    ["--allow-host", "api", "--allow-host", "API:80"],
    /^web pages of api, api:80 can reach this server \(--allow-host\)$/,
  ],
  [["--host", "127.0.0.2"], null],
])("%j warns of those who can reach it", async (args, warning) => {
  const log = await (await listening(args)).stop();
  expect(log.map((line) => line.replace("Warning: ", ""))).toEqual(
    warning === null ? [] : [expect.stringMatching(warning)],
  );
});
