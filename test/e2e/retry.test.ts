import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { plain, rcOf } from "./profiles.ts";

const wsse = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret };

/** A server that answers with these statuses in turn, then with success. */
async function failing(statuses: readonly number[], headers: Record<string, string> = {}) {
  const api = await serve((_, response) => {
    const status = statuses[api.requests.length - 1];
    if (status === undefined) json(response, 200, success);
    else json(response, status, {}, headers);
  });
  return api;
}

async function run(url: string, retries: string, waits: number[] = []) {
  const result = await runInProcess(["test", "--wsse", "--json", "--retry", retries], {
    environment: { ...wsse, REFERRAL_BASE_URL: url },
    waits,
  });
  return { ...result, attempts: JSON.parse(result.stdout).checks[0].request.attempts as number };
}

describe("--retry", () => {
  test("repeats a check after a temporary failure, each time with a new nonce, and says so", async () => {
    const api = await failing([503, 500]);
    const waits: number[] = [];

    const result = await run(api.url, "3", waits);

    expect(result).toMatchObject({ exitCode: 0, attempts: 3 });
    const nonces = api.requests.map(({ headers }) => /Nonce="([^"]*)"/.exec(String(headers["x-wsse"]))?.[1]);
    expect(new Set(nonces).size).toBe(3);
    expect(waits).toHaveLength(2);
    expect(
      result.stderr.match(/^wsse: attempt \d ended as unavailable; trying again in \d(?:\.\d)? s$/gm),
    ).toHaveLength(2);
  });

  test("names the profile in what it says between attempts", async () => {
    const api = await failing([503]);
    const homeFolder = folderWith({ ".referralrc": rcOf(api.url, plain(1)) });
    const { stderr } = await runInProcess(["test", "--all", "--retry", "1"], { homeFolder, waits: [] });
    expect(stderr).toMatch(/^token of \S+: attempt 1 ended as unavailable; /);
  });

  test("prints nothing between attempts with --quiet", async () => {
    const api = await failing([503]);
    const environment = { ...wsse, REFERRAL_BASE_URL: api.url };
    const result = await runInProcess(["test", "--wsse", "--retry", "1", "--quiet"], {
      environment,
      waits: [],
    });
    expect(result).toMatchObject({ exitCode: 0, everything: "" });
    expect(api.requests).toHaveLength(2);
  });

  test("waits as long as Retry-After asks, up to the deadline", async () => {
    const waits: number[] = [];
    const patient = await failing([429], { "retry-after": "7" });
    expect(await run(patient.url, "1", waits)).toMatchObject({ exitCode: 0, attempts: 2 });
    expect(waits).toEqual([7_000]);

    const endless = await failing([503], { "retry-after": "99999999999" });
    expect(await run(endless.url, "1", waits)).toMatchObject({ exitCode: 5, attempts: 1 });
    expect(waits).toHaveLength(1);
  });
});
