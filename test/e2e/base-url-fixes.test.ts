import { expect, test } from "vitest";
import { api, trusting } from "../faults/authority.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

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
