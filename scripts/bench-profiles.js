// Many accounts in one process, against the emulator with an added latency, beside xargs -P over curl in the same run.
// usage: node scripts/bench-profiles.js [profiles,…] [concurrency,…]
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const launcher = fileURLToPath(new URL("../bin/launch.cjs", import.meta.url));
const latency = 50;
const print = (line) => process.stdout.write(`${line}\n`);
const numbers = (text, fallback) => (text ? text.split(",").map(Number) : fallback);
const sizes = numbers(process.argv[2], [1, 100, 1_000, 10_000]);
const concurrencies = numbers(process.argv[3], [8, 64]);

const folder = mkdtempSync(join(tmpdir(), "referral-auth-bench-"));
const environment = { PATH: process.env.PATH, HOME: folder };

async function startEmulator() {
  const emulator = spawn(
    process.execPath,
    [launcher, "emulator", "--latency", String(latency), "--token", "t".repeat(40)],
    {
      env: environment,
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  for await (const line of createInterface({ input: emulator.stdout })) {
    const url = /^export REFERRAL_BASE_URL='(.*)'$/.exec(line)?.[1];
    if (url) return { emulator, url };
  }
  throw new Error("the emulator did not start");
}

const ticksPerSecond = 100;

/** The processor time in seconds of a process and of those it has waited for (proc(5): utime, stime, cutime, cstime). */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

const peakMemory = (pid) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Runs a command and gives seconds, seconds of processor time and the peak of its own memory in MB. */
function measure(command, args, input) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(command, args, { env: environment, stdio: ["pipe", "ignore", "inherit"] });
    child.stdin.end(input ?? "");
    const last = { cpu: 0, memory: 0 };
    // A process that has ended tells nothing any more, so the last look before its end counts.
    const look = setInterval(() => {
      try {
        last.memory = peakMemory(child.pid) || last.memory;
        last.cpu = processorTime(child.pid);
      } catch {
        clearInterval(look);
      }
    }, 5);
    child.once("error", reject);
    child.once("exit", (code) => {
      clearInterval(look);
      if (code === 0) resolve({ seconds: (performance.now() - began) / 1000, ...last });
      else reject(new Error(`${command} exited with ${code}`));
    });
  });
}

const { emulator, url } = await startEmulator();
try {
  print(`Node ${process.version}, latency ${latency} ms; ideal = profiles × latency ÷ concurrency`);
  print(
    "| profiles | at once | ideal s | tool s | ratio | tool CPU s | peak MB | xargs + curl s | its CPU s |",
  );
  print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
  for (const concurrency of concurrencies) {
    for (const size of sizes) {
      const rc = join(folder, "rc.json");
      const profiles = Object.fromEntries(
        Array.from({ length: size }, (_, index) => [`account-${index}`, {}]),
      );
      writeFileSync(rc, JSON.stringify({ baseUrl: url, token: "t".repeat(40), profiles }), { mode: 0o600 });
      const tool = await measure(process.execPath, [
        launcher,
        "test",
        "--all",
        "--token",
        "--config",
        rc,
        "--quiet",
        "--concurrency",
        String(concurrency),
      ]);
      const curl = [
        "-fsS",
        "-o",
        "/dev/null",
        "-H",
        `X-Auth-Token: ${"t".repeat(40)}`,
        `${url}/test-authentication`,
      ];
      const lines = Array.from({ length: size }, () => "x\n").join("");
      const peer = await measure("xargs", ["-P", String(concurrency), "-I", "{}", "curl", ...curl], lines);
      const ideal = Math.ceil(size / concurrency) * (latency / 1000);
      const figure = (value, digits = 2) => value.toFixed(digits);
      print(
        `| ${size} | ${concurrency} | ${figure(ideal)} | ${figure(tool.seconds)} | ${figure(tool.seconds / ideal)} | ${figure(tool.cpu)} | ${figure(tool.memory, 0)} | ${figure(peer.seconds)} | ${figure(peer.cpu)} |`,
      );
    }
  }
} finally {
  emulator.kill();
  rmSync(folder, { recursive: true });
}
