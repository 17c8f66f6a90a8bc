import { expect, test } from "vitest";
import { api, trusting } from "../faults/authority.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const { token } = planted;

/** The first finding of a check of this base URL, and the exit code. */
async function checked(baseUrl: string, args: readonly string[] = []) {
  const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: baseUrl };
  const { exitCode, stdout } = await runInProcess(["test", "--json", ...args], { environment });
  return { exitCode, ...JSON.parse(stdout).checks[0].findings[0] };
}

test("the base URL that a redirect asks for is accepted", async () => {
  const api = await serve((request, response) =>
    request.url === "/v2/test-authentication"
      ? json(response, 200, success)
      : void response.writeHead(301, { location: "/v2/test-authentication?key=1" }).end(),
  );

  const redirected = await checked(`${api.url}/v1`);

  expect(redirected).toMatchObject({ exitCode: 6, id: "redirect-path", certainty: "measured" });
  const [, baseUrl = ""] =
    /^Set the base URL \(now set by REFERRAL_BASE_URL\) to (\S+)$/.exec(redirected.fix) ?? [];
  expect((await checked(baseUrl)).exitCode).toBe(0);
});

test("https:// is accepted where a port closed without an answer to http", async () => {
  const { url } = await api();
  const baseUrl = url.replace("https", "http");
  const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: baseUrl };

  const { exitCode, stdout } = await runInProcess(["test"], { environment });

  expect(exitCode).toBe(7);
  expect(stdout).toMatch(/^ {2}possible {2}port \d+ may expect https$/m);
  expect(stdout).toContain("  try       Write https:// in the base URL (now set by REFERRAL_BASE_URL)\n");
  expect((await checked(url, trusting())).exitCode).toBe(0);
});

const warnings = (stderr: string): number =>
  stderr.split("Warning: REFERRAL_BASE_URL is set and not used").length - 1;

test("a run over several profiles or lines warns once that another base URL counts, and names its place", async () => {
  const api = await emulate();
  const environment = { REFERRAL_BASE_URL: "http://127.0.0.1:1" };
  const rc = { baseUrl: api.url, profiles: { a: { token }, b: { token } } };
  const homeFolder = folderWith({ ".referralrc": rc });

  const all = await runInProcess(["test", "--all"], { environment, homeFolder });
  expect(all, all.everything).toMatchObject({ exitCode: 0 });
  expect(warnings(all.stderr)).toBe(1);
  expect(all.stderr.replace(/\s+/g, " ")).toContain(
    `the base URL is baseUrl in ${homeFolder}/.referralrc, line 1`,
  );

  const stdin = `${JSON.stringify({ baseUrl: api.url, token })}\n`.repeat(2);
  const lines = await runInProcess(["test", "--accounts", "-"], { environment, stdin });
  expect(lines, lines.everything).toMatchObject({ exitCode: 0 });
  expect(warnings(lines.stderr)).toBe(1);
});

test("a line without a base URL is checked at that of the environment, before that of the rc file", async () => {
  const api = await emulate();
  const homeFolder = folderWith({ ".referralrc": { baseUrl: "http://127.0.0.1:1" } });
  const environment = { REFERRAL_BASE_URL: api.url };
  const stdin = JSON.stringify({ token });
  expect(await runInProcess(["test", "--accounts", "-"], { environment, homeFolder, stdin })).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
});
