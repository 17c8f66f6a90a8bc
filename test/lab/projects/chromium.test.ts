// Pages in a real browser: one under test asks the emulator from another port of loopback; those of others get nothing.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tool } from "./project.ts";

const { startEmulator } = tool("referral-auth/emulator");
const { authHeaders } = tool("referral-auth");

/** A request of a page: its URL, and what it sends. */
type Asked = readonly [url: string, headers?: Readonly<Record<string, string>>, method?: string];

/** Asks as a page does, and tells its own server what it could read: a status, or `nothing`. */
const script = `
const read = [];
for (const [url, headers = {}, method = "GET"] of ASKED)
  read.push(await fetch(url, { method, headers }).then(({ status }) => status, () => "nothing"));
await fetch("/read", { method: "POST", body: JSON.stringify(read) });`;

/** Opens a page of this host in Chromium, whose name leads to this machine, and resolves with what its requests could read. */
async function readBy(host: string, asked: readonly Asked[]): Promise<unknown> {
  const html = `<!doctype html><script type="module">${script.replace("ASKED", JSON.stringify(asked))}</script>`;
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : null;
  const profile = mkdtempSync(join(tmpdir(), "referral-auth-chromium-"));
  const browser = spawn(
    "chromium",
    [
      ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
      ...[`--user-data-dir=${profile}`, "--host-resolver-rules=MAP *.example 127.0.0.1"],
      `http://${host}:${port}/`,
    ],
    { stdio: "ignore" },
  );
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    const ended = once(browser, "exit");
    browser.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  return new Promise((resolve, reject) => {
    browser.once("error", reject);
    server.on("request", async (request, response) => {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      response.setHeader("Content-Type", "text/html").end(request.url === "/" ? html : "");
      if (request.url === "/read") resolve(JSON.parse(body));
    });
  });
}

async function start(options: object = {}) {
  const emulator = await startEmulator({ control: true, ...options });
  onTestFinished(() => emulator.close());
  const [{ token, username, secret }] = emulator.accounts;
  const wsse = (): Readonly<Record<string, string>> => authHeaders({ method: "wsse", username, secret });
  return { emulator, wsse, byToken: { "X-Auth-Token": token, "Content-Type": "application/json" } };
}

test.each(["localhost", "127.0.0.1"])(
  "a page of %s, on another port, checks both methods and reads refusals, and steers nothing",
  async (host) => {
    const { emulator, wsse, byToken } = await start();
    emulator.answers([{ status: 503 }, {}]);
    const [url, steering] = [`${emulator.url}/test-authentication`, `${emulator.url}/__emulator`];
    const mixed = url.replace("127.0.0.1", "localhost");
    const read = await readBy(host, [
      ...([
        [url, byToken],
        [url, byToken],
        [mixed, wsse()],
        [url],
        [mixed, { "X-Auth-Token": "other" }],
      ] as const),
      ...([[`${steering}/requests`], [`${steering}/answers`, {}, "DELETE"], [`${steering}/health`]] as const),
      [url, byToken],
    ]);
    expect(read).toEqual([503, 200, 200, 401, 401, "nothing", "nothing", "nothing", 200]);
  },
);

test("a page of others reads nothing, neither across origins nor by a name that was bound anew, and uses nothing up", async () => {
  const { emulator, byToken } = await start();
  emulator.answers([{ status: 418 }]);
  const url = `${emulator.url}/test-authentication`;
  const rebound = url.replace("127.0.0.1", "evil.example");
  const read = await readBy("evil.example", [
    ...([[url, byToken], [url], [rebound, byToken], [rebound], [url, {}, "POST"]] as const),
    [`${emulator.url}/__emulator/answers`, {}, "DELETE"],
  ]);
  expect(read).toEqual(Array(6).fill("nothing"));
  expect(emulator.answersLeft).toEqual([{ status: 418 }]);
  const statuses = emulator.requests.map(({ status }: { status: number }) => status);
  expect(statuses.every((status: number) => status === 403 || status === 421)).toBe(true);
  expect(statuses).toContain(421);
});
