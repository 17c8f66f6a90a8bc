import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { wsse } from "./profiles.ts";

describe.each(ways)("config, %s,", (_, run) => {
  // test/settings/overview.test.ts has the whole text.
  test("shows a credential that will not be sent, and why", async () => {
    const workingFolder = folderWith({ ".referralrc": "baseUrl: https://foreign.example\n" });
    const environment = { REFERRAL_TOKEN: planted.token };
    const { document } = await run(["config", "--json"], { workingFolder, environment });
    const rc = { file: join(workingFolder, ".referralrc"), trust: "found" };
    const reason = expect.stringContaining("REFERRAL_TOKEN is yours");
    expect(document).toMatchObject({
      ...{ ok: true, rc },
      credentials: [{ name: "token", mayTravel: false, reason }],
    });
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
