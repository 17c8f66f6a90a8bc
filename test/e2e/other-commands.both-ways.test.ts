import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { wsse } from "./diagnose.ts";

describe.each(ways)("config, %s,", (_, run) => {
  test("shows where each value came from, what it hides, what is invalid or will be used, and no secret", async () => {
    const homeFolder = folderWith({
      ".referralrc": `baseUrl: https://rc.example\ntoken: "${planted.token}"\n`,
    });
    const environment = { REFERRAL_BASE_URL: "https://environment.example", REFERRAL_RETRY: planted.secret };
    const result = await run(["config", "--timeout", "5"], { homeFolder, environment });
    expect(result).toMatchObject({ exitCode: 3, stderr: "" });
    expect(result.stdout).toMatch(
      /^baseUrl +https:\/\/environment\.example {2}REFERRAL_BASE_URL\n +hides .*\.referralrc:1$/m,
    );
    expect(result.stdout).toMatch(/^token +\[secret\] .*\.referralrc:2$/m);
    expect(result.stdout).toMatch(/^timeout +5 .*--timeout$/m);
    expect(result.stdout).toMatch(/^retry +\[invalid\] .*\n +invalid REFERRAL_RETRY is not a whole number/m);
    expect(result.stdout).toMatch(/^will be used {2}token$/m);
  });

  test("leaves out a credential that test checks only when a flag selects it", async () => {
    const profiles = { p: { username: "p@example.com" }, q: { token: planted.secret } };
    const rc = { baseUrl: "https://rc.example", token: planted.token, profiles };
    const workingFolder = folderWith({ ".referralrc": rc });
    const one = await run(["config", "--profile", "p"], { workingFolder });
    const all = await run(["config", "--all"], { workingFolder });
    expect(one.stdout).toMatch(/\n\nwill be used {2}username\n$/);
    expect(all.stdout).toMatch(/^p +\S+ +username will be used$/m);
    expect(all.stdout).toMatch(/^q .* token will be used$/m);
  });

  test("shows a credential that will not be sent, and why", async () => {
    const workingFolder = folderWith({ ".referralrc": "baseUrl: https://foreign.example\n" });
    const environment = { REFERRAL_TOKEN: planted.token };
    const document = JSON.parse((await run(["config", "--json"], { workingFolder, environment })).stdout);
    const rc = { file: join(workingFolder, ".referralrc"), trust: "found" };
    expect(document).toMatchObject({ ok: true, rc });
    const reason = expect.stringContaining("REFERRAL_TOKEN is yours");
    expect(document.credentials).toMatchObject([{ name: "token", mayTravel: false, reason }]);
  });
});

test("--verbose shows the exchange and the time of its steps on standard error, credentials masked, even those sent back", async () => {
  const api = await serve((request, response) =>
    json(response, 200, success, { "x-echo": String(request.headers["x-wsse"] ?? planted.token) }),
  );
  const environment = { ...wsse, REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: api.url };
  const result = await runInProcess(["test", "--verbose"], { environment });
  expect(result.exitCode).toBe(0);
  expect(result.stderr).toContain("> X-Auth-Token: [secret]\n");
  expect(result.stderr).toMatch(
    /^> X-WSSE: UsernameToken Username="planted@example.com", PasswordDigest="\[secret\]", Nonce="[0-9a-f]{40}", Created="[\d:T+-]{25}"$/m,
  );
  expect(result.stderr).toContain("< HTTP 200 OK\n");
  const names = [...result.stderr.matchAll(/^> ([\w-]+): /gm)].map(([, name = ""]) => name.toLowerCase());
  const received = api.requests.flatMap(({ headers }) => Object.keys(headers));
  expect(names.toSorted()).toEqual(received.toSorted());
  expect(result.stderr).toMatch(/^\* +\d+ ms {2}connect 127\.0\.0\.1 port \d+$/m);
});
