// How long commands take as whole processes. Each round runs all of them beside the floor, some lines of node:http (or
// node:https, trusting Node's roots and one certificate) on the same Node, so that a slow moment of the machine hits all alike; what counts is the median of the rounds' ratios.
// usage: referral-auth emulator -- node scripts/bench-start.js [--rounds n] [--limit ratio] [--launcher file] [line,…]
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, type } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options, positionals: lines } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "40" },
    // With a limit for the ratio of the main job alone, three attempts are made to keep it.
    limit: { type: "string" },
    launcher: { type: "string", default: here("../bin/launch.cjs") },
  },
});

const folder = mkdtempSync(join(tmpdir(), "referral-auth-bench-"));
const { PATH, REFERRAL_BASE_URL, REFERRAL_TOKEN, REFERRAL_USERNAME, REFERRAL_SECRET } = process.env;
const base = { PATH, HOME: folder, REFERRAL_BASE_URL };
const byToken = { ...base, REFERRAL_TOKEN };
const byWsse = { ...base, REFERRAL_USERNAME, REFERRAL_SECRET };

/** The milliseconds that a command took. Throws where it failed, since failing may be quicker. */
function time([command, args, env]) {
  const began = process.hrtime.bigint();
  const { status, stderr, error } = spawnSync(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const taken = Number(process.hrtime.bigint() - began) / 1e6;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error ?? `exit ${status}\n${stderr}`}`);
  return taken;
}

/** The number below which this part of the numbers lies. */
function quantile(numbers, part) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * part)];
}

/** The times of all commands, round by round, when the caches are warm. */
function rounds(commands) {
  const entries = Object.entries(commands);
  const round = () => Object.fromEntries(entries.map(([name, command]) => [name, time(command)]));
  for (let warm = 0; warm < 3; warm++) round();
  return Array.from({ length: Number(options.rounds) }, round);
}

const ratios = (measured, name, other) => measured.map((round) => round[name] / round[other]);

/** Starts an https server in a thread of its own, since this one waits for each command; gives the environment for it. */
async function startHttps() {
  const worker = new Worker(here("https-api.js"));
  const [{ url, certificate }] = await once(worker, "message");
  worker.unref();
  const file = join(folder, "ca.pem");
  writeFileSync(file, certificate);
  return { ...byToken, REFERRAL_BASE_URL: url, REFERRAL_CA_CERT: file };
}

function commandsOf(run, overTls, prefix = "") {
  return {
    [`${prefix}\`test --token\``]: run(["test", "--token"], byToken),
    [`${prefix}\`test --token\` over https`]: run(["test", "--token"], overTls),
    [`${prefix}\`test --wsse\``]: run(["test", "--wsse"], byWsse),
    [`${prefix}\`header --wsse\``]: run(["header", "--wsse"], byWsse),
    [`${prefix}\`--help\``]: run(["--help"], base),
    [`${prefix}\`--version\``]: run(["--version"], base),
  };
}

const floorOf = (node, env = byToken) => [node, [here("floor.cjs")], env];
const httpsFloor = "floor over https";
const installed = (node) => (args, env) => [node, [options.launcher, ...args], env];

// The executables are built from this line.
const executableLine = "22";
const executable = here(`../dist/executables/referral-auth-linux-${process.arch}`);

const header = `X-Auth-Token:${REFERRAL_TOKEN}`;
const url = `${REFERRAL_BASE_URL}/test-authentication`;
const others = {
  curl: ["curl", ["-fsS", "-H", header, url], base],
  HTTPie: ["http", ["--ignore-stdin", "--check-status", "GET", url, header], base],
};

const print = (text) => process.stdout.write(`${text}\n`);

/** A column of the table: the floor in milliseconds, and what each command takes of it, with the quartiles. */
function columnOf(node, line, overTls) {
  const withExecutable = line === executableLine && existsSync(executable);
  const commands = {
    floor: floorOf(node),
    [httpsFloor]: floorOf(node, overTls),
    "`node -e 0`": [node, ["-e", "0"], base],
    ...commandsOf(installed(node), overTls),
    ...(withExecutable ? commandsOf((args, env) => [executable, args, env], overTls, "executable, ") : {}),
    ...others,
  };
  const measured = rounds(commands);
  const cell = (name, other) => {
    const [low, middle, high] = [0.25, 0.5, 0.75].map((part) =>
      quantile(ratios(measured, name, other), part).toFixed(2),
    );
    return `${middle} (${low} to ${high})`;
  };
  const floorFor = (name) => (name.endsWith("over https") ? httpsFloor : "floor");
  const cells = Object.keys(commands).map((name) => [name, cell(name, floorFor(name))]);
  const milliseconds = (name) => {
    const median = quantile(
      measured.map((round) => round[name]),
      0.5,
    );
    return `${median.toFixed(0)} ms`;
  };
  return new Map([
    ["", `Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`],
    ...cells,
    ["floor", milliseconds("floor")],
    [httpsFloor, milliseconds(httpsFloor)],
    ["`--version`, to `node -e 0`", cell("`--version`", "`node -e 0`")],
  ]);
}

function printTable(columns) {
  const rows = [...new Set(columns.flatMap((column) => [...column.keys()]))].map((name) => [
    name,
    ...columns.map((column) => column.get(name) ?? ""),
  ]);
  rows.splice(1, 0, ["---", ...columns.map(() => "---:")]);
  for (const row of rows) print(`| ${row.join(" | ")} |`);
}

/** Whether the main job keeps the limit in one of three attempts: another job of the machine may spoil one. */
function keepsLimit(node, limit) {
  const job = installed(node)(["test", "--token"], byToken);
  for (let attempt = 1; attempt <= 3; attempt++) {
    const measured = rounds({ floor: floorOf(node), job });
    const ratio = quantile(ratios(measured, "job", "floor"), 0.5);
    print(`attempt ${attempt}: test --token takes ${ratio.toFixed(2)} of the floor; ${limit} is allowed`);
    if (ratio <= limit) return true;
  }
  return false;
}

const nodeOf = (line) =>
  join(execFileSync(process.execPath, [here("nodes.js"), line], { encoding: "utf8" }).trim(), "node");

try {
  if (options.limit !== undefined) {
    process.exitCode = keepsLimit(process.execPath, Number(options.limit)) ? 0 : 1;
  } else {
    const date = new Date().toISOString().slice(0, 10);
    print(
      `${date}, ${type()} ${process.arch}, ${cpus().length} × ${cpus()[0].model.trim()}; ${options.rounds} rounds`,
    );
    print("");
    const chosen = lines.length > 0 ? lines : ["22", "24", "26"];
    const overTls = await startHttps();
    printTable(chosen.map((line) => columnOf(nodeOf(line), line, overTls)));
  }
} finally {
  rmSync(folder, { recursive: true });
}
