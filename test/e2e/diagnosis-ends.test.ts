import { describe, expect, test } from "vitest";
import { end, remaining } from "../check/diagnose/means.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";
import { accountsFile } from "./accounts.ts";
import { accepts, diagnose, wsse } from "./diagnose.ts";
import { type Answer, accept, refuse } from "./profiles.ts";

/** A server that answers a request without credentials by `bare`, and any other by `other`. */
const serving = (bare: Answer, other: Answer = refuse) =>
  serve((request, response) => {
    const { "x-wsse": header, "x-auth-token": token } = request.headers;
    ((header ?? token) === undefined ? bare : other)(request, response);
  });

/** Runs `test --diagnose` with a token alone. */
const ofToken = (url: string, form: "--json" | "--quiet" = "--json") =>
  runInProcess(["test", "--diagnose", form], {
    environment: { REFERRAL_BASE_URL: url, REFERRAL_TOKEN: planted.token },
  });

const lost = "ruled out: a header lost on the way";
test("each cause that is ruled out is listed once, and the advice about the credential is before a gateway's", async () => {
  const same = await diagnose((await serving(refuse)).url);
  expect(same.findings.filter(({ id }) => id !== "rejected")).toEqual([
    {
      id: "ruled-out",
      certainty: "measured",
      message: `changes for these were refused too: the clock, ${end}; ${remaining}`,
      fix: expect.stringMatching(
        /^Compare the credential \(now set by REFERRAL_USERNAME and REFERRAL_SECRET\) with .* ask whether the account is active, and how the API computes the digest$/,
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
  const other = await diagnose(
    (await serving((_, response) => json(response, 401, { code: 401, message: "None" }))).url,
    { REFERRAL_TOKEN: "another" },
  );
  const message = `${lost}, the clock, the token as the secret, ${end}; ${remaining}`;
  expect(other.findings.at(-1)).toMatchObject({ id: "ruled-out", message });
});

test("after a failure there is nothing to try, and it says so", async () => {
  const api = await serve((_, response) => response.writeHead(503).end());
  const { checks, exitCode } = await ofToken(api.url);
  expect([exitCode, api.requests.length]).toEqual([5, 1]);
  expect(checks[0]?.findings).toContainEqual(expect.objectContaining({ id: "not-diagnosed" }));
});

describe("after an acceptance", () => {
  test("a server that accepts a request without credentials does not check them", async () => {
    const api = await serving(accept, accept);
    const { exitCode, checks } = await ofToken(api.url);
    expect([exitCode, checks[0]?.outcome, api.requests.length]).toEqual([6, "unexpected", 2]);
    const finding = { id: "no-authentication", certainty: "measured" };
    expect(checks[0]?.findings).toContainEqual(expect.objectContaining(finding));
    expect(api.requests[1]?.headers).not.toHaveProperty("x-auth-token");
  });

  test("one that refuses the request without credentials keeps its acceptance", async () => {
    const api = await serving(refuse, accept);
    expect((await ofToken(api.url)).document).toMatchObject({
      exitCode: 0,
      checks: [{ outcome: "accepted" }],
    });
    expect(api.requests).toHaveLength(2);
  });
});

describe("over several accounts", () => {
  test.each([
    ["open", "strict"],
    ["strict", "open"],
  ])(
    "one request is made for each URL, and its accepted accounts share what it shows: %s, %s",
    async (...paths) => {
      const api = await serve((request, response) => {
        const isAccepted = request.url?.startsWith("/open") || request.headers["x-auth-token"] !== undefined;
        setTimeout(isAccepted ? accept : refuse, 20, request, response);
      });
      const accounts = paths.flatMap((path) =>
        [1, 2, 3].map(() => ({ profile: path, baseUrl: `${api.url}/${path}`, token: "a-token" })),
      );
      const args = ["test", "--accounts", accountsFile(accounts), "--diagnose", "--json"];
      const { exitCode, checks } = await runInProcess(args);
      const found = checks.map(({ profile, outcome }) => `${profile}: ${outcome}`);
      const expected = [...Array(3).fill("open: unexpected"), ...Array(3).fill("strict: accepted")];
      expect(found.toSorted()).toEqual(expected);
      expect([exitCode, api.requests.length]).toEqual([6, 8]);
    },
  );

  test("the first that is refused is diagnosed for each origin, and standard error says so", async () => {
    const bases = [await serving(refuse), await serving(refuse)];
    const accounts = bases.flatMap(({ url }) =>
      ["a", "b", "c"].map((name) => ({ profile: name, baseUrl: `${url}/${name}`, token: `"${name}"` })),
    );
    const args = ["test", "--accounts", accountsFile(accounts), "--diagnose", "--concurrency", "1"];
    const { exitCode, stderr } = await runInProcess(args);
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
  expect(stderr).toMatch(/^token: diagnosis, at most[\s\S]*^wsse: diagnosis, at most/m);
  expect(stderr).not.toContain("no other is diagnosed");
});

test.each([
  [refuse, "at most 1 further request, and 4 more if one is accepted; each may count as a failed login"],
  [accept, "1 further request; it may count as a failed login"],
])("the cost is announced once on standard error, also with --quiet", async (other, cost) => {
  const { url } = await serving(refuse, other);
  expect(await ofToken(url, "--quiet")).toMatchObject({ stdout: "", stderr: `token: diagnosis, ${cost}\n` });
});

// The first request goes to the first server, and Created is corrected in the one that goes to the third.
test.each([
  [2, "measured ruled-out"],
  [3, "measured inconsistent-server"],
])(
  "of three servers that take turns, of which the one with number %i knows the account, nothing is proved",
  async (number, finding) => {
    const api = await serve((request, response) => {
      const isAccepted = api.requests.length % 3 === number % 3 && accepts(request, {});
      (isAccepted ? accept : refuse)(request, response);
    });
    const { findings, proved } = await diagnose(api.url);
    expect(proved).toEqual([]);
    expect(findings.map(({ id, certainty }) => `${certainty} ${id}`)).toContain(finding);
  },
);

test.each([
  [400, 6],
  [422, 6],
  [500, 5],
])(
  "a convention that is answered with %i and JSON is found, and the verdict stays",
  async (status, exitCode) => {
    const api = await serve((request, response) => {
      if (accepts(request, { digest: "hex-digest" })) accept(request, response);
      else if (request.headers["x-wsse"] === undefined) refuse(request, response);
      else json(response, status, { message: "Bad digest" });
    });
    const { proved } = await diagnose(api.url, {}, {}, exitCode);
    expect(proved).toMatchObject([{ id: "digest-convention" }]);
  },
);
