import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const unreachable = { REFERRAL_BASE_URL: "http://127.0.0.1:1" };
const wsse = { REFERRAL_USERNAME: planted.username };

// test/settings/secret.test.ts has every kind of white space.
test("white space around a secret exits 3 and says so, from every source", async () => {
  const text = `${planted.token}\u200b`;
  const place = folderWith({ file: `${text}\n`, ".referralrc": { token: text, secret: text } });
  const runs = await Promise.all([
    runInProcess(["test", `--token=${text}`], { environment: unreachable }),
    runInProcess(["test"], { environment: { ...unreachable, REFERRAL_TOKEN: text } }),
    runInProcess(["test"], { environment: { ...unreachable, ...wsse, REFERRAL_SECRET: text } }),
    runInProcess(["test", "--token-file", join(place, "file")], { environment: unreachable }),
    runInProcess(["test", "--token-file", "-"], { environment: unreachable, stdin: `${text}\n` }),
    runInProcess(["test", "--token"], { environment: unreachable, homeFolder: place }),
    runInProcess(["test", "--wsse"], { environment: { ...unreachable, ...wsse }, homeFolder: place }),
    runInProcess(["header", "--token"], { homeFolder: place }),
  ]);
  for (const run of runs) {
    expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "" });
    expect(run.stderr).toContain("begins or ends with white space");
    expect(leaks(run.everything)).toEqual([]);
  }
});

test.each([
  ["no line end", planted.token, 0],
  ["one LF", `${planted.token}\n`, 0],
  ["one CRLF", `${planted.token}\r\n`, 0],
  ["two LF", `${planted.token}\n\n`, 3],
  ["LF and CRLF", `${planted.token}\n\r\n`, 3],
  ["a lone CR", `${planted.token}\r`, 3],
  ["a space and LF", `${planted.token} \n`, 3],
  ["LF at the beginning", `\n${planted.token}`, 3],
  ["nothing", "", 3],
  ["LF and nothing else", "\n", 3],
  ["several lines", `${planted.token}\n${planted.token}\n`, 3],
])("a file or standard input with %s: %j exits %i", async (_, content, exitCode) => {
  const api = await serve((_request, response) => json(response, 200, success));
  const environment = { REFERRAL_BASE_URL: api.url };
  const file = join(folderWith({ file: content }), "file");
  for (const run of [
    await runInProcess(["test", "--token-file", file], { environment }),
    await runInProcess(["test", "--token-file", "-"], { environment, stdin: content }),
  ]) {
    expect(run.exitCode, run.everything).toBe(exitCode);
    expect(leaks(run.everything)).toEqual([]);
  }
  expect(new Set(api.requests.map(({ headers }) => headers["x-auth-token"]))).toEqual(
    new Set(exitCode === 0 ? [planted.token] : []),
  );
});
