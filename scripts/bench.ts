// The figures of the README. `start`: how long commands take as whole processes, compared with a floor of a few lines of node:http.
// `accounts`: processor time and memory for many accounts in one process, compared with undici alone, node:http alone and curl.
// Each round runs all commands, so that a slow moment of the machine affects all of them.
// usage: node scripts/bench.ts start [Node line…] | accounts [number] | limit <ratio> [launcher]
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, type } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { jobsOver, streamOf } from "./bench-accounts.ts";
import { type Command, type Environment, measure, median, ratio, rounds } from "./measure.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const print = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join("\n")}\n`);
const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const [job, ...given] = process.argv.slice(2);
const launcher = (job === "limit" && given[1]) || here("../bin/launch.cjs");
const folder = mkdtempSync(join(tmpdir(), "referral-auth-bench-"));
const worker = new Worker(here("bench-server.ts"));
const [server] = await once(worker, "message");
worker.unref();
const certificate = join(folder, "ca.pem");
writeFileSync(certificate, server.certificate);
const base = { PATH: process.env.PATH, HOME: folder, REFERRAL_BASE_URL: server.http };
const token = "t".repeat(40);
const byToken = { ...base, REFERRAL_TOKEN: token };
const overTls = { ...byToken, REFERRAL_BASE_URL: server.https, REFERRAL_CA_CERT: certificate };
const byWsse = { ...base, REFERRAL_USERNAME: "me@example.com", REFERRAL_SECRET: "made-up" };

function commandsOf(run: (args: readonly string[], environment: Environment) => Command, prefix = "") {
  return [
    [`${prefix}\`test --token\``, run(["test", "--token"], byToken)],
    [`${prefix}\`test --token\` over https`, run(["test", "--token"], overTls)],
    [`${prefix}\`test --wsse\``, run(["test", "--wsse"], byWsse)],
    [`${prefix}\`header --wsse\``, run(["header", "--wsse"], byWsse)],
    [`${prefix}\`config\``, run(["config"], byToken)],
    [`${prefix}\`--help\``, run(["--help"], base)],
    [`${prefix}\`--version\``, run(["--version"], base)],
  ] as const;
}

const floorOf = (node: string, environment: Environment): Command => [node, [here("floor.cjs")], environment];
const [floor, httpsFloor, empty] = ["floor", "floor over https", "`node -e 0`"] as const;
const executable = here(`../dist/executables/referral-auth-linux-${process.arch}`);
const header = `X-Auth-Token: ${token}`;
const url = `${server.http}/test-authentication`;

/** A column of the table: the floors in milliseconds, and the ratio of each command to its floor, with the quartiles. */
function columnOf(line: string): ReadonlyMap<string, string> {
  const bin = execFileSync(process.execPath, [here("nodes.js"), line], { encoding: "utf8" }).trim();
  const node = join(bin, "node");
  const commands = new Map<string, Command>([
    [floor, floorOf(node, byToken)],
    [httpsFloor, floorOf(node, overTls)],
    [empty, [node, ["-e", "0"], base]],
    ...commandsOf((args, environment) => [node, [launcher, ...args], environment]),
    // The executables are built from this line.
    ...(line === "22"
      ? commandsOf((args, environment) => [executable, args, environment], "executable, ")
      : []),
    ["curl", ["curl", ["-fsS", "-H", header, url], base]],
    ["HTTPie", ["http", ["--ignore-stdin", "--check-status", "GET", url, header], base]],
  ]);
  const costs = rounds(commands);
  return new Map(
    [...commands.keys()].map((name) => {
      if (name === floor || name === httpsFloor)
        return [name, `${median(costs, "wall", name).toFixed(0)} ms`];
      const other = name.endsWith("over https") ? httpsFloor : name === "`--version`" ? empty : floor;
      const [middle, low, high] = ratio(costs, "wall", name, other).map((number) => number.toFixed(2));
      return [name, `${middle} (${low} to ${high})`];
    }),
  );
}

function start(lines: readonly string[]): void {
  const columns = lines.map(columnOf);
  const names = new Set(columns.flatMap((column) => [...column.keys()]));
  print(row("", ...lines.map((line) => `Node ${line}`)), row("---", ...lines.map(() => "---:")));
  for (const name of names) print(row(name, ...columns.map((column) => column.get(name) ?? "")));
}

