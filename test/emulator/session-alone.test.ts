import { describe, expect, test } from "vitest";
import { Interrupted, OutputError } from "../../src/errors.ts";
import { startRun, until, variablesOf } from "./start-run.ts";
import { now, send, startTestEmulator, wsse } from "./support.ts";

describe("without a command", () => {
  test("prints how to reach it, answers and logs requests, and throws the interruption", async () => {
    const run = startRun([]);
    await until(() => run.stdout() !== "");
    const variables = variablesOf(run.stdout());
    expect(run.stdout().split("\n")).toHaveLength(5);
    expect(Object.keys(variables)).toEqual([
      "REFERRAL_BASE_URL",
      "REFERRAL_TOKEN",
      "REFERRAL_USERNAME",
      "REFERRAL_SECRET",
    ]);
    const { REFERRAL_BASE_URL: url = "", REFERRAL_TOKEN: token = "" } = variables;
    const { REFERRAL_USERNAME: username = "", REFERRAL_SECRET: secret = "" } = variables;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([token, secret]).toEqual([
      expect.stringMatching(/^[0-9a-f]{40}$/),
      expect.stringMatching(/^[\w-]{24}$/),
    ]);
    expect(token).not.toBe(secret);

    expect((await send(url, { headers: { "X-Auth-Token": token } })).status).toBe(200);
    expect((await send(url, { headers: { "X-WSSE": wsse({ username, secret }) } })).status).toBe(200);
    expect((await send(url)).status).toBe(401);

    run.interrupt("SIGTERM");
    await expect(run.ended).rejects.toMatchObject({ name: "Interrupted", signal: "SIGTERM" });
    expect(run.stderr()).toBe(
      [
        "2026-11-21T03:31:00Z GET /test-authentication 200 accepted: X-Auth-Token",
        "2026-11-21T03:31:00Z GET /test-authentication 200 accepted: X-WSSE",
        "2026-11-21T03:31:00Z GET /test-authentication 401 missing: neither X-WSSE nor X-Auth-Token was sent",
        "",
      ].join("\n"),
    );
    await expect(send(url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test("uses the given credentials, port and behaviour", async () => {
    const free = await startTestEmulator();
    await free.close();
    const run = startRun([
      ...["--port", String(free.port), "--token", "it's", "--username", "you@example.com", "--secret", "s p"],
      ...[
        "--digest",
        "hex-digest",
        "--hash",
        "sha256",
        "--clock-offset",
        "-400",
        "--latency",
        "60",
        "--explain",
      ],
    ]);
    await until(() => run.stdout() !== "");
    expect(run.stdout()).toContain("export REFERRAL_TOKEN='it'\\''s'\n");
    const given = {
      username: "you@example.com",
      secret: "s p",
      digest: "hex-digest",
      hash: "sha256",
    } as const;

    const before = performance.now();
    const right = await send(free.url, { headers: { "X-WSSE": wsse({ ...given, now: now - 400_000 }) } });
    expect(performance.now() - before).toBeGreaterThanOrEqual(55);
    const early = await send(free.url, { headers: { "X-WSSE": wsse(given) } });

    expect(right).toMatchObject({ status: 200, headers: { date: "Sat, 21 Nov 2026 03:24:20 GMT" } });
    expect(early.body).toContain("stale: Created is 400 s ahead of this server");
    run.interrupt("SIGINT");
    await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
  });

  test("ends when it is interrupted while it prints", async () => {
    const controller = new AbortController();
    const write = async (): Promise<void> => controller.abort(new Interrupted("SIGTERM"));
    const run = startRun([], { interrupted: controller.signal, stdout: { isTerminal: false, write } });
    await expect(run.ended).rejects.toMatchObject({ signal: "SIGTERM" });
  });

  test("ends at once when it was interrupted before the start", async () => {
    const aborted = AbortSignal.abort(new Interrupted("SIGINT"));
    const run = startRun([], { interrupted: aborted });
    await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
    expect(run.stdout()).toBe("");
  });

  test("fails if it cannot print, and leaves no server behind", async () => {
    const free = await startTestEmulator();
    await free.close();
    const broken = { isTerminal: false, write: () => Promise.reject(new OutputError("closed")) };
    await expect(startRun(["--port", String(free.port)], { stdout: broken }).ended).rejects.toBeInstanceOf(
      OutputError,
    );
    expect((await startTestEmulator({ port: free.port })).port).toBe(free.port);
  });

  test("answers requests even if it cannot write its log", async () => {
    const broken = { isTerminal: false, write: () => Promise.reject(new OutputError("closed")) };
    const run = startRun([], { stderr: broken });
    await until(() => run.stdout() !== "");
    const { REFERRAL_BASE_URL: url = "" } = variablesOf(run.stdout());
    expect((await send(url)).status).toBe(401);
    expect((await send(url)).status).toBe(401);
    run.interrupt("SIGINT");
    await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
  });
});
