// Compares 600 accounts at a host's name with the same accounts at its address. The DNS server takes 20 ms for each answer.
// It runs itself again in a network and with a /etc/resolv.conf of its own, so it needs Linux, unshare, ip and mount.
// usage: node scripts/bench-names.ts [launcher]
import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, Worker } from "node:worker_threads";
import { streamOf } from "./bench-accounts.ts";
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

async function compare(launcher: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "referral-auth-bench-"));
  execFileSync("ip", ["link", "set", "lo", "up"]);
  writeFileSync(join(folder, "resolv.conf"), "nameserver 127.0.0.1\n");
  execFileSync("mount", ["--bind", join(folder, "resolv.conf"), "/etc/resolv.conf"]);
  const workers = [new Worker(here("bench-names.ts")), new Worker(here("bench-server.ts"))] as const;
  const [{ http }] = await once(workers[1], "message");
  const args = [launcher, "test", ...streamOf(600, folder), "--concurrency", "64", "--insecure-http"];
  const at = (url: string): Command => [process.execPath, args, { HOME: folder, REFERRAL_BASE_URL: url }];
  const [name, address] = ["by name", "by address"] as const;
  const commands = new Map([
    [name, at(http.replace("127.0.0.1", "api.example"))],
    [address, at(http)],
  ]);
  const costs = rounds(commands, 9, 1);
  const seconds = (which: string): string => (median(costs, "wall", which) / 1000).toFixed(2);
  const [middle = Number.NaN] = ratio(costs, "wall", name, address);
  process.stdout.write(
    `600 accounts, 64 at once, ${delayMs} ms for each DNS answer: ${seconds(name)} s by name, ${seconds(address)} s by address: ${middle.toFixed(2)} times\n`,
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
