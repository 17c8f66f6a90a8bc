import { expect, test } from "vitest";
import { meansOf } from "../../src/check/attempt.ts";
import { type Admission, contextOfRun } from "../../src/check/check-context.ts";
import type { Route } from "../../src/http/send.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { Secret } from "../../src/settings/secret.ts";
import { json, serve } from "../support/serve.ts";

const spare = new Secret("planted-token");

/** The means of a check at a server that refuses all requests, and what they do. A run can be interrupted. */
async function means(spareToken = async (): Promise<Secret | null> => spare, more: Partial<Admission> = {}) {
  const events: string[] = [];
  const api = await serve((_, response) => {
    events.push("request");
    json(response, 401, { code: 401, message: "No planted-token" });
  });
  const check: Parameters<typeof meansOf>[0] = {
    baseUrl: new URL(api.url),
    address: null,
    proxy: null,
    extraCertificates: [],
    timeoutSeconds: 10,
    redact: redactorOf([]),
    spareToken,
  };
  const run = new AbortController();
  const reason = new Error("interrupted");
  const context = contextOfRun({
    now: Date.now,
    randomBytes: (size) => new Uint8Array(size),
    wait: async () => {},
    interrupted: run.signal,
    maxWaitSeconds: 60,
  });
  const aside: Admission["aside"] = (wait) => {
    events.push("aside");
    return wait();
  };
  const admission = { ...context.admission, aside, ...more };
  const of = (own: typeof check) =>
    meansOf(
      own,
      { ...context, admission },
      async (message) => void events.push(message),
      async ({ outcome }) => void events.push(outcome.kind),
    );
  const baseUrl = new URL("https://api.example.com");
  const others = (other: Partial<Route>) => of({ ...check, baseUrl, ...other });
  return { means: of(check), others, events, api, reason, interrupt: () => run.abort(reason) };
}

const bare = { credential: null, shiftSeconds: 0 };

test("a request is announced before it goes out, and observed after it", async () => {
  const { means: made, events, api } = await means();
  const attempt = await made.request("the first", bare);
  const outcome = { kind: "rejected", response: { message: "No planted-token" } };
  expect(attempt).toMatchObject({ outcome });
  expect(events).toEqual(["the first", "request", "rejected"]);
  expect(api.requests[0]?.headers).not.toHaveProperty("x-auth-token");
});

test("once the spare token is read, no response shows it", async () => {
  const { means: made } = await means();
  expect(await made.spareToken()).toBe(spare);
  const attempt = await made.request("the first", bare);
  expect(attempt).toMatchObject({ outcome: { response: { message: "No [secret]" } } });
});

test("after an interruption, requests and the spare token are null, and nothing is observed", async () => {
  let ended = (_: Error): void => {};
  const run = await means(() => new Promise((_, reject) => (ended = reject)));
  const reading = run.means.spareToken();
  run.interrupt();
  ended(run.reason);
  expect(await reading).toBeNull();
  expect(await run.means.request("the first", bare)).toBeNull();
  expect(run.events).toEqual(["the first"]);
});

test("a request that a pause holds back for good is neither announced nor sent", async () => {
  const notSent = { message: "a pause", hint: "Check again later" };
  const { means: made, events } = await means(undefined, { admitted: async () => notSent });
  expect([await made.request("the first", bare), events]).toEqual([notSent, []]);
});

test("a bug is no interruption", async () => {
  const { means: made } = await means(() => Promise.reject(new Error("a bug")));
  await expect(made.spareToken()).rejects.toThrow("a bug");
});

const proxied = { proxy: new URL("http://proxy.example") };
test.each<[Partial<Route>, Partial<Route>, asked: number]>([
  [proxied, proxied, 1],
  [{ extraCertificates: ["a"] }, { extraCertificates: ["a", "b"] }, 2],
  [{}, { baseUrl: new URL("https://api.example.com/other") }, 2],
  [proxied, { proxy: new URL("http://me:password@proxy.example") }, 2],
])("the checks of one URL and route share one answer: %j, %j", async (one, other, expected) => {
  const { means: made, others, events } = await means();
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return true;
  };
  expect(await Promise.all([one, other].map((route) => others(route).once(ask)))).toEqual([true, true]);
  // The one that does not ask leaves its place.
  expect([asked, events]).toEqual([expected, Array(2 - expected).fill("aside")]);
  expect(await made.once(async () => false)).toBe(false);
});
