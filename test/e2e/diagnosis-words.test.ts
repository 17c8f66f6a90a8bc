import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";

/** Runs `test` with a token and returns the report as one line. */
async function report(url: string, args: readonly string[] = [], environment: Record<string, string> = {}) {
  const run = await runInProcess(["test", "--token", ...args], {
    environment: { REFERRAL_BASE_URL: url, REFERRAL_TOKEN: planted.token, ...environment },
  });
  expect(leaks(run.everything)).toEqual([]);
  return { ...run, line: run.stdout.replace(/\s+/g, " ") };
}

test("if Retry-After is too long for a retry, the report says so", async () => {
  const api = await serve((_, response) => json(response, 503, {}, { "retry-after": "1800" }));

  const { exitCode, line } = await report(api.url, ["--retry", "2"]);

  expect(exitCode).toBe(5);
  expect(line).toContain("measured not retried: Retry-After is 30 minutes, the deadline 10 s");
  expect(line).toContain("try Try again in 30 minutes");
  expect(api.requests).toHaveLength(1);
  expect((await report(api.url)).line).not.toContain("not retried");
});

test("a redirect shows its path if the origin stays the same, without query and secret", async () => {
  const api = await serve((_, response) =>
    json(response, 302, {}, { location: `/v2/${planted.token}/test-authentication?key=value` }),
  );

  const { exitCode, line } = await report(api.url);

  expect(exitCode).toBe(6);
  expect(line).toContain("it redirects to the path /v2/[secret]/test-authentication of the same host");
  expect(line).not.toContain("key");
});

test.each([
  [["--proxy", "http://127.0.0.1:1"], {}, "--proxy"],
  [[], { HTTPS_PROXY: "http://127.0.0.1:1" }, "HTTPS_PROXY"],
])(
  "a proxy that cannot be reached is named with its port and its setting: %j %j",
  async (args, environment, place) => {
    const { exitCode, line } = await report("https://api.example.com", args, environment);

    expect(exitCode).toBe(7);
    expect(line).toContain(`measured the proxy 127.0.0.1:1 (set by ${place}) cannot be reached`);
  },
);

test("a YAML comment that may cut the token is named with its line, and not the value", async () => {
  const api = await serve((_, response) => json(response, 401, { code: 401, message: "No" }));
  const folder = folderWith({ ".referralrc": `baseUrl: ${api.url}\ntoken: Zq8XvK2m #rest-of-it\n` });
  const file = join(folder, ".referralrc");

  const run = await runInProcess(["test", "--config", file, "--json"]);

  expect(run.exitCode).toBe(4);
  expect(JSON.parse(run.stdout).checks[0].findings).toContainEqual({
    id: "yaml-comment",
    certainty: "possible",
    message: `the value of token in ${file}, line 2 may be cut: YAML reads the # behind it as a comment`,
    fix: `Put the value of token in ${file}, line 2 in quotation marks if the # belongs to it`,
  });
  expect(run.everything).not.toMatch(/Zq8XvK2m|rest-of-it/);
});

test.each(["$TOKEN", '"quoted"'])("a pasted token is named after a 400 too: %s", async (token) => {
  const api = await serve((_, response) => json(response, 400, { code: 400, message: "Bad" }));

  const { exitCode, line } = await report(api.url, [], { REFERRAL_TOKEN: token });

  expect(exitCode).toBe(6);
  expect(line).toMatch(/ measured the token has /);
  expect(line).toContain("(now set by REFERRAL_TOKEN)");
});
