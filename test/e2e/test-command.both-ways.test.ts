import { describe, expect, test } from "vitest";
import { meanings } from "../../src/check/outcome.ts";
import { planted } from "../support/planted.ts";
import { ways } from "../support/run.ts";
import { serve, success } from "../support/serve.ts";
import { accept, refuse, wsse } from "./profiles.ts";

const accepting = () => serve(accept);

describe.each(ways)("test, %s,", (_, run) => {
  test("sends the token of standard input exactly as the specification has it, and exits 0", async () => {
    const api = await accepting();
    const environment = { REFERRAL_BASE_URL: `${api.url}/api/v2/` };
    const result = await run(["test", "--token-file", "-"], { stdin: `${planted.token}\n`, environment });
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(result.stdout).toContain("accepted    token");
    expect(api.requests).toMatchObject([
      {
        method: "GET",
        path: "/api/v2/test-authentication",
        bodyLength: 0,
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          "accept-encoding": "identity",
          "user-agent": "referral-auth",
          "x-auth-token": planted.token,
        },
      },
    ]);
    expect(api.requests[0]?.headers).not.toHaveProperty("x-wsse");
    expect(api.requests[0]?.headers).not.toHaveProperty("content-length");
  });

  test("checks both methods in two requests when both have credentials, and one that is selected alone", async () => {
    const api = await accepting();
    const environment = { ...wsse, REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: api.url };
    const result = await run(["test", "--json"], { environment });
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    const response = { status: 200, contentType: "application/json", ...success };
    const checks = [
      { method: "token", outcome: "accepted", response },
      { method: "wsse", outcome: "accepted" },
    ];
    expect(result.document).toMatchObject({ schemaVersion: 1, ok: true, exitCode: 0, checks, error: null });

    await run(["test", "--wsse"], { environment });
    expect(api.requests.map(({ headers }) => ["x-auth-token" in headers, "x-wsse" in headers])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  });

  test("a refused credential exits 4; the report begins with the verdict and ends with what to do", async () => {
    const api = await serve(refuse);
    const result = await run(["test", "--token", "wrong-token", "--base-url", api.url]);
    expect(result.exitCode).toBe(4);
    expect(result.stdout).toMatch(new RegExp(`^REJECTED +token: ${meanings.rejected}\n`));
    expect(result.stdout).toContain("message   No\n");
    expect(result.stdout).toMatch(/\n {2}try {7}\S[^\n]*\n {2}or {8}--diagnose: [^\n]*\n$/);
    expect(result.stderr).toContain("Warning: --token on the command line");
    expect(result.everything).not.toContain("wrong-token");
    expect(api.requests).toHaveLength(1);
  });
});

describe.each(ways)("header, %s,", (_, run) => {
  const environment = { ...wsse, REFERRAL_TOKEN: planted.token };
  const tokenLine = `X-Auth-Token: ${planted.token}\n`;

  test("prints a line for WSSE in the convention that is set and the Authorization field, and one line for the token", async () => {
    const given = { environment: { ...environment, REFERRAL_AUTHORIZATION: "wsse" } };
    const both =
      /^X-WSSE: UsernameToken Username="planted@example\.com", PasswordDigest="[\w+/]{27}=", Nonce="[\w+/]{27}=", Created="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"\nAuthorization: WSSE profile="UsernameToken"\n$/;
    expect((await run(["header", "--wsse", "--digest", "base64-nonce"], given)).stdout).toMatch(both);
    const ofToken = await run(["header", "--token"], given);
    expect(ofToken).toMatchObject({ exitCode: 0, stderr: "", stdout: tokenLine });
  });
});

// test/commands/usage-errors.test.ts and test/settings have the rules.
describe.each(ways)("an error, %s,", (_, run) => {
  test.each([
    [2, ["header"], "select --token or --wsse", "try"],
    [3, ["test"], "No base URL and no token is set", "REFERRAL_BASE_URL"],
  ])("exits %i and stands on standard error alone: %j, %s", async (exitCode, args, says, advice) => {
    const result = await run(args);
    expect(result).toMatchObject({ exitCode, stdout: "", stderr: expect.stringContaining(says) });
    expect(result.stderr.replace(/\s+/g, " ")).toContain(advice);
  });
});