/** Whether the main command stays below the limit in one of three attempts: another process may disturb one. */
function keepsLimit(limit: number): boolean {
  const tool: Command = [process.execPath, [launcher, "test", "--token"], byToken];
  for (let attempt = 1; attempt <= 3; attempt++) {
    const costs = rounds(
      new Map([
        ["tool", tool],
        [floor, floorOf(process.execPath, byToken)],
      ]),
    );
    const [middle = Number.NaN] = ratio(costs, "wall", "tool", floor);
    print(`attempt ${attempt}: test --token takes ${middle.toFixed(2)} of the floor; ${limit} is allowed`);
    if (middle <= limit) return true;
  }
  return false;
}

const atOnce = "64";
const preload = {
  NODE_OPTIONS: `--require=${here("../test/faults/peak-memory.cjs")}`,
  PEAK_MEMORY_FILE: join(folder, "peak"),
};
const toolFor = (args: readonly string[], environment: Environment): Command => [
  process.execPath,
  [launcher, "test", ...args, "--concurrency", atOnce],
  { ...environment, REFERRAL_TOKEN: undefined },
];

/** The processor time of one account in milliseconds, and the peak of memory, as the median of five rounds. */
function accounts(number: number): void {
  const jobs = jobsOver(number, folder);
  const floorName = "undici, a `Client` each";
  print(row(`${number} accounts, ${atOnce} at once`, "ms an account", "of undici", "peak MB", "s in all"));
  print(row("---", "---:", "---:", "---:", "---:"));
  for (const [scheme, environment] of [
    ["http", { ...byToken, ...preload }],
    ["https", { ...overTls, ...preload }],
  ] as const) {
    const floorOfAll = (client: string): Command => [
      process.execPath,
      [here("floor.cjs"), client, `${number}`, atOnce],
      environment,
    ];
    const one = `url = "${environment.REFERRAL_BASE_URL}/test-authentication"\noutput = /dev/null\n`;
    const list = join(folder, "urls");
    writeFileSync(
      list,
      `header = "${header}"\nheader = "Connection: close"\ncacert = "${certificate}"\n${one.repeat(number)}`,
    );
    const commands = new Map<string, Command>([
      [floorName, floorOfAll("undici")],
      [`node:${scheme}`, floorOfAll("node")],
      [
        "`curl -Z`, `Connection: close`",
        ["curl", ["-fsSZ", "--parallel-max", atOnce, "--config", list], environment],
      ],
      ...[...jobs].map(([name, args]): [string, Command] => [name, toolFor(args, environment)]),
    ]);
    const costs = rounds(commands, 5, 0);
    for (const name of commands.keys())
      print(
        row(
          `${name}, ${scheme}`,
          (median(costs, "processor", name) / number).toFixed(2),
          (ratio(costs, "processor", name, floorName)[0] ?? Number.NaN).toFixed(2),
          name.startsWith("`curl") ? "" : median(costs, "megabytes", name).toFixed(0),
          (median(costs, "wall", name) / 1000).toFixed(1),
        ),
      );
  }
}

/** The peak of memory for streams that get longer. */
function streams(numbers: readonly number[]): void {
  print("", row("lines of `--accounts`, http", "peak MB"), row("---:", "---:"));
  for (const number of numbers) {
    const { megabytes } = measure(toolFor(streamOf(number, folder), { ...byToken, ...preload }));
    print(row(`${number}`, megabytes.toFixed(0)));
  }
}

try {
  if (job === "limit") process.exitCode = keepsLimit(Number(given[0])) ? 0 : 1;
  else {
    const [processor] = cpus();
    const date = new Date().toISOString().slice(0, 10);
    print(
      `${date}, ${type()} ${process.arch}, ${cpus().length} × ${processor?.model.trim()}, Node ${process.version}`,
      "",
    );
    if (job === "accounts") {
      const number = Number(given[0] ?? 10_000);
      accounts(number);
      streams([number, 4 * number, 20 * number]);
    } else start(given.length > 0 ? given : ["22", "24", "26"]);
  }
} finally {
  rmSync(folder, { recursive: true });
}
