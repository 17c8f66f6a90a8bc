import { describe, expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const token = { REFERRAL_TOKEN: planted.token };
const wsse = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret };

describe.each(ways)("test, %s,", (_, run) => {
  test("sends the token exactly as the specification has it and exits 0", async () => {
    const api = await serve((_request, response) => json(response, 200, success));

    const result = await run(["test"], {
      environment: { ...token, REFERRAL_BASE_URL: `${api.url}/api/v2/` },
    });

    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(result.stdout).toContain("accepted    token");
    expect(leaks(result.everything)).toEqual([]);
    expect(api.requests).toHaveLength(1);
    expect(api.requests[0]).toMatchObject({
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
    });
    expect(api.requests[0]?.headers).not.toHaveProperty("x-wsse");
    expect(api.requests[0]?.headers).not.toHaveProperty("content-length");
  });

  test("checks both methods in two requests when both have credentials", async () => {
    const api = await serve((_request, response) => json(response, 200, success));

    const result = await run(["test", "--json"], {
      environment: { ...token, ...wsse, REFERRAL_BASE_URL: api.url },
    });

    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(result.stdout)).toMatchObject({
      schemaVersion: 1,
      ok: true,
      exitCode: 0,
      checks: [
        {
          method: "token",
          outcome: "accepted",
          response: { status: 200, contentType: "application/json", ...success },
        },
        { method: "wsse", outcome: "accepted" },
      ],
      error: null,
    });
    expect(api.requests.map(({ headers }) => ["x-auth-token" in headers, "x-wsse" in headers])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(leaks(result.everything)).toEqual([]);

    await run(["test", "--wsse"], { environment: { ...token, ...wsse, REFERRAL_BASE_URL: api.url } });
    expect(api.requests.map(({ headers }) => "x-wsse" in headers)).toEqual([false, true, true]);
  });

  test("a refused credential exits 4; the report begins with the verdict and ends with advice", async () => {
    const api = await serve((_request, response) =>
      json(response, 401, { code: 401, message: "Authentication failed" }),
    );

    const result = await run(["test", "--token", "wrong-token"], {
      environment: { REFERRAL_BASE_URL: api.url },
    });

    expect(result.exitCode).toBe(4);
    expect(result.stdout).toMatch(/^REJECTED +token: the API refused this credential\n/);
    expect(result.stdout).toContain("message   Authentication failed");
    expect(result.stdout).toMatch(/\n {2}try {7}\S[^\n]*\n(?: {12}[^\n]*\n)*$/);
    expect(result.stderr).toContain("Warning: --token on the command line");
    expect(result.everything).not.toContain("wrong-token");
    expect(api.requests).toHaveLength(1);
  });

  test("without settings it exits 3 and names the missing ones", async () => {
    const result = await run(["test"]);

    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toContain("No base URL and no token is set");
    expect(result.stderr).toContain("REFERRAL_BASE_URL");
  });

  test("a misspelt flag exits 2; the error names it without its value and suggests the right one", async () => {
    const result = await run(["test", `--tokenn=${planted.token}`]);

    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain("no such option: --tokenn");
    expect(result.stderr).toContain("Did you mean --token?");
    expect(leaks(result.everything)).toEqual([]);
  });

  test("with --json an error is a JSON document too", async () => {
    const result = await run(["test", "--json", "--nonsense"]);

    expect(result.exitCode).toBe(2);
    expect(JSON.parse(result.stdout)).toMatchObject({
      schemaVersion: 1,
      ok: false,
      exitCode: 2,
      checks: [],
      error: { code: 2 },
    });
  });

  test("behind -- it is no option, and the error stands on standard error alone", async () => {
    expect(await run(["test", "--", "--json"])).toMatchObject({ exitCode: 2, stdout: "" });
  });

  test("the token can come from standard input, without its line end", async () => {
    const api = await serve((_request, response) => json(response, 200, success));

    const result = await run(["test", "--token-file", "-"], {
      stdin: `${planted.token}\n`,
      environment: { REFERRAL_BASE_URL: api.url },
    });

    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(api.requests[0]?.headers["x-auth-token"]).toBe(planted.token);
  });
});
