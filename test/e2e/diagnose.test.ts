import { describe, expect, test } from "vitest";
import { maxExperiments } from "../../src/check/experiment-limit.ts";
import { emulate } from "../support/emulate.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";
import { diagnose, wsse } from "./diagnose.ts";

describe("diagnosis", () => {
  test("proves nothing if the secret is simply wrong, and lists the causes that are ruled out", async () => {
    const api = await emulate();

    const { run, findings, proved } = await diagnose(api.url, {
      REFERRAL_SECRET: "simply-wrong",
      REFERRAL_TOKEN: planted.token,
    });

    expect(proved).toEqual([]);
    expect(findings).toContainEqual(expect.objectContaining({ id: "ruled-out", certainty: "measured" }));
    // No paste mistakes to repair, and no accepted request to simplify: three fewer than the maximum.
    expect(run.stderr.match(/^wsse: diagnosis, request/gm)).toHaveLength(maxExperiments - 3);
    expect(api.log).toHaveLength(maxExperiments - 2);
  });

  test.each([0, 400])(
    "makes as many requests as are promised at most, each announced and with a nonce of its own (%i s)",
    async (skew) => {
      let count = 0;
      const api = await serve((request, response) => {
        count += 1;
        // The last convention needs all the changes that were kept.
        const accepted = count === 1 + maxExperiments - (skew === 0 ? 2 : 1);
        json(
          response,
          accepted ? 200 : 401,
          { code: accepted ? 200 : 401, message: request.headers["x-wsse"] ? "Wrong" : "None" },
          { date: new Date(Date.now() - skew * 1000).toUTCString() },
        );
      });

      const { run, proved } = await diagnose(api.url, {
        REFERRAL_TOKEN: planted.token,
        REFERRAL_SECRET: `"${planted.secret}"`,
      });

      expect(proved).toMatchObject([{ id: "digest-convention" }]);

      const headers = api.requests.flatMap((request) => request.headers["x-wsse"] ?? []);
      expect(api.requests).toHaveLength(1 + maxExperiments);
      expect(new Set(headers.map((header) => /Nonce="([^"]*)"/.exec(String(header))?.[1])).size).toBe(
        maxExperiments,
      );
      const announced = [...run.stderr.matchAll(/^wsse: diagnosis, request \d+ of at most (\d+): \S/gm)];
      expect(announced.map(([, most]) => Number(most))).toEqual(Array(maxExperiments).fill(maxExperiments));
    },
  );

  test("stops if the API no longer answers as before", async () => {
    let count = 0;
    const api = await serve((request, response) => {
      count += 1;
      json(response, count > 3 ? 429 : 401, {
        code: 401,
        message: request.headers["x-wsse"] ? "Wrong" : "None",
      });
    });

    const { findings } = await diagnose(api.url);

    expect(api.requests).toHaveLength(4);
    expect(findings).toContainEqual(expect.objectContaining({ id: "diagnosis-stopped" }));
  });

  test("continues if the request without credentials gets no response, which proves nothing", async () => {
    const api = await serve((request, response) =>
      request.headers["x-wsse"] === undefined
        ? request.socket.destroy()
        : json(response, 401, { code: 401, message: "No" }),
    );

    const { proved } = await diagnose(api.url);

    expect(proved).toEqual([]);
    expect(api.requests.length).toBeGreaterThan(1);
  });

  test("makes no further request if the credential is accepted, or if it is not rejected", async () => {
    const api = await emulate();
    const accepted = await runInProcess(["test", "--diagnose"], {
      environment: { ...wsse, REFERRAL_BASE_URL: api.url },
    });
    expect(accepted).toMatchObject({ exitCode: 0, stderr: "" });

    const page = await serve((_, response) => response.writeHead(404).end());
    const missing = await runInProcess(["test", "--diagnose"], {
      environment: { ...wsse, REFERRAL_BASE_URL: page.url },
    });
    expect(missing).toMatchObject({ exitCode: 6, stderr: "" });
    expect(page.requests).toHaveLength(1);
  });

  test("of a token makes one request, without credentials", async () => {
    const api = await emulate();

    const run = await runInProcess(["test", "--token", "--diagnose"], {
      environment: { REFERRAL_TOKEN: "wrong", REFERRAL_BASE_URL: api.url },
    });

    expect(run.exitCode).toBe(4);
    expect(api.log).toHaveLength(2);
  });

  test("shows every request with --verbose", async () => {
    const api = await emulate();

    const { stderr } = await runInProcess(["test", "--token", "--diagnose", "--verbose"], {
      environment: { REFERRAL_TOKEN: "wrong", REFERRAL_BASE_URL: api.url },
    });

    expect(stderr.match(/^> GET /gm)).toHaveLength(2);
  });

  test("proves nothing with a token that is not the secret", async () => {
    const api = await emulate({ accounts: [{ ...planted, secret: planted.token }] });

    const run = await runInProcess(["test", "--wsse", "--diagnose"], {
      environment: {
        REFERRAL_SECRET: "wrong",
        REFERRAL_USERNAME: planted.username,
        REFERRAL_BASE_URL: api.url,
        REFERRAL_TOKEN: "other-token",
      },
    });

    expect(run.exitCode).toBe(4);
    expect(run.stdout).not.toContain("proved");
  });

  test("ends its report with the flag to use, in fewer than 12 lines", async () => {
    const api = await emulate({ digest: "base64-nonce", clockOffsetSeconds: -400 });

    const run = await runInProcess(["test", "--wsse", "--diagnose"], {
      environment: { ...wsse, REFERRAL_BASE_URL: api.url },
    });

    const lines = run.stdout.trimEnd().split("\n");
    expect(run.exitCode).toBe(4);
    expect(lines.length).toBeLessThan(12);
    expect(lines.findLast((line) => line.startsWith("  try"))).toContain("Use --digest base64-nonce");
  });
});
