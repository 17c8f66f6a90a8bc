import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { checkCredentials, createChecker } from "../../src/index.ts";
import { authorityCertificate } from "../faults/authority.ts";
import { emulate } from "../support/emulate.ts";
import { leaks, planted } from "../support/planted.ts";
import { json, serve, success } from "../support/serve.ts";

const credential = { method: "token", token: planted.token } as const;
const wsse = { method: "wsse", username: planted.username, secret: planted.secret } as const;
afterEach(() => vi.useRealTimers());

test("checkCredentials goes through a proxy, takes certificates besides the system's, and sends clear text if that is allowed", async () => {
  const [proxy, caCertificates] = ["127.0.0.1:1", [authorityCertificate]];
  const baseUrl = "https://a.example";
  const byProxy = await checkCredentials({ baseUrl, credential, proxy, caCertificates });
  // A machine without a network may be slow to say so.
  const clear = { baseUrl: "http://a.invalid", insecureHttp: true, timeoutSeconds: 25 };

  expect(byProxy.outcome).toMatchObject({ failure: { at: "proxy", peer: { host: "127.0.0.1" } } });
  expect((await checkCredentials({ ...clear, credential })).outcome.kind).toBe("unreachable");
});

describe("createChecker", () => {
  test("checks credentials with what it was given, each with what it has of its own, in one request", async () => {
    const algorithm = { digest: "hex-digest", hash: "sha512" } as const;
    const api = await emulate(algorithm);
    const checker = createChecker({ baseUrl: api.url });
    const credentials = [credential, { ...wsse, ...algorithm }, wsse] as const;

    const results = await Promise.all(credentials.map((credential) => checker.check(credential)));

    const of = (method: string, kind: string) => ({ method, attempts: 1, outcome: { kind } });
    expect(results).toMatchObject([of("token", "accepted"), of("wsse", "accepted"), of("wsse", "rejected")]);
    expect(api.log).toHaveLength(3);
    expect(leaks(JSON.stringify(results))).toEqual([]);
  });

  test("diagnoses a refused credential if it is told to, and names its own options", async () => {
    const checker = createChecker({ baseUrl: (await emulate({ digest: "hex-digest" })).url });
    const diagnosed = await checker.check(wsse, { diagnose: true });
    const fix = expect.stringContaining("credential.digest to hex-digest");
    expect(diagnosed.findings[0]).toMatchObject({ id: "digest-convention", certainty: "proved", fix });
    const plain = await checker.check(wsse);
    expect(plain.findings.map(({ certainty }) => certainty)).not.toContain("proved");
    expect(JSON.stringify([plain, diagnosed])).not.toMatch(/--\w/);
  });

  test("keeps no answer, nothing that a diagnosis found, and nothing of a secret that the server sends back", async () => {
    let isOpen = true;
    const api = await serve(({ headers: { "x-auth-token": sent } }, response) =>
      isOpen || sent !== undefined
        ? json(response, 200, { ...success, message: `not ${sent}` })
        : json(response, 401, { code: 401, message: "No" }),
    );
    const checker = createChecker({ baseUrl: api.url });

    const first = await checker.check(credential, { diagnose: true });
    isOpen = false;
    const second = await checker.check(credential, { diagnose: true });

    expect(first.outcome.kind).toBe("unexpected");
    expect(second.outcome).toMatchObject({ kind: "accepted", response: { message: "not [secret]" } });
    expect(leaks(JSON.stringify([first, second]))).toEqual([]);
  });
});

describe("a signal", () => {
  test("ends a check while it waits for the answer, or between two attempts, with its reason, and leaves no connection", async () => {
    for (const isBetween of [false, true]) {
      const controller = new AbortController();
      const reason = new Error("enough");
      const api = await serve((_request, response) => {
        if (isBetween) json(response, 503, {}, { "retry-after": "20" });
        void delay(100).then(() => controller.abort(reason));
      });
      const given = {
        baseUrl: api.url,
        credential,
        retries: 1,
        timeoutSeconds: 30,
        signal: controller.signal,
      };
      await expect(checkCredentials(given)).rejects.toBe(reason);
      expect([api.requests.length, await api.openConnections()]).toEqual([1, 0]);
    }
  });

  test("that ends eleven checks at once has one listener, and none afterwards", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const api = await serve((_request, response) => void delay(50).then(() => json(response, 503, {})));

    const given = { baseUrl: api.url, credential, signal };
    const results = await Promise.all(Array.from({ length: 11 }, () => checkCredentials(given)));

    expect(results.map(({ outcome }) => outcome.kind)).toEqual(Array(11).fill("unavailable"));
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
  });

  test("that is already aborted, and one of another realm, end a check", async () => {
    const listeners = { addEventListener: () => {}, removeEventListener: () => {} };
    const foreign = { aborted: true, reason: "enough", ...listeners } as unknown as AbortSignal;
    for (const signal of [AbortSignal.abort("enough"), foreign])
      await expect(checkCredentials({ baseUrl: "http://127.0.0.1:1", credential, signal })).rejects.toBe(
        "enough",
      );
  });
});

test("fake timers replace the deadline and the pause between two attempts", async () => {
  const server = new EventEmitter();
  const [firstClosed, second] = [once(server, "first closed"), once(server, "second")];
  const api = await serve((request, response) => {
    if (api.requests.length > 1) return void server.emit("second");
    // Both ends close the connection: then the client has read the whole answer.
    request.socket.once("close", () => server.emit("first closed"));
    json(response, 503, {}, { "retry-after": "20" });
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

  const result = checkCredentials({ baseUrl: api.url, credential, retries: 1, timeoutSeconds: 30 });
  await firstClosed;
  await vi.advanceTimersByTimeAsync(20_000);
  await second;
  await vi.advanceTimersByTimeAsync(30_000);

  expect(await result).toMatchObject({ attempts: 2, outcome: { kind: "timeout", seconds: 30 } });
});
