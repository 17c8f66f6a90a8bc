import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { json } from "../support/serve.ts";
import { accept, place } from "./profiles.ts";

/** Runs `test` for a profile of WSSE at a server that answers with these statuses in turn, then with success. */
async function run(
  statuses: readonly number[],
  args: readonly string[],
  headers: Readonly<Record<string, string>> = {},
) {
  const { username, secret } = planted;
  const { api, run } = await place({
    profiles: { mine: { username, secret } },
    answer: (request, response) => {
      const status = statuses[api.requests.length - 1];
      if (status === undefined) accept(request, response);
      else json(response, status, {}, { ...headers, "x-request-id": `request-${api.requests.length}` });
    },
  });
  const began = Date.now();
  const waits: number[] = [];
  const result = await run(["--profile", "mine", ...args], { waits, now: began });
  return { began, result, waits, requests: api.requests };
}

// test/check/retry.test.ts has the rule.
test("--retry repeats a check after a temporary failure, as late as Retry-After asks, each time with a new nonce", async () => {
  const statuses = [503, 500, 401];
  const args = ["--retry", "3", "--json"];
  const { began, result, waits, requests } = await run(statuses, args, { "retry-after": "7" });
  expect([result.exitCode, waits]).toEqual([4, [7_000, 7_000]]);
  expect(result.checks).toMatchObject([
    {
      // When the last attempt began.
      checkedAt: new Date(began + 14_000).toISOString(),
      request: { attempts: 3 },
      response: { requestId: "request-3" },
    },
  ]);
  const nonces = requests.map(({ headers }) => /Nonce="([^"]*)"/.exec(String(headers["x-wsse"]))?.[1]);
  expect(new Set(nonces).size).toBe(3);
  const said = (attempt: number) =>
    `wsse of mine: attempt ${attempt} ended as unavailable; trying again in 7 s\n`;
  expect(result.stderr).toBe(said(1) + said(2));
});

test("--retry prints nothing between attempts with several accounts: the report says how each ended", async () => {
  const { token } = planted;
  const { api, run } = await place({
    profiles: { one: { token }, two: { token } },
    answer: (_, response) => json(response, 503, {}),
  });
  const result = await run(["--all", "--retry", "1"], { waits: [] });
  expect([result.exitCode, result.stderr, api.requests.length]).toEqual([5, "", 4]);
});
