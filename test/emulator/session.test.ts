import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exportLines } from "../../src/emulator/session.ts";
import { Interrupted, OutputError } from "../../src/errors.ts";
import { listening, now, send, startRun, startTestEmulator, wsse } from "./support.ts";

const line = "2026-11-21T03:31:00Z GET /test-authentication";
const closed = { isTerminal: false, write: () => Promise.reject(new OutputError("closed")) };

/** A port that nobody has open. */
async function freePort(): Promise<number> {
  const { port, close } = await startTestEmulator();
  await close();
  return port;
}

test("prints how to reach it, answers and logs requests, and ends when it is interrupted", async () => {
  const { variables, url, stdout, stop } = await listening([]);
  const { REFERRAL_TOKEN: token, REFERRAL_USERNAME: username = "", REFERRAL_SECRET: secret = "" } = variables;
  expect(stdout().replaceAll(/'.*'/g, "")).toBe(
    "export REFERRAL_BASE_URL=\nexport REFERRAL_TOKEN=\nexport REFERRAL_USERNAME=\nexport REFERRAL_SECRET=\n",
  );
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
  const port = await freePort();
  const own = { username: "a@b.cd", secret: "s p", digest: "hex-digest", hash: "sha256" } as const;
  const flags = { port, token: "it's", ...own, "clock-offset": -400, latency: 60 };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { stdout, stop } = await listening([...args, "--explain", "--strict"]);
  expect(stdout()).toContain("export REFERRAL_TOKEN='it'\\''s'\n");

  const url = `http://127.0.0.1:${port}`;
  const before = performance.now();
  const right = await send(url, { headers: { "X-WSSE": wsse({ ...own, now: now - 400_000 }) } });
  expect(performance.now() - before).toBeGreaterThanOrEqual(55);
  const early = await send(url, { headers: { "X-WSSE": wsse(own) } });
  const unusual = wsse({ ...own, now: now - 400_000 }).replace('Username="', 'Username= "');
  const strict = await send(url, { headers: { "X-WSSE": unusual } });
  expect(right).toMatchObject({ status: 200, headers: { date: "Sat, 21 Nov 2026 03:24:20 GMT" } });
  const stale = "stale: Created is 400 s ahead of this server";
  expect(early.body).toContain(stale);
  expect(strict.body).toContain("malformed: X-WSSE does not have the form ");
  // The log has the real time.
  const reasons = ["200 accepted: X-WSSE", `401 ${stale}`, "401 malformed: "];
  expect(await stop()).toEqual(reasons.map((reason) => expect.stringContaining(`${line} ${reason}`)));
});

test.each([
  [["--quiet"], 0],
  [["--quiet", "--json"], 0],
  [[], 1],
])("%j logs %i lines", async (args, lines) => {
  const { url, stdout, stop } = await listening(args);
  expect((await send(url)).status).toBe(401);
  expect([
    ...(await stop()),
    ...stdout()
      .split("\n")
      .slice(args.includes("--json") ? 2 : 99),
  ]).toHaveLength(lines);
});

const advice = "Paste these lines into a second terminal; Ctrl-C stops the emulator:";

test.each<[readonly string[], boolean, readonly string[]]>([
  [[], true, [advice]],
  [[], false, []],
  [["--json"], true, []],
])("%j on a terminal (%s) says what to do with the lines", async (args, isTerminal, lines) => {
  const texts: string[] = [];
  const write = async (text: string): Promise<void> => void texts.push(text);
  await (await listening(args, { stderr: { isTerminal, write } })).stop();
  expect(texts.join("").split("\n").slice(0, -1)).toEqual(lines);
});

const machines = /^Warning: every machine that reaches this one can use port \d+ and its accounts \(/;
const pages = /^Warning: web pages of api, api:80 can reach this server \(/;

test.each([
  [["--host", "0.0.0.0"], [expect.stringMatching(machines)]],
  [["--allow-host", "api", "--allow-host", "API:80"], [expect.stringMatching(pages)]],
  [["--host", "127.0.0.2"], []],
])("%j warns of those who can reach it", async (args, warnings) => {
  expect(await (await listening(args)).stop()).toEqual(warnings);
});

test("ends when it is interrupted while it prints", async () => {
  const controller = new AbortController();
  const write = async (): Promise<void> => controller.abort(new Interrupted("SIGTERM"));
  const run = startRun([], { interrupted: controller.signal, stdout: { isTerminal: false, write } });
  await expect(run.ended).rejects.toMatchObject({ signal: "SIGTERM" });
});

test("ends at once when it was interrupted before the start", async () => {
  const run = startRun([], { interrupted: AbortSignal.abort(new Interrupted("SIGINT")) });
  await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
  expect(run.stdout()).toBe("");
});

test("ends if it cannot print, and leaves no server behind", async () => {
  const port = await freePort();
  const run = startRun(["--port", String(port)], { stdout: closed });
  await expect(run.ended).rejects.toBeInstanceOf(OutputError);
  expect((await startTestEmulator({ port })).port).toBe(port);
});

test("answers requests even if it cannot write its log", async () => {
  const { url, stop } = await listening([], { stderr: closed });
  expect([(await send(url)).status, (await send(url)).status]).toEqual([401, 401]);
  await stop();
});

test.skipIf(process.platform === "win32")("a shell reads every secret back unchanged", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\x20-\x7e]+$/), (secret) => {
      const script = `${exportLines({ REFERRAL_SECRET: secret })}printf %s "$REFERRAL_SECRET"`;
      expect(execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" })).toBe(secret);
    }),
    { numRuns: 40, examples: [["'"], ["''"], ["$(id)`id`\\'\"!"]] },
  );
});
