import { describe, expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const token = { REFERRAL_TOKEN: planted.token };
const wsse = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret };

describe("a run with a given clock, nonce or signal", () => {
  test("a clock ahead of the server is measured, and the secret never printed", async () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    const api = await serve((_request, response) => {
      response.sendDate = false;
      json(response, 401, { code: 401, message: "No" }, { date: new Date(now - 400_000).toUTCString() });
    });

    const result = await runInProcess(["test", "--wsse"], {
      now,
      environment: { ...wsse, REFERRAL_BASE_URL: api.url },
    });

    expect(result).toMatchObject({ exitCode: 4, stderr: "" });
    expect(result.stdout).toContain("measured  this clock is 6 minutes 40 seconds ahead of the server");
    expect(leaks(result.everything)).toEqual([]);
    expect(api.requests).toHaveLength(1);
  });

  test("the X-WSSE header is made of the given clock and nonce", async () => {
    const api = await serve((_request, response) => json(response, 200, success));

    await runInProcess(["test", "--wsse"], {
      now: Date.parse("2014-06-06T20:12:52Z"),
      nonce: Buffer.from("09579a3b30e86b94d887c037b76476baf1bf2519", "hex"),
      environment: {
        REFERRAL_USERNAME: "test@example.com",
        REFERRAL_SECRET: "0123456789abcdef0123456789abcdef01234567",
        REFERRAL_BASE_URL: api.url,
      },
    });

    // The digest is that of a public implementation: test/wsse/vectors.json, case "doc-shape".
    expect(api.requests[0]?.headers["x-wsse"]).toBe(
      'UsernameToken Username="test@example.com", PasswordDigest="2f+gfCGqVPqgf0/Lw+RVbp488YU=", ' +
        'Nonce="09579a3b30e86b94d887c037b76476baf1bf2519", Created="2014-06-06T20:12:52+00:00"',
    );
  });

  test("every request has a nonce and a connection of its own", async () => {
    const api = await serve((_request, response) => json(response, 200, success));
    const given = { environment: { ...wsse, REFERRAL_BASE_URL: api.url } };

    await runInProcess(["test", "--wsse"], given);
    await runInProcess(["test", "--wsse"], { ...given, nonce: Buffer.alloc(20, 9) });

    expect(new Set(api.requests.map(({ headers }) => headers["x-wsse"])).size).toBe(2);
    expect(api.connections()).toBe(2);
  });

  test("an interrupted run exits 129, 130 or 143 and says what was not checked", async () => {
    for (const [signal, exitCode] of [
      ["SIGHUP", 129],
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      const controller = new AbortController();
      const api = await serve(() => controller.abort(new Interrupted(signal)));
      const result = await runInProcess(["test"], {
        environment: { ...token, REFERRAL_BASE_URL: api.url },
        interrupted: controller.signal,
      });
      expect(result).toMatchObject({ exitCode, everything: "interrupted: 0 accepted, 1 not checked\n" });
    }
  });
});
