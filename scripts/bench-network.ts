// Compares 600 accounts at a host's name with the same accounts at its address, where DNS takes 20 ms for each answer, and 500
// profiles at a server that takes 50 ms with undici alone. It runs in a network and with a /etc/resolv.conf of its own, so it needs
// Linux, unshare, ip and mount. usage: node scripts/bench-network.ts
import { execFileSync } from "node:child_process";
import { Worker } from "node:worker_threads";
import { type Command, quartiles, rounds } from "./measure.ts";

const ownNetwork = `ip link set lo up && mount -t tmpfs none /mnt && echo nameserver 127.0.0.1 >/mnt/resolv.conf &&
  mount --bind /mnt/resolv.conf /etc/resolv.conf && exec "$0" "$@"`;
if (process.argv[2] === "inside") await compare();
else {
  const self = [process.execPath, import.meta.filename, "inside"];
  const options = ["--map-root-user", "--net", "--mount", "sh", "-c", ownNetwork, ...self];
  execFileSync("unshare", options, { stdio: "inherit" });
}

function report(title: string, one: Command, other: Command): void {
  const costs = rounds({ one, other }, 9, 1);
  const seconds = (name: string): string => (quartiles(costs, "wall", name).median / 1000).toFixed(2);
  const { median } = quartiles(costs, "wall", "one", "other");
  process.stdout.write(`${title}: ${seconds("one")} s, ${seconds("other")} s, ${median.toFixed(2)} times\n`);
}

async function compare(): Promise<void> {
  // The server can only start in the new network.
  const { floorFile, here, jobsOver, overHttp } = await import("./bench-jobs.ts");
  new Worker(here("bench-names.ts")).unref();
  const node = (url: string, file: string, ...args: readonly string[]): Command => [
    process.execPath,
    [file, ...args],
    { HOME: overHttp.HOME, REFERRAL_BASE_URL: url },
  ];
  const launcher = here("../bin/launch.cjs");
  const http = overHttp.REFERRAL_BASE_URL;
  const lines = jobsOver(600)["`test --accounts --ndjson`"];
  const atOnce = (url: string) =>
    node(url, launcher, "test", ...lines, "--concurrency", "64", "--insecure-http");
  report(
    "600 accounts, 64 at once, by name (20 ms for each DNS answer) and by address",
    atOnce(http.replace("127.0.0.1", "api.example")),
    atOnce(http),
  );
  const profiles = jobsOver(500)["`test --all`, a token each"];
  report(
    "500 profiles, 16 at once, a server that takes 50 ms, and undici alone",
    node(`${http}/slow`, launcher, "test", ...profiles, "--concurrency", "16"),
    node(`${http}/slow`, floorFile, "undici", "500", "16"),
  );
}
