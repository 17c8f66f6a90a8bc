import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { json } from "../support/serve.ts";
import { type Answer, accept, place, plain, wsse } from "./profiles.ts";

// test/run/pauses.test.ts has the rule.

/** Answers 429 with this pause. */
const limiting =
  (retryAfter: number): Answer =>
  (_, response) =>
    json(response, 429, {}, { "retry-after": String(retryAfter) });

/** A place whose API serves this many requests until the next pause of the run. */
async function limitedTo(most: number, retryAfter: number) {
  let left = most;
  const waits: number[] = [];
  const push = (milliseconds: number): void => {
    waits.push(milliseconds);
    left = most;
  };
  const { api, run } = await place({
    profiles: plain(4),
    answer: (request, response) => {
      left -= 1;
      (left >= 0 ? accept : limiting(retryAfter))(request, response);
    },
  });
  return { api, run, given: { waits: { push } }, waits };
}

const lines = (baseUrl: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify({ baseUrl, token: `t${index}` })}\n`).join(
    "",
  );

test("of 500 accounts, a server that asks for too long a pause gets no more than are under way", async () => {
  const { api, run, given, waits } = await limitedTo(100, 61);
  const { api: free } = await place();
  const stdin = lines(api.url, 500) + lines(free.url, 5);

  const args = ["--accounts=-", "--json", "--quiet", "--timeout", "3600"];
  const { exitCode, stderr, document, checks } = await run(args, { ...given, stdin });

  const notSent = checks.filter(({ request }) => request.attempts === 0);
  expect([exitCode, checks.length, waits]).toEqual([5, 505, []]);
  expect(free.requests).toHaveLength(5);
  expect(api.requests.length).toBeLessThanOrEqual(108);
  expect(notSent).toHaveLength(500 - api.requests.length);
  const message = "the server asked for a pause of 61 s, and --max-wait allows 60 s";
  const fix = "Check these accounts again in 61 s, or raise --max-wait";
  const findings = [{ id: "not-sent", certainty: "measured", message, fix }];
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

test("a pause that a request of a diagnosis is asked for holds back the other accounts too", async () => {
  const { api, run } = await place({
    answer: (request, response) =>
      (request.headers["x-auth-token"] === undefined ? limiting(61) : accept)(request, response),
  });
  const { checks, stderr } = await run(["--all", "--json", "--diagnose", "--concurrency=1"]);
  expect(checks.map(({ outcome }) => outcome)).toEqual(["accepted", "unavailable", "unavailable"]);
  expect(stderr).toContain(`${api.url} gets no further request: the server asked for a pause of 61 s`);
  expect(api.requests).toHaveLength(2);
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

test("an interruption ends a pause at once", async () => {
  const { api, run, given } = await limitedTo(1, 60);
  const controller = new AbortController();
  const push = (): void => {
    controller.abort(new Interrupted("SIGTERM"));
    controller.signal.throwIfAborted();
  };
  const { signal: interrupted } = controller;
  const args = ["--all", "--concurrency=1", "--quiet", "--json"];
  const { document } = await run(args, { ...given, waits: { push }, interrupted });
  const checks = [{ outcome: "accepted" }, { outcome: "unavailable" }];
  expect(document).toMatchObject({ exitCode: 143, checks, notChecked: 2 });
  expect(api.requests).toHaveLength(2);
});

test.each([
  [3, 0, 4],
  [9, 5, 6],
])("a single account with %i refusals is retried as --retry says", async (refusals, exitCode, requests) => {
  const { api, run } = await place({
    answer: (...given) => (api.requests.length > refusals ? accept : limiting(9))(...given),
  });
  const waits: number[] = [];
  const result = await run(["--all", "--shard=1/4", "--retry=5", "--quiet"], { waits });
  expect(result).toMatchObject({ exitCode, stderr: "" });
  expect(api.requests).toHaveLength(requests);
  expect(waits.filter((wait) => wait > 0)).toEqual(Array(requests - 1).fill(9_000));
});

test("the two methods of a single account do not hold each other back", async () => {
  const { api, run } = await place({ answer: limiting(3_600) });
  expect(await run(["--quiet"], { environment: wsse })).toMatchObject({ exitCode: 5, stderr: "" });
  expect(api.requests).toHaveLength(2);
});
