import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exportLines } from "../../src/emulator/session.ts";
import { Interrupted, OutputError } from "../../src/errors.ts";
import { listening, startRun } from "./start-run.ts";
import { credentials, headerWith, now, send, startTestEmulator, wsse } from "./support.ts";

const line = "2026-11-21T03:31:00Z GET /test-authentication";

test("prints how to reach it, answers and logs requests, and ends when it is interrupted", async () => {
  const { variables, url, stdout, stop } = await listening([]);
  const {
    REFERRAL_TOKEN: token = "",
    REFERRAL_USERNAME: username = "",
    REFERRAL_SECRET: secret = "",
  } = variables;
  expect(stdout().replaceAll(/'.*'/g, "")).toBe(
    "export REFERRAL_BASE_URL=\nexport REFERRAL_TOKEN=\nexport REFERRAL_USERNAME=\nexport REFERRAL_SECRET=\n",
  );
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect([token, secret]).toEqual([
    expect.stringMatching(/^[0-9a-f]{40}$/),
    expect.stringMatching(/^[\w-]{24}$/),
  ]);

  expect((await send(url, { headers: { "X-Auth-Token": token } })).status).toBe(200);
  expect((await send(url, { headers: { "X-WSSE": wsse({ username, secret }) } })).status).toBe(200);
  expect((await send(url)).status).toBe(401);
  expect(await stop("SIGTERM")).toEqual([
    `${line} 200 accepted: X-Auth-Token`,
    `${line} 200 accepted: X-WSSE`,
    `${line} 401 missing: neither X-WSSE nor X-Auth-Token was sent`,
  ]);
  await expect(send(url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("uses the given credentials, port and behaviour", async () => {
  const free = await startTestEmulator();
  await free.close();
  const given = { username: "a@b.cd", secret: "s p", digest: "hex-digest", hash: "sha256" } as const;
  const flags = { port: free.port, token: "it's", ...given, "clock-offset": -400, latency: 60 };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { stdout, stop } = await listening([...args, "--explain"]);
  expect(stdout()).toContain("export REFERRAL_TOKEN='it'\\''s'\n");

  const before = performance.now();
  const right = await send(free.url, { headers: { "X-WSSE": wsse({ ...given, now: now - 400_000 }) } });
  expect(performance.now() - before).toBeGreaterThanOrEqual(55);
  const early = await send(free.url, { headers: { "X-WSSE": wsse(given) } });

  expect(right).toMatchObject({ status: 200, headers: { date: "Sat, 21 Nov 2026 03:24:20 GMT" } });
  expect(early.body).toContain("stale: Created is 400 s ahead of this server");
  await stop();
});

const known = Object.entries(credentials).flatMap(([name, value]) => [`--${name}`, value]);
const clock = new Date(now).toISOString();
const shapes = "Nonce is not 40 hexadecimal characters; Created is not of the form YYYY-MM-DDThh:mm:ss+00:00";
const notes = `; note: ${shapes.replace("; ", "; note: ")}`;

test.each([
  [[], `200 accepted: X-WSSE${notes}`, `401 digest: matches sha512; this server expects sha1${notes}`],
  [["--strict"], `401 malformed: ${shapes}`, `401 digest: matches sha512; this server expects sha1${notes}`],
  [["--authorization", "wsse"], "401 authorization: ", "401 authorization: "],
])("%j: logs refusals and notes of unusual shapes", async (args, right, wrong) => {
  const { url, stop } = await listening([...known, ...args]);
  for (const hash of ["sha1", "sha512"] as const) {
    await send(url, { headers: { "X-WSSE": headerWith("abc", clock, { hash })["x-wsse"]?.[0] } });
  }
  const log = await stop();
  expect(log).toHaveLength(2);
  expect(log[0]).toContain(`${line} ${right}`);
  expect(log[1]).toContain(`${line} ${wrong}`);
});

const closed = { isTerminal: false, write: () => Promise.reject(new OutputError("closed")) };

describe("ends", () => {
  test("when it is interrupted while it prints", async () => {
    const controller = new AbortController();
    const write = async (): Promise<void> => controller.abort(new Interrupted("SIGTERM"));
    const run = startRun([], { interrupted: controller.signal, stdout: { isTerminal: false, write } });
    await expect(run.ended).rejects.toMatchObject({ signal: "SIGTERM" });
  });

  test("at once when it was interrupted before the start", async () => {
    const run = startRun([], { interrupted: AbortSignal.abort(new Interrupted("SIGINT")) });
    await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
    expect(run.stdout()).toBe("");
  });

  test("if it cannot print, and leaves no server behind", async () => {
    const free = await startTestEmulator();
    await free.close();
    const run = startRun(["--port", String(free.port)], { stdout: closed });
    await expect(run.ended).rejects.toBeInstanceOf(OutputError);
    expect((await startTestEmulator({ port: free.port })).port).toBe(free.port);
  });
});

test("answers requests even if it cannot write its log", async () => {
  const { url, stop } = await listening([], { stderr: closed });
  expect((await send(url)).status).toBe(401);
  expect((await send(url)).status).toBe(401);
  await stop();
});

test.skipIf(process.platform === "win32")("a shell reads every secret back unchanged", () => {
  const text = fc.stringMatching(/^[\x20-\x7e]+$/);
  fc.assert(
    fc.property(text, (secret) => {
      const script = `${exportLines({ REFERRAL_SECRET: secret })}printf %s "$REFERRAL_SECRET"`;
      expect(execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" })).toBe(secret);
    }),
    { numRuns: 40, examples: [["'"], ["''"], ["$(id)`id`\\'\"!"]] },
  );
});
