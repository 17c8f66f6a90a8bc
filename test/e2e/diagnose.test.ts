import { describe, expect, test } from "vitest";
import { conventionNames, hashNames } from "../../src/wsse/digest.ts";
import { emulate } from "../support/emulate.ts";
import { leaks, planted } from "../support/planted.ts";
import { type GivenInProcess, type Run, runAsChild, runInProcess } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";

const wsse = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret };

interface Found {
  readonly id: string;
  readonly certainty: string;
  readonly message: string;
  readonly fix: string;
}

/** Runs `test --wsse --diagnose --json` and gives what it proved. */
async function diagnose(
  url: string,
  environment: Record<string, string> = {},
  given: GivenInProcess = {},
): Promise<{ run: Run; findings: readonly Found[]; proved: readonly Found[] }> {
  const run = await runInProcess(["test", "--wsse", "--diagnose", "--json"], {
    ...given,
    environment: { ...wsse, REFERRAL_BASE_URL: url, ...environment },
  });
  expect(leaks(run.everything)).toEqual([]);
  expect(run.exitCode).toBe(4);
  const findings: readonly Found[] = JSON.parse(run.stdout).checks[0].findings;
  return { run, findings, proved: findings.filter(({ certainty }) => certainty === "proved") };
}

describe("diagnosis proves", () => {
  test.each([400, -400, 3_600])("a clock that is %i s ahead", async (seconds) => {
    const api = await emulate({ clockOffsetSeconds: -seconds });

    const { proved, findings } = await diagnose(api.url);

    expect(proved).toMatchObject([
      {
        id: "clock",
        message: expect.stringMatching(
          /^accepted with Created corrected by [−+]\d+ s: only this clock is wrong$/,
        ),
      },
    ]);
    expect(findings).toContainEqual(
      expect.objectContaining({ id: seconds > 0 ? "clock-ahead" : "clock-behind", certainty: "measured" }),
    );
    expect(api.log).toHaveLength(3);
  });

  const pairs = conventionNames.flatMap((digest) => hashNames.map((hash) => [digest, hash] as const));
  test.each(pairs.filter(([digest, hash]) => digest !== "text-nonce" || hash !== "sha1"))(
    "the convention %s with %s",
    async (digest, hash) => {
      const api = await emulate({ digest, hash });

      const { proved } = await diagnose(api.url);

      expect(proved).toMatchObject([{ id: "digest-convention" }]);
      if (digest !== "text-nonce") expect(proved[0]?.fix).toContain(`digest: ${digest}`);
      if (hash !== "sha1") expect(proved[0]?.fix).toContain(`hash: ${hash}`);
      expect(api.log.length).toBeLessThanOrEqual(15);
    },
  );

  test("a convention behind a clock that is wrong as well", async () => {
    const api = await emulate({ digest: "hex-digest", hash: "sha512", clockOffsetSeconds: 3_600 });

    const { proved } = await diagnose(api.url);

    expect(proved).toMatchObject([
      { id: "digest-convention", message: expect.stringContaining("with Created corrected by +36") },
    ]);
    expect(proved[0]?.fix).toContain("set this machine's clock by NTP");
  });

  test("a secret that is the token", async () => {
    const api = await emulate({ credentials: { ...planted, secret: planted.token } });

    const { proved } = await diagnose(api.url, {
      REFERRAL_SECRET: "not-the-secret",
      REFERRAL_TOKEN: planted.token,
    });

    expect(proved).toMatchObject([{ id: "token-is-secret" }]);
  });

  test("that the header does not arrive, where the answer without it is the same", async () => {
    const api = await serve((_, response) => json(response, 401, { code: 401, message: "No credentials" }));

    const { proved } = await diagnose(api.url);

    expect(proved).toMatchObject([{ id: "header-ignored" }]);
  });

  test("that nothing looks at credentials, where the request without them is accepted", async () => {
    const api = await serve((request, response) =>
      request.headers["x-wsse"] === undefined
        ? json(response, 200, { code: 200, message: "Hello" })
        : json(response, 401, { code: 401, message: "No" }),
    );

    const { proved } = await diagnose(api.url);

    expect(proved).toMatchObject([{ id: "no-authentication" }]);
    expect(api.requests).toHaveLength(2);
  });
});

describe("diagnosis", () => {
  test("proves nothing where the secret is simply wrong, and says what is ruled out", async () => {
    const api = await emulate();

    const { run, findings, proved } = await diagnose(api.url, {
      REFERRAL_SECRET: "simply-wrong",
      REFERRAL_TOKEN: planted.token,
    });

    expect(proved).toEqual([]);
    expect(findings).toContainEqual(expect.objectContaining({ id: "ruled-out", certainty: "measured" }));
    expect(run.stderr.match(/^diagnosis, request/gm)).toHaveLength(13);
    expect(api.log).toHaveLength(14);
  });

  test("makes at most fourteen requests, each announced with its reason and with a nonce of its own", async () => {
    const api = await serve((request, response) =>
      json(
        response,
        401,
        { code: 401, message: request.headers["x-wsse"] ? "Wrong" : "None" },
        { date: new Date(Date.now() - 400_000).toUTCString() },
      ),
    );

    const { run } = await diagnose(api.url, { REFERRAL_TOKEN: planted.token });

    const headers = api.requests.flatMap((request) => request.headers["x-wsse"] ?? []);
    expect(api.requests).toHaveLength(15);
    expect(new Set(headers.map((header) => /Nonce="([^"]*)"/.exec(String(header))?.[1])).size).toBe(14);
    expect(run.stderr.match(/^diagnosis, request \d+ of at most 14: \S/gm)).toHaveLength(14);
  });

  test("stops where the API no longer answers as before", async () => {
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

  test("makes no further request where the credential is accepted, or where nothing blames it", async () => {
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

  test("of a token asks once, without credentials", async () => {
    const api = await emulate();

    const run = await runInProcess(["test", "--token", "--diagnose"], {
      environment: { REFERRAL_TOKEN: "wrong", REFERRAL_BASE_URL: api.url },
    });

    expect(run.exitCode).toBe(4);
    expect(api.log).toHaveLength(2);
  });

  test("does not try a token of yours where it may not travel", async () => {
    const api = await emulate({ credentials: { ...planted, secret: planted.token } });

    const run = await runAsChild(["test", "--wsse", "--diagnose"], {
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

  test("ends its report with the line to write, in fewer than 12 lines of at most 80 columns", async () => {
    const api = await emulate({ digest: "base64-nonce", clockOffsetSeconds: -400 });

    const run = await runAsChild(["test", "--wsse", "--diagnose"], {
      environment: { ...wsse, REFERRAL_BASE_URL: api.url },
    });

    const lines = run.stdout.trimEnd().split("\n");
    expect(run.exitCode).toBe(4);
    expect(lines.length).toBeLessThan(12);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.findLast((line) => line.startsWith("  try"))).toContain(
      "Write into .referralrc: digest: base64-nonce",
    );
  });
});
