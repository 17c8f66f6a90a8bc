import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { accountsFile } from "./accounts.ts";

/** Runs `test --diagnose --json` with a token, and returns what it found and how many requests were made. */
async function ofToken(url: string, more: Record<string, string> = {}) {
  const environment = { REFERRAL_BASE_URL: url, REFERRAL_TOKEN: planted.token, ...more };
  const run = await runInProcess(["test", "--diagnose", "--json"], { environment });
  const { outcome, findings } = JSON.parse(run.stdout).checks[0];
  return { run, outcome, exitCode: run.exitCode, findings };
}

describe("after an acceptance", () => {
  test("a server that accepts a request without credentials does not check them", async () => {
    const api = await serve((_, response) => json(response, 200, success));
    const { exitCode, outcome, findings } = await ofToken(api.url);
    expect([exitCode, outcome, api.requests.length]).toEqual([6, "unexpected", 2]);
    expect(findings).toContainEqual(
      expect.objectContaining({ id: "no-authentication", certainty: "measured" }),
    );
    expect(api.requests[1]?.headers["x-auth-token"]).toBeUndefined();
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ["refuses", (response) => json(response, 401, {})],
    ["limits", (response) => json(response, 429, {})],
    ["resets", (response) => void response.socket?.resetAndDestroy()],
    ["answers from a cache", (response) => json(response, 200, success, { age: "1" })],
  ])("one that %s the request without credentials keeps its acceptance", async (_, answer) => {
    const api = await serve(({ headers }, response) =>
      headers["x-auth-token"] === undefined ? answer(response) : json(response, 200, success),
    );
    expect(await ofToken(api.url)).toMatchObject({ exitCode: 0, outcome: "accepted" });
    expect(api.requests).toHaveLength(2);
  });

  test("one request is made for each origin, and all its accepted accounts share what it shows", async () => {
    const open = await serve((_, response) => setTimeout(() => json(response, 200, success), 20));
    const closed = await serve(({ headers }, response) =>
      json(response, headers["x-auth-token"] ? 200 : 401, success),
    );
    const accounts = [open, closed].flatMap(({ url }) =>
      ["a", "b", "c"].map((name) => ({ profile: name, baseUrl: `${url}/${name}`, token: name.repeat(40) })),
    );
    const run = await runInProcess(["test", "--accounts", accountsFile(accounts), "--diagnose", "--json"]);
    const outcomes = JSON.parse(run.stdout).checks.map((check: { outcome: string }) => check.outcome);
    expect(outcomes.toSorted()).toEqual([...Array(3).fill("accepted"), ...Array(3).fill("unexpected")]);
    expect([open.requests.length, closed.requests.length, run.exitCode]).toEqual([4, 4, 6]);
  });
});

test.each<[string, (response: ServerResponse) => void, number]>([
  ["a 404", (response) => void response.writeHead(404).end(), 6],
  ["a page", (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"), 6],
  ["a failure", (response) => void response.writeHead(503).end(), 5],
  ["a reset", (response) => void response.socket?.resetAndDestroy(), 7],
])("after %s there is nothing to try, and it says so", async (_, answer, exitCode) => {
  const api = await serve((_request, response) => answer(response));
  const { findings, ...rest } = await ofToken(api.url);
  expect([rest.exitCode, api.requests.length]).toEqual([exitCode, 1]);
  expect(findings).toContainEqual(expect.objectContaining({ id: "not-diagnosed" }));
});
