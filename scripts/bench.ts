// The figures of docs/benchmarks.md. `start`: how long commands take as whole processes, compared with a floor of a few lines of
// node:http. `accounts`: processor time and memory for many accounts in one process, compared with undici alone, node:http alone and
// curl. `limit`: fails if the main command takes more than so many times as long as the floor.
// usage: node scripts/bench.ts start | accounts | limit <ratio> <launcher>
import { execFileSync } from "node:child_process";
import { floorFile, here, jobsOver, overHttp, overHttps, written } from "./bench-jobs.ts";
import { type Command, type Commands, type Costs, type Environment, quartiles, rounds } from "./measure.ts";

const [job, limit, launcher = here("../bin/launch.cjs")] = process.argv.slice(2);
const executable = here(`../dist/executables/referral-auth-linux-${process.arch}`);
const [floor, httpsFloor, empty, undici] = [
  "floor",
  "floor over https",
  "`node -e 0`",
  "undici, a `Client` each",
];
const header = `X-Auth-Token: ${overHttp.REFERRAL_TOKEN}`;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** The commands of a program, which starts with these words. */
function commandsOf(prefix: string, program: string, ...first: readonly string[]): Commands {
  const byWsse = {
    ...overHttp,
    REFERRAL_TOKEN: undefined,
    REFERRAL_USERNAME: "me@example.com",
    REFERRAL_SECRET: "x",
  };
  return {
    [`${prefix}\`test --token\``]: [program, [...first, "test", "--token"], overHttp],
    [`${prefix}\`test --token\` over https`]: [program, [...first, "test", "--token"], overHttps],
    [`${prefix}\`test --wsse\``]: [program, [...first, "test", "--wsse"], byWsse],
    [`${prefix}\`header --wsse\``]: [program, [...first, "header", "--wsse"], byWsse],
    [`${prefix}\`--help\``]: [program, [...first, "--help"], overHttp],
    [`${prefix}\`--version\``]: [program, [...first, "--version"], overHttp],
  };
}

function startCosts(line: string): Costs {
  const bin = execFileSync(process.execPath, [here("nodes.js"), line], { encoding: "utf8" }).trim();
  const node = `${bin}/node`;
  const url = `${overHttp.REFERRAL_BASE_URL}/test-authentication`;
  return rounds({
    [floor]: [node, [floorFile], overHttp],
    [httpsFloor]: [node, [floorFile], overHttps],
    [empty]: [node, ["-e", "0"], overHttp],
    ...commandsOf("", node, launcher),
    // The executables are built from this line.
    ...(line === "22" && commandsOf("executable, ", executable)),
    curl: ["curl", ["-fsS", "-H", header, url], overHttp],
    HTTPie: ["http", ["--ignore-stdin", "--check-status", "GET", url, header], overHttp],
  });
}

/** A floor in milliseconds; the ratio of another command to its floor, with the quartiles. */
function startCell(costs: Costs, name: string): string {
  if (!costs.has(name)) return "";
  if (name === floor || name === httpsFloor) return `${quartiles(costs, "wall", name).median.toFixed(0)} ms`;
  const other = name.endsWith("over https") ? httpsFloor : name === "`--version`" ? empty : floor;
  const { median, low, high } = quartiles(costs, "wall", name, other);
  return `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function start(): void {
  const columns = ["22", "24", "26"].map(startCosts);
  print(row("", "Node 22", "Node 24", "Node 26"));
  print(row("---", "---:", "---:", "---:"));
  for (const name of columns[0]?.keys() ?? [])
    print(row(name, ...columns.map((costs) => startCell(costs, name))));
}

/** Whether the main command stays below the limit in one of three attempts: another process may disturb one. */
function keepsLimit(most: number): boolean {
  return [1, 2, 3].some((attempt) => {
    const node = process.execPath;
    const tool: Command = [node, [launcher, "test", "--token"], overHttp];
    const costs = rounds({ tool, [floor]: [node, [floorFile], overHttp] });
    const { median } = quartiles(costs, "wall", "tool", floor);
    print(`attempt ${attempt}: test --token takes ${median.toFixed(2)} of the floor; ${most} is allowed`);
    return median <= most;
  });
}

const number = 10_000;
const atOnce = "64";
const preload = {
  NODE_OPTIONS: `--require=${here("../test/faults/peak-memory.cjs")}`,
  PEAK_MEMORY_FILE: `${overHttp.HOME}/peak-memory`,
};

const checking = (args: readonly string[], environment: Environment): Command => [
  process.execPath,
  [launcher, "test", ...args, "--concurrency", atOnce],
  { ...environment, ...preload, REFERRAL_TOKEN: undefined },
];

/** Prints the rows of one scheme: the median of five rounds. */
function printAccounts(scheme: string, environment: typeof overHttp): void {
  const alone = (client: string): Command => [
    process.execPath,
    [floorFile, client, `${number}`, atOnce],
    { ...environment, ...preload },
  ];
  const head = `header = "${header}"\nheader = "Connection: close"\ncacert = "${overHttps.REFERRAL_CA_CERT}"\n`;
  const one = `url = "${environment.REFERRAL_BASE_URL}/test-authentication"\noutput = /dev/null\n`;
  const curl = ["-fsSZ", "--parallel-max", atOnce, "--config", written("urls", head + one.repeat(number))];
  const jobs = Object.entries(jobsOver(number)).map(([name, args]) => [name, checking(args, environment)]);
  const commands: Commands = {
    [undici]: alone("undici"),
    [`node:${scheme}`]: alone("node"),
    "`curl -Z`, `Connection: close`": ["curl", curl, environment],
    ...Object.fromEntries(jobs),
  };
  const costs = rounds(commands, 5, 0);
  for (const name of costs.keys()) {
    const account = quartiles(costs, "processor", name).median / number;
    const ratio = quartiles(costs, "processor", name, undici).median;
    const peak = quartiles(costs, "megabytes", name).median;
    const seconds = quartiles(costs, "wall", name).median / 1000;
    const megabytes = Number.isNaN(peak) ? "" : peak.toFixed(0);
    print(row(`${name}, ${scheme}`, account.toFixed(2), ratio.toFixed(2), megabytes, seconds.toFixed(1)));
  }
}

function accounts(): void {
  print(row(`${number} accounts, ${atOnce} at once`, "ms an account", "of undici", "peak MB", "s in all"));
  print(row("---", "---:", "---:", "---:", "---:"));
  printAccounts("http", overHttp);
  printAccounts("https", overHttps);
  for (const lines of [number, 20 * number]) {
    const stream = checking(jobsOver(lines)["`test --accounts --ndjson`"], overHttp);
    const { median } = quartiles(rounds({ stream }, 1, 0), "megabytes", "stream");
    print(`${lines} lines of --accounts, http: at most ${median.toFixed(0)} MB`);
  }
}

if (job === "start") start();
else if (job === "accounts") accounts();
else process.exitCode = keepsLimit(Number(limit)) ? 0 : 1;
