// The table of docs/benchmarks.md: what commands cost as whole processes, compared with others of the same round. With a limit, it
// fails if the main command takes more than so many times as long as its floor.
// usage: node scripts/bench.ts [<limit> <launcher>]
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type Command, type Cost, compare } from "./measure.ts";

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

/** What is measured, what it is compared with, which part of the cost, both commands (made when they are measured), how many rounds. */
type Row = readonly [
  what: string,
  than: string,
  part: keyof Cost,
  commands: () => readonly [Command, Command],
  number?: number,
];
const tool = (environment: Command[2], ...args: readonly string[]) => node(environment, launcher, ...args);
const [lines, secureLines] = ["ten lines of `node:http`", "ten lines of `node:https`"];
const curl = ["-fsS", "-H", `X-Auth-Token: ${token}`, `${http}/test-authentication`];
const accounts = `\`test --accounts --ndjson\`, ${few} lines, 64 at once`;

const mainAndFloor = () => [tool(overHttp, "test", "--token"), node(overHttp, floor)] as const;
const rows: readonly Row[] = [
  ["`test --token`", lines, "wall", mainAndFloor],
  [
    "`test --token` over https",
    secureLines,
    "wall",
    () => [tool(overHttps, "test", "--token"), node(overHttps, floor)],
  ],
  ["`test --wsse`", lines, "wall", () => [tool(byWsse, "test", "--wsse"), node(overHttp, floor)]],
  ["`--version`", "`node -e 0`", "wall", () => [tool(overHttp, "--version"), node(overHttp, "-e", "0")]],
  ["curl", lines, "wall", () => [["curl", curl, overHttp], node(overHttp, floor)]],
  ...[overHttp, overHttps].map((environment): Row => {
    const scheme = environment === overHttp ? "http" : "https";
    const commands = () => [stream(environment, few), node(environment, floor, `${few}`, "64")] as const;
    return [
      `${accounts}, over ${scheme}: processor time`,
      `\`node:${scheme}\` alone`,
      "processor",
      commands,
      5,
    ];
  }),
  [
    `\`test --accounts --ndjson\`, ${many} lines: most memory`,
    `${few} lines`,
    "megabytes",
    () => [stream(overHttp, many), stream(overHttp, few)],
    1,
  ],
];

if (limit === undefined) {
  const print = (...cells: readonly string[]): void =>
    void process.stdout.write(`| ${cells.join(" | ")} |\n`);
  print("what", "compared with", "ratio", "itself");
  print("---", "---", "---:", "---:");
  for (const [what, than, part, commands, number] of rows) {
    const { own, ratio } = compare(commands(), part, number);
    const unit = part === "megabytes" ? "MB" : "ms";
    const spread = `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`;
    print(what, than, spread, `${own.median.toFixed(0)} ${unit}`);
  }
} else {
  // Another process may disturb one attempt.
  const keeps = [1, 2, 3].some((attempt) => {
    const { median } = compare(mainAndFloor(), "wall").ratio;
    process.stdout.write(
      `attempt ${attempt}: test --token takes ${median.toFixed(2)} of the floor; ${limit} is allowed\n`,
    );
    return median <= Number(limit);
  });
  process.exitCode = keeps ? 0 : 1;
}
