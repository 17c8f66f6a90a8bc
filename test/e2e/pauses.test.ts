import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { virtualClock } from "../support/clock.ts";
import { json } from "../support/serve.ts";
import { type Answer, accept, place, plain, refuse } from "./profiles.ts";

// test/check/turns.test.ts has the rule. Here servers count, and a clock leaps over the pauses.

/** Answers 429, with a pause unless it is null. */
const limiting =
  (retryAfter: number | null): Answer =>
  (_, response) =>
    json(response, 429, {}, retryAfter === null ? {} : { "retry-after": String(retryAfter) });

const lines = (baseUrl: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify({ baseUrl, token: `t${index}` })}\n`).join(
    "",
  );

/** A server, and a run over its accounts. `seconds` tells how long the pauses of the run took. */
async function servedBy(answerAt: (seconds: () => number) => Answer) {
  const start = Date.now();
  const clock = virtualClock(() => start);
  const seconds = (): number => (clock.now() - start) / 1000;
  const waits: number[] = [];
  const { api, run } = await place({ profiles: plain(4), answer: answerAt(seconds) });
  return {
    api,
    seconds,
    waits,
    run: (args: readonly string[], given = {}) => run(args, { clock, waits, ...given }),
  };
}

/** A server that answers so many requests a second, as a fixed window does. */
const allowing =
  (most: number, retryAfter: number | null) =>
  (seconds: () => number): Answer => {
    let [window, count] = [0, 0];
    return (request, response) => {
      const current = Math.floor(seconds());
      count = current === window ? count + 1 : 1;
      window = current;
      (count <= most ? accept : limiting(retryAfter))(request, response);
    };
  };

/** A pause that ends only when the run does. */
const neverEnding = (_: number, end: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => end.addEventListener("abort", () => reject(end.reason)));

const stream = ["--accounts=-", "--json"];
const waitsFor = "its accounts wait and are asked again, each for at most 60 s (--max-wait)";

test.each([
  [1, "asks for a pause of 1 s (429 with Retry-After)"],
  [null, "limits requests (429)"],
])(
  "150 accounts at a server that allows 15 a second are all accepted, with Retry-After: %s",
  async (retryAfter, said) => {
    const { api, run, seconds } = await servedBy(allowing(15, retryAfter));
    const { checks, stderr } = await run(stream, { stdin: lines(api.url, 150) });
    expect(new Set(checks.map(({ outcome }) => outcome))).toEqual(new Set(["accepted"]));
    expect(checks).toHaveLength(150);
    const attempts = checks.reduce((sum, { request }) => sum + request.attempts, 0);
    expect(attempts).toBe(api.requests.length);
    expect(seconds()).toBe(9);
    expect(stderr).toBe(`${api.url} ${said}: ${waitsFor}\n`);
  },
);

const gone =
  "gets no further request: the server answered nothing but 429 (too many requests) for as long as --max-wait allows (60 s)";

test.each([
  [45, 90, "asks for a pause of 45 s (429 with Retry-After)"],
  [null, 63, "limits requests (429)"],
])(
  "a server that answers nothing but 429, with Retry-After: %s, is given up after %i s",
  async (retryAfter, after, said) => {
    const { api, run, seconds, waits } = await servedBy(() => limiting(retryAfter));
    const { exitCode, checks, document, stderr } = await run(stream, { stdin: lines(api.url, 150) });
    expect([exitCode, checks.length, seconds()]).toEqual([5, 150, after]);
    const pauses = waits.filter((wait) => wait > 0).length;
    expect(api.requests.length).toBeLessThanOrEqual(8 * (pauses + 1));
    expect(stderr).toBe(`${api.url} ${said}: ${waitsFor}\n${api.url} ${gone}\n`);
    expect(document).toMatchObject({ notChecked: 0, error: null });
    const asked = checks.filter(({ request }) => request.attempts > 0);
    for (const { outcome, findings } of asked) {
      expect(outcome).toBe("unavailable");
      const reason = { id: "rate-limit", message: expect.stringContaining("--max-wait") };
      expect(findings).toContainEqual(expect.objectContaining(reason));
    }
    const notSent = { outcome: "unavailable", response: null, failure: null, connection: null };
    for (const one of checks.filter(({ request }) => request.attempts === 0))
      expect(one).toMatchObject({ ...notSent, findings: [{ id: "not-sent", certainty: "measured" }] });
  },
);

test("130 accounts of an origin that waits hold back none of another origin's 200 behind them", async () => {
  const { api: free } = await place();
  const before: number[] = [];
  const { api, run, seconds } = await servedBy((seconds) => (request, response) => {
    if (seconds() >= 30 && before.length === 0) before.push(free.requests.length);
    (seconds() < 30 ? limiting(30) : accept)(request, response);
  });
  const stdin = lines(api.url, 130) + lines(free.url, 200);
  const { exitCode, stderr } = await run([...stream, "--quiet"], { stdin });
  expect([exitCode, seconds(), before]).toEqual([0, 30, [200]]);
  expect(stderr).toContain("asks for a pause of 30 s");
});

test("a request of a diagnosis that gets 429 ends it, and holds back the other accounts", async () => {
  const times: string[] = [];
  const { api, run } = await servedBy((seconds) => (request, response) => {
    const token = request.headers["x-auth-token"] ?? "none";
    times.push(`${seconds()} ${token}`);
    if (token === "none" && seconds() < 5) limiting(5)(request, response);
    else (token === "t0" ? refuse : accept)(request, response);
  });
  const stdin = lines(api.url, 2);
  const args = [...stream, "--diagnose", "--concurrency=1", "--retry=3"];
  const { checks, stderr } = await run(args, { stdin });
  expect(times).toEqual(["0 t0", "0 none", "5 t1", "5 none"]);
  expect(checks[0]).toMatchObject({ outcome: "rejected", request: { attempts: 1 } });
  expect(checks[0]?.findings[0]).toMatchObject({ id: "diagnosis-stopped" });
  expect(stderr).toContain(`${api.url} asks for a pause of 5 s (429 with Retry-After): ${waitsFor}\n`);
});

test("a signal ends a pause at once, and what waits is not checked", async () => {
  const { api, run, seconds } = await servedBy(allowing(1, 60));
  const controller = new AbortController();
  const push = (): unknown => setTimeout(() => controller.abort(new Interrupted("SIGINT")), 100);
  const { signal: interrupted } = controller;
  const args = ["--all", "--concurrency=1", "--quiet", "--json"];
  const clock = { now: Date.now, wait: neverEnding };
  const { document, stderr } = await run(args, { clock, waits: { push }, interrupted });
  const checks = [{ outcome: "accepted" }];
  expect(document).toMatchObject({ exitCode: 130, checks, notChecked: 3 });
  expect([api.requests.length, seconds()]).toEqual([2, 0]);
  expect(stderr).toContain("asks for a pause of 60 s");
});

test("a single account does not wait unasked, and one of several does", async () => {
  const { api, run, waits } = await servedBy(
    (seconds) =>
      (...given) =>
        (seconds() < 5 ? limiting(5) : accept)(...given),
  );
  expect(await run(["--profile=p1", "--quiet"])).toMatchObject({ exitCode: 5, stderr: "" });
  expect([api.requests.length, waits]).toEqual([1, []]);
  const { exitCode, stderr } = await run(["--all", "--quiet"]);
  expect([exitCode, api.requests.length, waits]).toEqual([0, 9, [5_000]]);
  expect(stderr).toContain("; of 4 accounts, 4 are left\n");
});
