// The table of docs/benchmarks.md: what commands cost as whole processes, compared with others of the same round. With a limit, it
// fails if the main command takes more than so many times as long as its floor.
// usage: node scripts/bench.ts [<limit> <launcher>]
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type Command, type Cost, quartiles, rounds } from "./measure.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const [limit, launcher = here("../bin/launch.cjs")] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "referral-auth-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

/** Writes a file that only the user can read, and returns its path. */
function written(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

const server = new Worker(here("bench-server.ts"));
const [{ http, https, certificate }] = await once(server, "message");
server.unref();

const token = "t".repeat(40);
const overHttp = { PATH: process.env.PATH, HOME: folder, REFERRAL_BASE_URL: http, REFERRAL_TOKEN: token };
const overHttps = { ...overHttp, REFERRAL_BASE_URL: https, REFERRAL_CA_CERT: written("ca.pem", certificate) };
const byWsse = {
  ...overHttp,
  REFERRAL_TOKEN: undefined,
  REFERRAL_USERNAME: "me@example.com",
  REFERRAL_SECRET: token,
};
const node = (environment: Command[2], ...args: readonly string[]): Command => [
  process.execPath,
  args,
  environment,
];
const floor = here("floor.cjs");

const few = 10_000;
const many = 20 * few;
/** Checks so many lines of `--accounts`, and notes the peak of memory. */
function stream(environment: Command[2], lines: number): Command {
  const account = (_: unknown, index: number): string =>
    JSON.stringify({ profile: `account-${index}`, token: `${index}`.padStart(40, "0") });
  const file = written(`lines-${lines}`, Array.from({ length: lines }, account).join("\n"));
  const noting = {
    NODE_OPTIONS: `--require=${here("../test/faults/peak-memory.cjs")}`,
    PEAK_MEMORY_FILE: join(folder, "peak-memory"),
  };
  const args = ["test", "--accounts", file, "--ndjson", "--no-config", "--concurrency", "64"];
  return node({ ...environment, ...noting }, launcher, ...args);
}

interface Row {
  readonly what: string;
  readonly than: string;
  readonly part: keyof Cost;
  /** The command and the one that it is compared with, made when the row is measured. */
  readonly commands: () => readonly [one: Command, other: Command];
  readonly rounds?: number;
}

const main: Row = {
  what: "`test --token`",
  than: "ten lines of `node:http`",
  part: "wall",
  commands: () => [node(overHttp, launcher, "test", "--token"), node(overHttp, floor)],
};
const curl = ["-fsS", "-H", `X-Auth-Token: ${token}`, `${http}/test-authentication`];
const rows: readonly Row[] = [
  main,
  {
    ...main,
    what: "`test --token` over https",
    than: "ten lines of `node:https`",
    commands: () => [node(overHttps, launcher, "test", "--token"), node(overHttps, floor)],
  },
  {
    ...main,
    what: "`test --wsse`",
    commands: () => [node(byWsse, launcher, "test", "--wsse"), node(overHttp, floor)],
  },
  {
    ...main,
    what: "`--version`",
    than: "`node -e 0`",
    commands: () => [node(overHttp, launcher, "--version"), node(overHttp, "-e", "0")],
  },
  { ...main, what: "curl", commands: () => [["curl", curl, overHttp], node(overHttp, floor)] },
  ...([overHttp, overHttps] as const).map((environment): Row => {
    const scheme = environment === overHttp ? "http" : "https";
    return {
      what: `\`test --accounts --ndjson\`, ${few} lines, 64 at once, over ${scheme}: processor time`,
      than: `\`node:${scheme}\` alone`,
      part: "processor",
      commands: () => [stream(environment, few), node(environment, floor, `${few}`, "64")],
      rounds: 5,
    };
  }),
  {
    what: `\`test --accounts --ndjson\`, ${many} lines: most memory`,
    than: `${few} lines`,
    part: "megabytes",
    commands: () => [stream(overHttp, many), stream(overHttp, few)],
    rounds: 1,
  },
];

/** Measures both commands of a row in each round, and returns the ratio of the first to the second. */
function ratioOf({ commands, part, rounds: number }: Row) {
  const [one, other] = commands();
  const costs = rounds({ one, other }, number);
  return { own: quartiles(costs, part, "one").median, ...quartiles(costs, part, "one", "other") };
}

if (limit === undefined) {
  const print = (...cells: readonly string[]): void =>
    void process.stdout.write(`| ${cells.join(" | ")} |\n`);
  print("what", "compared with", "ratio", "itself");
  print("---", "---", "---:", "---:");
  for (const row of rows) {
    const { own, median, low, high } = ratioOf(row);
    const unit = row.part === "megabytes" ? "MB" : "ms";
    const spread = `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
    print(row.what, row.than, spread, `${own.toFixed(0)} ${unit}`);
  }
} else {
  // Another process may disturb one attempt.
  const keeps = [1, 2, 3].some((attempt) => {
    const { median } = ratioOf(main);
    process.stdout.write(
      `attempt ${attempt}: test --token takes ${median.toFixed(2)} of the floor; ${limit} is allowed\n`,
    );
    return median <= Number(limit);
  });
  process.exitCode = keeps ? 0 : 1;
}
