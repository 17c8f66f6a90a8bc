import { setTimeout as delay } from "node:timers/promises";
import { createContext, runInContext } from "node:vm";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { checkCredentials, exitCodeOfError, wsseHeader } from "../../src/index.ts";
import { planted } from "../support/planted.ts";
import { json, serve } from "../support/serve.ts";

const credential = { method: "token", token: planted.token } as const;
afterEach(() => vi.useRealTimers());

describe("a signal", () => {
  test("that ends eleven checks at once has one listener, and none afterwards", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const api = await serve((_request, response) => void delay(50).then(() => json(response, 503, {})));

    const checks = Array.from({ length: 11 }, () =>
      checkCredentials({ baseUrl: api.url, credential, signal }),
    );
    const results = await Promise.all(checks);

    expect(results.map(({ outcome }) => outcome.kind)).toEqual(Array(11).fill("unavailable"));
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
  });

  test("of AbortSignal.timeout ends with the exit code of a deadline", async () => {
    const api = await serve(() => {});

    const error = await checkCredentials({
      baseUrl: api.url,
      credential,
      signal: AbortSignal.timeout(50),
    }).catch((error: unknown) => error);

    expect(exitCodeOfError(error)).toBe(8);
  });

  test("that is already aborted, and one of another realm, end a check", async () => {
    const own = AbortSignal.abort("enough");
    const foreign = {
      aborted: true,
      reason: "enough",
      addEventListener: () => {},
      removeEventListener: () => {},
    };
    for (const signal of [own, foreign as unknown as AbortSignal])
      await expect(checkCredentials({ baseUrl: "http://127.0.0.1:1", credential, signal })).rejects.toBe(
        "enough",
      );
  });
});

test("a nonce of another realm is one", () => {
  const nonce = runInContext("new Uint8Array(20)", createContext()) as Uint8Array;

  expect(wsseHeader({ username: "a", secret: "b" }, { nonce })).toContain(`Nonce="${"00".repeat(20)}"`);
});

test("fake timers replace the deadline and the pause between two attempts", async () => {
  let requests = 0;
  const api = await serve((_request, response) => {
    requests += 1;
    if (requests === 1) json(response, 503, {}, { "retry-after": "20" });
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());

  const result = checkCredentials({ baseUrl: api.url, credential, retries: 1, timeoutSeconds: 30 });
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.waitFor(() => expect(requests).toBe(1));
  await delay(100);
  await vi.advanceTimersByTimeAsync(20_000);
  await vi.waitFor(() => expect(requests).toBe(2));
  await vi.advanceTimersByTimeAsync(30_000);

  expect(await result).toMatchObject({ attempts: 2, outcome: { kind: "timeout", seconds: 30 } });
});
