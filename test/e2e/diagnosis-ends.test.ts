import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { accountsFile } from "./accounts.ts";
import { diagnose, refuse, wsse } from "./diagnose.ts";

type Answer = (response: ServerResponse) => void;

/** A server that answers a request without credentials by `bare`, and any other by `other`. */
const serving = (bare: Answer, other: Answer = refuse) =>
  serve(({ headers }, response) =>
    (headers["x-wsse"] ?? headers["x-auth-token"]) === undefined ? bare(response) : other(response),
  );
const accept: Answer = (response) => json(response, 200, success);
const replying =
  (status: number, message: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    json(response, status, { code: 401, message }, headers);

/** Runs `test --diagnose --json` with a token alone. */
async function ofToken(url: string) {
  const environment = { REFERRAL_BASE_URL: url, REFERRAL_TOKEN: planted.token };
  const { exitCode, stdout, stderr } = await runInProcess(["test", "--diagnose", "--json"], { environment });
  const { outcome, findings } = JSON.parse(stdout).checks[0];
  return { exitCode, outcome, findings, stderr };
}

const lost = "ruled out: a header lost on the way";
test("each cause that is ruled out is listed once, and the advice about the credential is before a gateway's", async () => {
  const causes = "a missing Authorization field and the other digest conventions and hashes";
  const credential = "the credential itself may be wrong";
  const same = await diagnose((await serving(refuse)).url);
  expect(same.findings.filter(({ id }) => id !== "rejected")).toEqual([
    {
      id: "ruled-out",
      certainty: "measured",
      message: `refused as well: the clock, ${causes}; ${credential}`,
      fix: expect.stringMatching(
        /^Compare the credential \(now set by REFERRAL_USERNAME and REFERRAL_SECRET\) with .* ask whether the account is active$/,
      ),
    },
    {
      id: "header-ignored",
      certainty: "possible",
      message: expect.stringMatching(
        /: the API may answer all refusals alike, or may not receive the header$/,
      ),
      fix: expect.stringMatching(/^If the credential is right, check whether a gateway/),
    },
  ]);
  const other = await diagnose((await serving(replying(401, "None"))).url, { REFERRAL_TOKEN: "another" });
  const message = `${lost}, the clock, the token as the secret, ${causes}; ${credential}`;
  expect(other.findings.at(-1)).toMatchObject({ id: "ruled-out", message });
});

test("after a failure there is nothing to try, and it says so", async () => {
  const fail: Answer = (response) => void response.writeHead(503).end();
  const api = await serving(fail, fail);
  const { findings, exitCode } = await ofToken(api.url);
  expect([exitCode, api.requests.length]).toEqual([5, 1]);
  expect(findings).toContainEqual(expect.objectContaining({ id: "not-diagnosed" }));
});

describe("after an acceptance", () => {
  test("a server that accepts a request without credentials does not check them", async () => {
    const api = await serving(accept, accept);
    const { exitCode, outcome, findings } = await ofToken(api.url);
    expect([exitCode, outcome, api.requests.length]).toEqual([6, "unexpected", 2]);
    const finding = { id: "no-authentication", certainty: "measured" };
    expect(findings).toContainEqual(expect.objectContaining(finding));
    expect(api.requests[1]?.headers).not.toHaveProperty("x-auth-token");
  });

  test("one that refuses the request without credentials keeps its acceptance", async () => {
    const api = await serving(refuse, accept);
    expect(await ofToken(api.url)).toMatchObject({ exitCode: 0, outcome: "accepted" });
    expect(api.requests).toHaveLength(2);
  });
});

describe("over several accounts", () => {
  const run = async (urls: readonly string[], args: readonly string[]) => {
    const accounts = urls.flatMap((url) =>
      ["a", "b", "c"].map((name) => ({ profile: name, baseUrl: `${url}/${name}`, token: `"${name}"` })),
    );
    return runInProcess(["test", "--accounts", accountsFile(accounts), "--diagnose", ...args]);
  };

  test("one request is made for each origin, and all its accepted accounts share what it shows", async () => {
    const open = await serve((_, response) => setTimeout(accept, 20, response));
    const closed = await serving(refuse, accept);
    const { stdout, exitCode } = await run([open.url, closed.url], ["--json"]);
    const outcomes = JSON.parse(stdout).checks.map((check: { outcome: string }) => check.outcome);
    expect(outcomes.toSorted()).toEqual([...Array(3).fill("accepted"), ...Array(3).fill("unexpected")]);
    expect([open.requests.length, closed.requests.length, exitCode]).toEqual([4, 4, 6]);
  });

  test("the first that is refused is diagnosed for each origin, and standard error says so", async () => {
    const bases = [await serving(refuse), await serving(refuse)];
    const { exitCode, stderr } = await run(
      bases.map(({ url }) => url),
      ["--concurrency", "1"],
    );
    // Three accounts, and for one of them the request without credentials and the one without quotation marks.
    expect([exitCode, ...bases.map(({ requests }) => requests.length)]).toEqual([4, 5, 5]);
    const told = stderr.match(/no other is diagnosed.*; to diagnose another account, check it alone\n/g);
    expect(told).toHaveLength(2);
  });
});

test("both methods of one account are diagnosed", async () => {
  const { url } = await serving(refuse);
  const environment = { ...wsse, REFERRAL_TOKEN: "bad", REFERRAL_BASE_URL: url };
  const { stderr } = await runInProcess(["test", "--diagnose"], { environment });
  expect(stderr).toMatch(/^token: diagnosis, request 1 of[\s\S]*^wsse: diagnosis, request 1 of/m);
  expect(stderr).not.toContain("no other is diagnosed");
});
