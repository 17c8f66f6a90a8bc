import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseWsse } from "../../src/emulator/username-token.ts";
import { passwordDigest } from "../../src/wsse/digest.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";
import { acceptance, canary } from "./places.ts";

test.each(["username", "secret"] as const)(
  "a WSSE credential of which only the %s is yours does not travel to a base URL that was found",
  async (mine) => {
    const { port, connections } = await canary(acceptance);
    const { [mine]: own, ...found } = { username: planted.username, secret: planted.secret };
    const variable = `REFERRAL_${mine.toUpperCase()}`;
    const run = await runInProcess(["test"], {
      workingFolder: folderWith({ ".referralrc": { baseUrl: `http://127.0.0.1:${port}`, ...found } }),
      environment: { [variable]: own },
    });
    expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "" });
    expect(run.stderr).toContain(`${variable} is yours`);
    expect(connections()).toBe(0);
    expect(leaks(run.everything)).toEqual([]);
  },
);

test("diagnosis does not try a token of yours as the secret of a found account at a found base URL", async () => {
  const api = await serve((_request, response) => json(response, 401, { code: 401, message: "No" }));
  const rc = { baseUrl: api.url, username: planted.username, secret: planted.secret };
  const run = await runInProcess(["test", "--wsse", "--diagnose"], {
    workingFolder: folderWith({ ".referralrc": rc }),
    environment: { REFERRAL_TOKEN: planted.token },
  });
  expect(run, run.everything).toMatchObject({ exitCode: 4 });
  expect(api.requests.length).toBeGreaterThan(2);
  const fromToken = api.requests.flatMap(({ headers }) => {
    const parsed = parseWsse(String(headers["x-wsse"] ?? ""));
    if (typeof parsed === "string") return [];
    const { nonce, created, passwordDigest: sent } = parsed;
    const made = passwordDigest({
      digest: "text-nonce",
      hash: "sha1",
      nonce,
      created,
      secret: planted.token,
    });
    return sent === made ? [sent] : [];
  });
  expect(fromToken).toEqual([]);
});

describe.each(ways)("an rc file found in the working tree, %s,", (_, run) => {
  test("may not name a file of a folder beside it whose name begins with its own folder's name", async () => {
    const listener = await canary(acceptance);
    const rc = { baseUrl: `http://127.0.0.1:${listener.port}`, tokenFile: "../tree-of-another/token.txt" };
    const place = folderWith({ "tree/.referralrc": rc, "tree-of-another/token.txt": `${planted.token}\n` });
    const result = await run(["test"], { workingFolder: join(place, "tree") });
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toContain("outside its own folder");
    expect(listener.connections()).toBe(0);
  });
});
