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
const account = { REFERRAL_USERNAME: "me@example.com", REFERRAL_SECRET: token };
const byWsse = { ...overHttp, REFERRAL_TOKEN: undefined, ...account };

type Environment = Command[2];
const node = (environment: Environment, ...args: readonly string[]) =>
  [process.execPath, args, environment] as const;
const tool = (environment: Environment, ...args: readonly string[]) => node(environment, launcher, ...args);
const floor = (environment: Environment, ...args: readonly string[]) =>
  node(environment, here("floor.cjs"), ...args);

/** Checks so many lines of `--accounts`, and notes the peak of memory. */
function stream(environment: Environment, lines: number): Command {
  const line = (_: unknown, index: number): string =>
    JSON.stringify({ profile: `account-${index}`, token: `${index}`.padStart(40, "0") });
  const file = written(`lines-${lines}`, Array.from({ length: lines }, line).join("\n"));
  const noting = {
    NODE_OPTIONS: `--require=${here("../test/faults/peak-memory.cjs")}`,
    PEAK_MEMORY_FILE: join(folder, "peak-memory"),
  };
  const args = ["test", "--accounts", file, "--ndjson", "--no-config", "--concurrency", "64"];
  return tool({ ...environment, ...noting }, ...args);
}

const main = [tool(overHttp, "test", "--token"), floor(overHttp)] as const;

/** What is measured, what it is compared with, which part of the cost, both commands, and how many rounds. */
type Row = readonly [string, string, keyof Cost, readonly [Command, Command], number?];

function rows(): readonly Row[] {
  const [few, many] = [10_000, 200_000];
  const [lines, secureLines] = ["ten lines of `node:http`", "ten lines of `node:https`"];
  const curl = ["-fsS", "-H", `X-Auth-Token: ${token}`, `${http}/test-authentication`];
  const streaming = "`test --accounts --ndjson`";
  const ofMany = (scheme: string, environment: Environment): Row => [
    `${streaming}, ${few.toLocaleString("en")} lines, 64 at once, over ${scheme}: processor time`,
    `\`node:${scheme}\` alone`,
    "processor",
    [stream(environment, few), floor(environment, `${few}`, "64")],
    5,
  ];
  const memory = [stream(overHttp, many), stream(overHttp, few)] as const;
  return [
    ["`test --token`", lines, "wall", main],
    [
      "`test --token` over https",
      secureLines,
      "wall",
      [tool(overHttps, "test", "--token"), floor(overHttps)],
    ],
    ["`test --wsse`", lines, "wall", [tool(byWsse, "test", "--wsse"), floor(overHttp)]],
    ["`--version`", "`node -e 0`", "wall", [tool(overHttp, "--version"), node(overHttp, "-e", "0")]],
    ["curl", lines, "wall", [["curl", curl, overHttp], floor(overHttp)]],
    ofMany("http", overHttp),
    ofMany("https", overHttps),
    [
      `${streaming}, ${many.toLocaleString("en")} lines: most memory`,
      `${few.toLocaleString("en")} lines`,
      "megabytes",
      memory,
      1,
    ],
  ];
}

if (limit === undefined) {
  process.stdout.write("| what | compared with | ratio | itself |\n| --- | --- | ---: | ---: |\n");
  for (const [what, than, part, commands, rounds] of rows()) {
    const { own, ratio } = compare(commands, part, rounds);
    const spread = `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`;
    const itself = `${own.median.toFixed(0)} ${part === "megabytes" ? "MB" : "ms"}`;
    process.stdout.write(`| ${what} | ${than} | ${spread} | ${itself} |\n`);
  }
} else {
  // Another process may disturb one attempt.
  const keeps = [1, 2, 3].some((attempt) => {
    const ratio = compare(main, "wall").ratio.median;
    process.stdout.write(`attempt ${attempt}: ${ratio.toFixed(2)} of the floor; ${limit} is allowed\n`);
    return ratio <= Number(limit);
  });
  process.exitCode = keeps ? 0 : 1;
}
