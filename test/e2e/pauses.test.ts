import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { json } from "../support/serve.ts";
import { type Answer, accept, place, plain } from "./profiles.ts";

// test/run/pauses.test.ts has the rule.

/** Answers 429 with this pause. */
const limiting =
  (retryAfter: number): Answer =>
  (_, response) =>
    json(response, 429, {}, { "retry-after": String(retryAfter) });

/** A place whose API serves this many requests a minute, by a clock that goes on by the pauses of the run. */
async function limitedTo(perMinute: number, retryAfter: number) {
  const began = Date.parse("2026-11-22T12:00:00Z");
  let [now, left] = [began, perMinute];
  const waits: number[] = [];
  const push = (milliseconds: number): void => {
    waits.push(milliseconds);
    now += milliseconds;
    left = perMinute;
  };
  const { api, run } = await place({
    profiles: plain(4),
    answer: (request, response) => {
      left -= 1;
      (left >= 0 ? accept : limiting(retryAfter))(request, response);
    },
  });
  return { api, run, given: { now: () => now, waits: { push } }, waits };
}

const lines = (baseUrl: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify({ baseUrl, token: `t${index}` })}\n`).join(
    "",
  );

test("of 2,000 accounts, a server that asks for too long a pause gets no more than are under way", async () => {
  const { api, run, given, waits } = await limitedTo(100, 61);
  const { api: free } = await place();
  const stdin = lines(api.url, 2_000) + lines(free.url, 5);

  const args = ["--accounts=-", "--json", "--quiet", "--timeout", "3600"];
  const { exitCode, stderr, document, checks } = await run(args, { ...given, stdin });

  const notSent = checks.filter(({ request }) => request.attempts === 0);
  expect([exitCode, checks.length, waits]).toEqual([5, 2_005, []]);
  expect(free.requests).toHaveLength(5);
  expect(api.requests.length).toBeLessThanOrEqual(108);
  expect(notSent).toHaveLength(2_000 - api.requests.length);
  const message = "the server asked for a pause of 61 s, and --max-wait allows 60 s";
  const findings = [{ id: "not-sent", certainty: "measured", message }];
  for (const one of notSent)
    expect(one).toMatchObject({
      ...{ outcome: "unavailable", response: null, failure: null, connection: null },
      findings,
    });
  expect(document).toMatchObject({ notChecked: 0, error: null });
  expect(stderr).toBe(`${api.url} gets no further request: ${message}\n`);
});

test("a server that keeps its word gets every account, one after each pause and then the others", async () => {
  const { api, run, given, waits } = await limitedTo(30, 60);
  const stdin = lines(api.url, 50);
  const { checks, stderr } = await run(["--accounts=-", "--json", "--retry=1"], { ...given, stdin });
  expect(checks.map(({ outcome }) => outcome)).toEqual(Array(50).fill("accepted"));
  expect(waits).toContain(60_000);
  expect(stderr.match(/ asks for a pause of 60 s /g)).toHaveLength(1);
});

test("a pause is of its own origin, and of no other", async () => {
  const { api: free } = await place();
  const { api, run } = await place({
    profiles: { a: {}, b: { baseUrl: free.url }, c: {}, d: { baseUrl: free.url } },
    answer: (...given) => (api.requests.length === 1 ? limiting(7) : accept)(...given),
  });
  const waits: number[] = [];
  const { checks, stderr } = await run(["--all", "--json", "--concurrency=1"], { waits });
  expect(checks.map(({ outcome }) => outcome)).toEqual(["unavailable", ...Array(3).fill("accepted")]);
  expect(Math.max(...waits)).toBeGreaterThan(6_000);
  expect(stderr.match(/^\S+ asks for a pause/gm)).toEqual([`${api.url} asks for a pause`]);
  expect(free.requests).toHaveLength(2);
});

test("an account whose further attempt is not made says why", async () => {
  const { api, run } = await place({ answer: limiting(5) });
  const { checks, stderr } = await run(["--all", "--json", "--retry=3", "--concurrency=1"]);
  const ids = checks.flatMap(({ findings }) => findings.map(({ id }) => id));
  // The account that goes first after the pause uses up its retries, and the one that asked for the pause is left with one request.
  expect(ids.toSorted()).toEqual(["not-retried", "not-sent", "rate-limit", "rate-limit"]);
  expect(api.requests).toHaveLength(1 + 4);
  expect(stderr).toContain(
    `${api.url} asks for a pause of 5 s (429 with Retry-After): its accounts wait; of`,
  );
});

test("the text of an account that was not sent says so", async () => {
  const { api, run } = await place({ profiles: plain(2), answer: limiting(3_600) });
  const { stdout, stderr } = await run(["--all", "--concurrency=1"]);
  expect(stderr).toContain(`${api.url} gets no further request: the server asked for a pause of 1 hour`);
  expect(stdout).toContain("UNAVAILABLE token of p1: not sent: the server asked for a pause of 1 hour");
  expect(stdout).toContain("\n  unsent    the token in ");
  expect(stdout).toContain("\n  try       Check these accounts again in 1 hour, or raise --max-wait\n");
  expect(stdout).toContain(
    `\n0 accepted, 2 unavailable (1 not sent: the server asked for a pause); at ${api.url}\n`,
  );
});

test("an interruption ends a pause at once", async () => {
  const { api, run } = await limitedTo(1, 60);
  const controller = new AbortController();
  const { signal } = controller;
  const began = Date.now();
  const { exitCode, stdout } = await run(["--all", "--concurrency=1"], {
    interrupted: signal,
    broken: ({ stderr }) => ({
      stderr: {
        isTerminal: false,
        write: async (text) => {
          await stderr.write(text);
          if (text.includes("asks for a pause"))
            setTimeout(() => controller.abort(new Interrupted("SIGTERM")));
        },
      },
      wait: (milliseconds) =>
        delay(milliseconds, undefined, { signal }).catch(() => Promise.reject(signal.reason)),
    }),
  });
  expect(exitCode).toBe(143);
  expect(Date.now() - began).toBeLessThan(10_000);
  expect(stdout).toContain("interrupted: 1 accepted, 1 unavailable, 2 not checked");
  expect(api.requests).toHaveLength(2);
});

test.each([
  ["alone", []],
  ["a shard of one account", ["--all", "--shard=1/4"]],
])("an account whose server keeps its word is retried as --retry says: %s", async (_, args) => {
  for (const [refusals, exitCode, requests] of [
    [3, 0, 4],
    [9, 5, 6],
  ] as const) {
    const { api, run } = await place({
      answer: (...given) => (api.requests.length > refusals ? accept : limiting(9))(...given),
    });
    const waits: number[] = [];
    const result = await run([...args, "--retry=5", "--quiet"], { waits });
    expect(result).toMatchObject({ exitCode, stderr: "" });
    expect(api.requests).toHaveLength(requests);
    expect(waits.filter((wait) => wait > 0)).toEqual(Array(requests - 1).fill(9_000));
  }
});
