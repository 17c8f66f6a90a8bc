import { describe, expect, test } from "vitest";
import { authHeaders, type CheckerOptions, createChecker } from "../../src/index.ts";
import { startEmulator } from "../../src/library/emulator.ts";
import { emulate } from "../support/emulate.ts";
import { leaks, planted } from "../support/planted.ts";
import { json, serve, success } from "../support/serve.ts";

const token = { method: "token", token: planted.token } as const;
const wsse = { method: "wsse", username: planted.username, secret: planted.secret } as const;

describe("createChecker", () => {
  test("checks credentials with what it was given, each with what it has of its own", async () => {
    const algorithm = { digest: "hex-digest", hash: "sha512" } as const;
    const api = await emulate(algorithm);
    const checker = createChecker({ baseUrl: api.url });
    const credentials = [token, { ...wsse, ...algorithm }, wsse] as const;

    const results = await Promise.all(credentials.map((credential) => checker.check(credential)));

    expect(results.map(({ outcome }) => outcome.kind)).toEqual(["accepted", "accepted", "rejected"]);
    expect(leaks(JSON.stringify(results))).toEqual([]);
  });

  const baseUrl = "https://a.example";
  test.each([
    [{}, "baseUrl is missing", /^Give the URL of the API/],
    [{ baseUrl, timeout: 5 }, 'options has no field "timeout"', /^Did you mean timeoutSeconds\?/],
    [{ baseUrl, retry: 5 }, 'options has no field "retry"', /^Did you mean retries\?/],
    [{ baseUrl, caCert: "" }, 'has no field "caCert"', /^Did you mean caCertificates\?/],
    [{ baseUrl, timeoutSeconds: 0 }, "timeoutSeconds is not a number from 0.001", /^Write/],
    [{ baseUrl, proxy: "ftp://a" }, "proxy ", /./],
  ])("refuses %j at once", (options, message, hint) => {
    expect(() => createChecker(options as CheckerOptions)).toThrow(
      expect.objectContaining({
        name: "InputError",
        message: expect.stringContaining(message),
        hint: expect.stringMatching(hint),
      }),
    );
  });

  test("diagnoses a refused credential if it is told to, and names its own options", async () => {
    const api = await emulate({ digest: "hex-digest" });
    const checker = createChecker({ baseUrl: api.url });

    const plain = await checker.check(wsse);
    const diagnosed = await checker.check(wsse, { diagnose: true });

    expect(plain.findings.map(({ certainty }) => certainty)).not.toContain("proved");
    expect(diagnosed.findings[0]).toMatchObject({
      id: "digest-convention",
      certainty: "proved",
      fix: expect.stringContaining("credential.digest to hex-digest"),
    });
    expect(JSON.stringify([plain, diagnosed])).not.toMatch(/--\w/);
  });

  test("keeps no answer: each check makes its own request", async () => {
    let status = 401;
    const api = await serve((_request, response) => json(response, status, { code: status, message: "m" }));
    const checker = createChecker({ baseUrl: api.url });

    const first = await checker.check(token);
    status = 200;
    const second = await checker.check(token);

    expect([first.outcome.kind, second.outcome.kind]).toEqual(["rejected", "accepted"]);
    expect(api.connections()).toBe(2);
  });
});

test("a checker keeps nothing that a diagnosis found", async () => {
  let isOpen = true;
  const api = await serve((request, response) =>
    isOpen || request.headers["x-auth-token"] !== undefined
      ? json(response, 200, success)
      : json(response, 401, { code: 401, message: "No" }),
  );
  const checker = createChecker({ baseUrl: api.url });

  const first = await checker.check(token, { diagnose: true });
  isOpen = false;
  const second = await checker.check(token, { diagnose: true });

  expect([first.outcome.kind, second.outcome.kind]).toEqual(["unexpected", "accepted"]);
});

describe("authHeaders", () => {
  const freshness = { now: 0, nonce: new Uint8Array(20) };
  const header =
    /^UsernameToken Username="[^"]+", PasswordDigest="[^"]+", Nonce="0{40}", Created="1970-01-01T00:00:00\+00:00"$/;

  test.each([
    [token, { "X-Auth-Token": planted.token }],
    [wsse, { "X-WSSE": expect.stringMatching(header) }],
    [
      { ...wsse, authorization: "wsse" },
      { "X-WSSE": expect.stringMatching(header), Authorization: 'WSSE profile="UsernameToken"' },
    ],
  ] as const)("gives all fields of %#", (credential, fields) => {
    expect(authHeaders(credential, freshness)).toEqual(fields);
  });

  test("sends a nonce that is given as it is", () => {
    const nonce = new Uint8Array(20).fill(255);
    const fields = authHeaders({ ...wsse, digest: "base64-nonce" }, { nonce });

    expect(fields["X-WSSE"]).toContain(`Nonce="${Buffer.from(nonce).toString("base64")}"`);
  });

  test("takes an account of an emulator, and gives what it accepts", async () => {
    const emulator = await startEmulator({ accounts: [{ digest: "base64-nonce", authorization: "wsse" }] });
    for (const account of emulator.accounts) {
      const headers = authHeaders({ method: "wsse", ...account });
      expect((await fetch(`${emulator.url}/test-authentication`, { headers })).status).toBe(200);
    }
    await emulator.close();
  });
});
