import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { Interrupted } from "../../src/errors.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

// test/run/pauses.test.ts has the rule.

/** Serves this many requests a minute, by a clock that goes on by the pauses of the run. */
async function limitedTo(perMinute: number, retryAfter: number) {
  const began = Date.parse("2026-11-22T12:00:00Z");
  let [now, left] = [began, perMinute];
  const waits: number[] = [];
  const push = (milliseconds: number): void => {
    waits.push(milliseconds);
    now += milliseconds;
    left = perMinute;
  };
  const api = await serve((_, response) => {
    left -= 1;
    if (left >= 0) json(response, 200, success);
    else json(response, 429, {}, { "retry-after": String(retryAfter) });
  });
  return { api, given: { now: () => now, waits: { push } }, waits };
}

const lines = (baseUrl: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify({ baseUrl, token: `t${index}` })}\n`).join(
    "",
  );

const checksIn = (stdout: string): ReadonlyArray<Record<string, unknown>> => JSON.parse(stdout).checks;

test("of 2,000 accounts, a server that asks for too long a pause gets no more than are under way", async () => {
  const { api, given, waits } = await limitedTo(100, 61);
  const free = await serve((_, response) => json(response, 200, success));
  const stdin = lines(api.url, 2_000) + lines(free.url, 5);

  const run = await runInProcess(["test", "--accounts=-", "--json", "--quiet", "--timeout", "3600"], {
    ...given,
    stdin,
  });

  const checks = checksIn(run.stdout);
  const notSent = checks.filter(({ request }) => (request as { attempts: number }).attempts === 0);
  expect([run.exitCode, checks.length, waits]).toEqual([5, 2_005, []]);
  expect(free.requests).toHaveLength(5);
  expect(api.requests.length).toBeLessThanOrEqual(108);
  expect(notSent).toHaveLength(2_000 - api.requests.length);
  const message = "the server asked for a pause of 61 s, and --max-wait allows 60 s";
  for (const one of notSent)
    expect(one).toMatchObject({
      outcome: "unavailable",
      response: null,
      failure: null,
      connection: null,
      findings: [{ id: "not-sent", certainty: "measured", message }],
    });
  expect(JSON.parse(run.stdout)).toMatchObject({ notChecked: 0, error: null });
  expect(run.stderr).toBe(`${api.url} gets no further request: ${message}\n`);
});

test("a server that keeps its word gets every account, one after each pause and then the others", async () => {
  const { api, given, waits } = await limitedTo(30, 60);
  const run = await runInProcess(["test", "--accounts=-", "--json", "--retry=1"], {
    ...given,
    stdin: lines(api.url, 50),
  });
  expect(checksIn(run.stdout).map(({ outcome }) => outcome)).toEqual(Array(50).fill("accepted"));
  expect(waits).toContain(60_000);
  expect(run.stderr.match(/ asks for a pause of 60 s /g)).toHaveLength(1);
});

test("an account whose further attempt is not made says why", async () => {
  const api = await serve((_, response) => json(response, 429, {}, { "retry-after": "5" }));
  const profiles = { a: {}, b: {}, c: {} };
  const homeFolder = folderWith({ ".referralrc": { baseUrl: api.url, token: "t", profiles } });
  const run = await runInProcess(["test", "--all", "--json", "--retry=3", "--concurrency=1"], { homeFolder });
  const ids = checksIn(run.stdout).map(({ findings }) => (findings as { id: string }[]).map(({ id }) => id));
  // The account that goes first after the pause uses up its retries, and the one that asked for the pause is left with one request.
  expect(ids.flat().toSorted()).toEqual(["not-retried", "not-sent", "rate-limit", "rate-limit"]);
  expect(api.requests).toHaveLength(1 + 4);
  expect(run.stderr).toContain(
    `${api.url} asks for a pause of 5 s (429 with Retry-After): its accounts wait; of`,
  );
});

test("the text of an account that was not sent says so", async () => {
  const api = await serve((_, response) => json(response, 429, {}, { "retry-after": "3600" }));
  const profiles = { a: {}, b: {} };
  const homeFolder = folderWith({ ".referralrc": { baseUrl: api.url, token: "t", profiles } });
  const run = await runInProcess(["test", "--all", "--concurrency=1"], { homeFolder });
  expect(run.stderr).toContain(`${api.url} gets no further request: the server asked for a pause of 1 hour`);
  expect(run.stdout).toContain("UNAVAILABLE token of b: not sent: the server asked for a pause of 1 hour");
  expect(run.stdout).toContain("\n  unsent    the token in ");
  expect(run.stdout).toContain("\n  try       Check these accounts again in 1 hour, or raise --max-wait\n");
  expect(run.stdout).toContain(
    `\n0 accepted, 2 unavailable (1 not sent: the server asked for a pause); at ${api.url}\n`,
  );
});

test("an interruption ends a pause at once", async () => {
  const { api } = await limitedTo(1, 60);
  const controller = new AbortController();
  const began = Date.now();
  const profiles = { a: {}, b: {}, c: {}, d: {} };
  const homeFolder = folderWith({ ".referralrc": { baseUrl: api.url, token: "t", profiles } });
  const context = contextOf(["test", "--all", "--concurrency=1"], {
    homeFolder,
    interrupted: controller.signal,
  });
  const wait = (): Promise<void> =>
    delay(60_000, undefined, { signal: controller.signal }).catch(() => {
      throw controller.signal.reason;
    });
  const ended = main({ ...context, wait });
  while (!context.stderr.text.includes("asks for a pause")) await delay(5);
  controller.abort(new Interrupted("SIGTERM"));
  expect(await ended).toBe(143);
  expect(Date.now() - began).toBeLessThan(10_000);
  expect(context.stdout.text).toContain("interrupted: 1 accepted, 1 unavailable, 2 not checked");
  expect(api.requests).toHaveLength(2);
});

test.each([
  ["alone", {}, []],
  ["a shard of one account", { a: {}, b: {} }, ["--all", "--shard=1/2"]],
])("an account whose server keeps its word is retried as --retry says: %s", async (_, profiles, args) => {
  let answered = 0;
  const api = await serve((_, response) => {
    answered += 1;
    if (answered < 4) json(response, 429, {}, { "retry-after": "9" });
    else json(response, 200, success);
  });
  const waits: number[] = [];
  const homeFolder = folderWith({ ".referralrc": { baseUrl: api.url, token: "t", profiles } });
  const given = { homeFolder, waits };
  const { exitCode, stderr } = await runInProcess(["test", ...args, "--retry=5", "--quiet"], given);
  expect([exitCode, stderr, answered]).toEqual([0, "", 4]);
  expect(waits.filter((wait) => wait > 0)).toEqual([9_000, 9_000, 9_000]);
  answered = -9;
  expect(await runInProcess(["test", ...args, "--retry=5", "--quiet"], given)).toMatchObject({ exitCode: 5 });
  expect(answered).toBe(-9 + 6);
});
