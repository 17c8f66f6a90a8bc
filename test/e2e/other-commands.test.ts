import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const credentials = {
  REFERRAL_TOKEN: planted.token,
  REFERRAL_USERNAME: planted.username,
  REFERRAL_SECRET: planted.secret,
};

describe.each(ways)("header, %s,", (_, run) => {
  test("prints exactly one line for the token", async () => {
    const result = await run(["header", "--token"], { environment: credentials });
    expect(result).toMatchObject({ exitCode: 0, stderr: "", stdout: `X-Auth-Token: ${planted.token}\n` });
  });

  test("prints exactly one line for WSSE, with a digest that the API accepts", async () => {
    const result = await run(["header", "--wsse", "--digest", "base64-nonce"], { environment: credentials });
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(result.stdout).toMatch(
      /^X-WSSE: UsernameToken Username="planted@example\.com", PasswordDigest="[\w+/]{27}=", Nonce="[\w+/]{27}=", Created="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"\n$/,
    );
  });

  test("prints the Authorization field too if the settings ask for it", async () => {
    const environment = { ...credentials, REFERRAL_AUTHORIZATION: "wsse" };
    const lines = (await run(["header", "--wsse"], { environment })).stdout.split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^X-WSSE: UsernameToken /),
      'Authorization: WSSE profile="UsernameToken"',
      "",
    ]);
    expect((await run(["header", "--token"], { environment })).stdout).not.toContain("Authorization");
  });

  test.each([[[]], [["--token", "--wsse"]]])("with selectors %j is wrong usage", async (args) => {
    const result = await run(["header", ...args], { environment: credentials });
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain("select --token or --wsse");
  });

  test("warns of a token on the command line, and prints the header anyway", async () => {
    const result = await run(["header", "--token", planted.token]);
    expect(result).toMatchObject({ exitCode: 0, stdout: `X-Auth-Token: ${planted.token}\n` });
    expect(result.stderr).toMatch(/^Warning: --token on the command line/);
    expect(leaks(result.stderr)).toEqual([]);
  });

  test.each([
    ["--token", {}, "No token is set"],
    ["--wsse", { REFERRAL_USERNAME: "me@example.com" }, "No secret is set"],
  ])("%s without its value exits 3", async (method, environment, says) => {
    const result = await run(["header", method], { environment });
    expect(result).toMatchObject({ exitCode: 3, stdout: "", stderr: expect.stringContaining(says) });
  });
});

describe.each(ways)("config, %s,", (_, run) => {
  test("shows where each value came from, what it hides, what will be used, and no secret", async () => {
    const home = folderWith({ ".referralrc": `baseUrl: https://rc.example\ntoken: "${planted.token}"\n` });

    const result = await run(["config", "--timeout", "5"], {
      homeFolder: home,
      environment: { REFERRAL_BASE_URL: "https://environment.example", REFERRAL_SECRET: planted.secret },
    });

    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(result.stdout).toMatch(
      /^baseUrl +https:\/\/environment\.example {2}REFERRAL_BASE_URL\n +hides .*\.referralrc:1$/m,
    );
    expect(result.stdout).toMatch(/^token +\[secret\] .*\.referralrc:2$/m);
    expect(result.stdout).toMatch(/^timeout +5 .*--timeout$/m);
    expect(result.stdout).toMatch(/^will be used {2}token$/m);
    expect(leaks(result.everything)).toEqual([]);
  });

  test("says of a credential that test checks only when a flag selects it", async () => {
    const rc = {
      baseUrl: "https://rc.example",
      token: planted.token,
      profiles: { p: { username: "p@example.com" }, q: { token: planted.secret } },
    };
    const tree = folderWith({ ".referralrc": JSON.stringify(rc) });
    const inTree = { workingFolder: tree };

    const one = await run(["config", "--profile", "p"], inTree);
    const all = await run(["config", "--all"], inTree);

    expect(one.stdout).toMatch(/^will be used {2}token \(only with --token\)\nwill be used {2}username$/m);
    expect(all.stdout).toMatch(/^p .* token will be used \(only with --token\), username will be used$/m);
    expect(all.stdout).toMatch(/^q .* token will be used$/m);
    expect(leaks(one.everything + all.everything)).toEqual([]);
  });

  test("shows a credential that will not be sent, and why", async () => {
    const tree = folderWith({ ".referralrc": "baseUrl: https://foreign.example\n" });

    const result = await run(["config", "--json"], {
      workingFolder: tree,
      environment: { REFERRAL_TOKEN: planted.token },
    });

    const document = JSON.parse(result.stdout);
    expect(document).toMatchObject({ ok: true, rc: { file: join(tree, ".referralrc"), trust: "found" } });
    expect(document.credentials).toEqual([
      expect.objectContaining({
        name: "token",
        mayTravel: false,
        reason: expect.stringContaining("REFERRAL_TOKEN is yours"),
      }),
    ]);
  });

  test("shows an invalid value's problem without the value, and exits 3", async () => {
    const result = await run(["config"], {
      environment: { REFERRAL_BASE_URL: `https://me:${planted.secret}@api.example` },
    });
    expect(result.exitCode).toBe(3);
    expect(result.stdout).toContain("invalid REFERRAL_BASE_URL contains user information");
    expect(leaks(result.everything)).toEqual([]);
  });
});

test("--verbose shows the exchange as a timeline on standard error, credentials masked, even those sent back", async () => {
  const api = await serve((request, response) =>
    json(response, 200, success, {
      allow: "GET",
      "x-echo": String(request.headers["x-wsse"] ?? planted.token),
    }),
  );

  const result = await runInProcess(["test", "--verbose"], {
    environment: { ...credentials, REFERRAL_BASE_URL: api.url },
  });

  expect(result.exitCode).toBe(0);
  // A remark that is shown beside the exchange alone.
  expect(result.stdout).toMatch(/^ {2}measured {2}.*differs? from the API's documentation$/m);
  expect(result.stderr).toContain("> X-Auth-Token: [secret]\n");
  expect(result.stderr).toMatch(
    /^> X-WSSE: UsernameToken Username="planted@example.com", PasswordDigest="\[secret\]", Nonce="[0-9a-f]{40}", Created="[\d:T+-]{25}"$/m,
  );
  expect(result.stderr).toContain("< HTTP 200 OK\n");
  const names = [...result.stderr.matchAll(/^> ([\w-]+): /gm)].map(([, name = ""]) => name.toLowerCase());
  const received = api.requests.flatMap(({ headers }) => Object.keys(headers));
  expect(names.toSorted()).toEqual(received.toSorted());
  expect(result.stderr).toMatch(/^\* +\d+\.\d ms {2}connect 127\.0\.0\.1 port \d+$/m);
  expect(leaks(result.everything)).toEqual([]);
});
