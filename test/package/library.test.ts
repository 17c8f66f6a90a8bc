import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { checkCredentials, exitCodeOf, InputError } from "../../src/index.ts";
import { authorityCertificate } from "../faults/authority.ts";
import { emulate } from "../support/emulate.ts";
import { leaks, planted } from "../support/planted.ts";
import { json, serve } from "../support/serve.ts";

const token = { method: "token", token: planted.token } as const;
const wsse = { method: "wsse", username: planted.username, secret: planted.secret } as const;

/** What the promise was rejected with. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );

describe("checkCredentials", () => {
  test.each([token, wsse])("finds $method accepted, in one request", async (credential) => {
    const api = await emulate();

    const result = await checkCredentials({ baseUrl: api.url, credential });

    expect(result).toMatchObject({ method: credential.method, attempts: 1, outcome: { kind: "accepted" } });
    expect(api.log).toHaveLength(1);
    expect(leaks(JSON.stringify(result))).toEqual([]);
  });

  test("resolves with a refusal, and with nothing of the secret that the server sends back", async () => {
    const api = await serve((request, response) =>
      json(response, 401, { code: 401, message: `not ${request.headers["x-auth-token"]}` }),
    );

    const result = await checkCredentials({ baseUrl: api.url, credential: token });

    expect(result.outcome).toMatchObject({ kind: "rejected", response: { message: "not [secret]" } });
    expect(exitCodeOf[result.outcome.kind]).toBe(4);
    expect(leaks(JSON.stringify(result))).toEqual([]);
  });

  test.each(["while it waits for the answer", "between two attempts"])(
    "rejects with the signal's reason %s, and leaves no connection",
    async (moment) => {
      const controller = new AbortController();
      const reason = new Error("enough");
      const api = await serve((_request, response) => {
        if (moment === "between two attempts") json(response, 503, {}, { "retry-after": "20" });
        void delay(100).then(() => controller.abort(reason));
      });

      const ended = rejection(
        checkCredentials({
          baseUrl: api.url,
          credential: token,
          retries: 1,
          timeoutSeconds: 30,
          signal: controller.signal,
        }),
      );

      expect(await ended).toBe(reason);
      expect(api.requests).toHaveLength(1);
      expect(await api.openConnections()).toBe(0);
    },
  );

  const of = (changes: object) => ({ credential: { ...token, ...changes } });
  const ofWsse = (changes: object) => ({ credential: { ...wsse, ...changes } });
  test.each([
    [{ baseUrl: "api.example.com" }, "baseUrl does not begin with"],
    [{ baseUrl: `https://${planted.token}@a.example` }, "baseUrl contains user"],
    [{ baseUrl: "http://a.example" }, "baseUrl uses http://"],
    [{ baseUrl: undefined }, "baseUrl is missing"],
    [{ baseUrl: "" }, "baseUrl is empty"],
    [{ proxy: "" }, "proxy is empty"],
    [{ proxy: "http://p.example" }, "proxy could read"],
    [{ baseUrl: "https://a.example", proxy: "socks://p.example" }, "proxy "],
    [{ credential: undefined }, "credential is missing"],
    [of({ token: "" }), "credential.token is empty"],
    [of({ token: undefined }), "credential.token is missing"],
    [of({ token: `${planted.token}\n` }), "white space"],
    [of({ method: "basic" }), "credential.method is neither"],
    [ofWsse({ secret: ` ${planted.secret}` }), "white space"],
    [ofWsse({ username: undefined }), "credential.username is missing"],
    [ofWsse({ username: 'a"b' }), "credential.username contains"],
    [ofWsse({ digest: "md5" }), "credential.digest is not one"],
    [ofWsse({ hash: "md5" }), "credential.hash is not one of"],
    [{ timeoutSeconds: Number.NaN }, "timeoutSeconds is not a number"],
    [{ retries: 0.5 }, "retries is not a whole number"],
    [{ caCertificates: [planted.secret] }, "caCertificates[0] holds no PEM certificate"],
  ])("refuses %j, sends nothing and repeats no secret", async (options, message) => {
    const api = await serve((_request, response) => json(response, 200, {}));
    const given = { baseUrl: api.url, credential: token, ...options };

    // Programs without types can pass anything.
    const error = await rejection(checkCredentials(given as Parameters<typeof checkCredentials>[0]));

    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toContain(message);
    expect(leaks(`${(error as InputError).message} ${(error as InputError).hint}`)).toEqual([]);
    expect(api.connections()).toBe(0);
  });

  test("goes through a proxy, and takes certificates besides the system's", async () => {
    const result = await checkCredentials({
      baseUrl: "https://a.invalid",
      credential: token,
      proxy: "127.0.0.1:1",
      caCertificates: [authorityCertificate],
    });

    expect(result.outcome).toMatchObject({
      kind: "unreachable",
      failure: { kind: "proxy", host: "127.0.0.1" },
    });
  });

  test("sends clear text to another host where that is allowed", async () => {
    const result = await checkCredentials({
      baseUrl: "http://a.invalid",
      credential: token,
      insecureHttp: true,
      // A machine without a network may be slow to say so.
      timeoutSeconds: 25,
    });

    expect(result.outcome.kind).toBe("unreachable");
  });
});
