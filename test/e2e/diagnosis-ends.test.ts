import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { runInProcess } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";
import { accountsFile } from "./accounts.ts";
import { diagnose, wsse } from "./diagnose.ts";

/** A server that answers a request without credentials by `bare`, and any other by 401. */
const refusing = (bare: (response: ServerResponse) => void) =>
  serve((request, response) => {
    if (request.headers["x-wsse"] ?? request.headers["x-auth-token"])
      json(response, 401, { code: 401, message: "No" });
    else bare(response);
  });

const last = async (bare: (response: ServerResponse) => void, environment = {}) => {
  const { findings } = await diagnose((await refusing(bare)).url, environment);
  return findings.filter(({ id }) => ["header-ignored", "ruled-out", "diagnosis-stopped"].includes(id));
};

describe("the response without credentials is the same", () => {
  test("if status, type and body are; that proves nothing, and the first advice is about the credential", async () => {
    const found = await last((response) => json(response, 401, { code: 401, message: "No" }));
    expect(found).toEqual([
      {
        id: "ruled-out",
        certainty: "measured",
        message:
          "refused as well: the clock, a missing Authorization field and the other digest conventions and hashes; the credential itself may be wrong",
        fix: expect.stringMatching(/^Compare the credential \(now set by .*\) with /),
      },
      {
        id: "header-ignored",
        certainty: "possible",
        message: expect.stringMatching(
          /^the response without credentials is the same: the API may answer all/,
        ),
        fix: expect.stringMatching(/^If the credential is right, check whether a gateway/),
      },
    ]);
  });

  test("and no gateway is the first advice", async () => {
    const api = await refusing((response) => json(response, 401, { code: 401, message: "No" }));
    const environment = { ...wsse, REFERRAL_BASE_URL: api.url };
    const run = await runInProcess(["test", "--wsse", "--diagnose"], { environment });
    expect(run.stdout).not.toContain("proved");
    expect(run.stdout.replace(/\s+/g, " ")).toMatch(
      /^[^/]+ request (?:(?! try ).)* try Compare the credential \(now set by REFERRAL_USERNAME and REFERRAL_SECRET\) with /,
    );
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ["status", (response) => json(response, 403, { code: 401, message: "No" })],
    ["body", (response) => json(response, 401, { code: 401, message: "Yes" })],
    [
      "type",
      (response) => json(response, 401, { code: 401, message: "No" }, { "content-type": "text/plain" }),
    ],
    ["connection, which ends", (response) => void response.socket?.destroy()],
  ])("but not where its %s differs", async (_, bare) => {
    expect(await last(bare)).toMatchObject([{ id: "ruled-out", certainty: "measured" }]);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ["no response", (response) => void response.socket?.destroy()],
    ["a server's failure", (response) => json(response, 503, {})],
  ])("and %s without credentials rules no missing header out", async (_, bare) => {
    const [finding] = await last(bare);
    expect(finding?.message).toMatch(/^ruled out: the clock, /);
  });
});

describe("each cause that is ruled out is listed once", () => {
  const other = (response: ServerResponse) => json(response, 401, { code: 401, message: "None" });

  test("with an account and a token", async () => {
    const [finding] = await last(other, { REFERRAL_TOKEN: "another" });
    expect(finding?.message).toBe(
      "ruled out: a header lost on the way, the clock, the token as the secret, a missing Authorization field and the other digest conventions and hashes; the credential itself may be wrong",
    );
    expect(finding?.fix).toContain("ask whether the account is active");
  });

  test.each<[string, (response: ServerResponse) => void, string]>([
    ["another refusal", other, "ruled out: a header lost on the way"],
    [
      "a page",
      (response) => void response.writeHead(404).end("Not here"),
      "ruled out: a header lost on the way",
    ],
    ["a server's failure", (response) => json(response, 503, {}), "nothing was accepted"],
  ])("with a token alone, and %s without credentials", async (_, bare, start) => {
    const { url } = await refusing(bare);
    const environment = { REFERRAL_BASE_URL: url, REFERRAL_TOKEN: "a-token" };
    const run = await runInProcess(["test", "--diagnose", "--json"], { environment });
    expect(JSON.parse(run.stdout).checks[0].findings).toContainEqual(
      expect.objectContaining({ message: `${start}; the credential itself may be wrong` }),
    );
    expect(run.stderr).toMatch(
      /diagnosis, request 1 of at most 3: without credentials.*; each request may count as a failed login\n$/,
    );
  });
});

test("over several accounts the first that is refused is diagnosed for each origin, and standard error says so", async () => {
  const bases = [
    await refusing((response) => json(response, 401, {})),
    await refusing((response) => json(response, 401, {})),
  ];
  const accounts = bases.flatMap(({ url }) =>
    ["a", "b", "c"].map((name) => ({ profile: name, baseUrl: `${url}/${name}`, token: `"${name}"` })),
  );

  const args = ["test", "--accounts", accountsFile(accounts), "--diagnose", "--concurrency", "1"];
  const { exitCode, stderr } = await runInProcess(args);

  expect(exitCode).toBe(4);
  // Three accounts, and for one of them the request without credentials and the one without quotation marks.
  expect(bases.map(({ requests }) => requests.length)).toEqual([5, 5]);
  expect(
    stderr.match(/no other is diagnosed.*; to diagnose another account, check it alone\n/g),
  ).toHaveLength(2);
});

test("both methods of one account are diagnosed", async () => {
  const { url } = await refusing((response) => json(response, 401, {}));

  const { stderr } = await runInProcess(["test", "--diagnose"], {
    environment: { ...wsse, REFERRAL_TOKEN: "bad", REFERRAL_BASE_URL: url },
  });

  expect(stderr).toContain("token: diagnosis, request 1 of");
  expect(stderr).toContain("wsse: diagnosis, request 1 of");
  expect(stderr).not.toContain("no other is diagnosed");
});
