// Compares 600 accounts at a host's name with the same accounts at its address, where DNS takes 20 ms for each answer, and 500
// profiles at a server that takes 50 ms with undici alone. It runs itself again in a network and with a /etc/resolv.conf of its own, so it needs Linux, unshare, ip and mount.
// usage: node scripts/bench-network.ts [launcher]
import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, Worker } from "node:worker_threads";
import { jobsOver, streamOf } from "./bench-accounts.ts";
import { type Command, median, ratio, rounds } from "./measure.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const delayMs = 20;

/** Answers every question for A with 127.0.0.1, and every other question with nothing (RFC 1035, section 4). */
function serveNames(): void {
  const server = createSocket("udp4");
  server.on("message", (query, { port, address }) => {
    const typeAt = query.indexOf(0, 12) + 1;
    const isA = query.readUInt16BE(typeAt) === 1;
    const header = Buffer.from([0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
    const parts = [query.subarray(0, 2), header, query.subarray(12, typeAt + 4), ...(isA ? [record] : [])];
    setTimeout(() => server.send(Buffer.concat(parts), port, address), delayMs);
  });
  server.bind(53, "127.0.0.1");
}

function report(title: string, one: Command, other: Command): void {
  const costs = rounds(new Map(Object.entries({ one, other })), 9, 1);
  const seconds = (which: string): string => (median(costs, "wall", which) / 1000).toFixed(2);
  const [middle = Number.NaN] = ratio(costs, "wall", "one", "other");
  process.stdout.write(`${title}: ${seconds("one")} s, ${seconds("other")} s, ${middle.toFixed(2)} times\n`);
}

async function compare(launcher: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "referral-auth-bench-"));
  execFileSync("ip", ["link", "set", "lo", "up"]);
  writeFileSync(join(folder, "resolv.conf"), "nameserver 127.0.0.1\n");
  execFileSync("mount", ["--bind", join(folder, "resolv.conf"), "/etc/resolv.conf"]);
  const workers = [new Worker(here("bench-network.ts")), new Worker(here("bench-server.ts"))] as const;
  const [{ http }] = await once(workers[1], "message");
  const tool = (url: string, args: readonly string[]): Command => [
    process.execPath,
    [launcher, "test", ...args],
    { HOME: folder, REFERRAL_BASE_URL: url },
  ];
  const lines = [...streamOf(600, folder), "--concurrency", "64", "--insecure-http"];
  report(
    `600 accounts, 64 at once, by name (${delayMs} ms for each DNS answer) and by address`,
    tool(http.replace("127.0.0.1", "api.example"), lines),
    tool(http, lines),
  );
  const profiles = jobsOver(500, folder).get("`test --all`, a token each") ?? [];
  const slow = `${http}/slow`;
  const floor = [here("floor.cjs"), "undici", "500", "16"];
  report(
    "500 profiles, 16 at once, a server that takes 50 ms, and undici alone",
    tool(slow, [...profiles, "--concurrency", "16"]),
    [process.execPath, floor, { REFERRAL_BASE_URL: slow }],
  );
  rmSync(folder, { recursive: true });
  for (const worker of workers) await worker.terminate();
}

const [launcher = here("../bin/launch.cjs"), inside] = process.argv.slice(2);
if (!isMainThread) serveNames();
else if (inside) await compare(launcher);
else {
  const program = [process.execPath, import.meta.filename, launcher, "inside"];
  execFileSync("unshare", ["--map-root-user", "--net", "--mount", ...program], { stdio: "inherit" });
}
