import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const hostile = "a\u001b[31m\u009b\u202e::error::##vso[x]\nb";
const raw = /[^\n\x20-\x7e…]|::error|##vso/;

test("--verbose shows the server's header fields escaped", async () => {
  const note = "\u009b31m ::error::x ##vso[y]";
  const api = await serve((_request, response) => json(response, 200, success, { "x-note": note }));
  const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: api.url };
  const run = await runInProcess(["test", "--verbose"], { environment });
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain("\\u{9b}31m");
  expect(run.everything).not.toMatch(raw);
});

test("config and messages about the rc file escape the name of its folder", async () => {
  for (const [text, exitCode] of [
    ["timeout: 5\n", 0],
    ["timeout: x\n", 3],
  ] as const) {
    const workingFolder = join(folderWith({ [`${hostile}/.referralrc`]: text }), hostile);
    const run = await runInProcess(["config"], { workingFolder });
    expect(run.exitCode, run.everything).toBe(exitCode);
    expect(run.everything).toContain("\\u{1b}");
    expect(run.everything).not.toMatch(raw);
  }
});

test("every request asks for a response without compression", async () => {
  const api = await serve((_request, response) => json(response, 401, { code: 401, message: "No" }));
  const environment = {
    REFERRAL_USERNAME: planted.username,
    REFERRAL_SECRET: planted.secret,
    REFERRAL_BASE_URL: api.url,
  };
  await runInProcess(["test", "--diagnose"], { environment });
  expect(api.requests.length).toBeGreaterThan(2);
  expect(new Set(api.requests.map(({ headers }) => headers["accept-encoding"]))).toEqual(
    new Set(["identity"]),
  );
});
