// Prints the table of docs/benchmarks.md: what commands cost as whole processes, each beside its floor, in turn. Needs curl.
// With a limit, it fails if `test --token` takes more than so many times the processor time that it takes with the launcher of another build.
// usage: node scripts/bench.ts [<limit> <launcher> <launcher of the build before>]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { identity } from "../test/faults/certificates.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const [limit, launcher = here("../bin/launch.cjs"), before = launcher] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "referral-auth-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

function written(name: string, content: string): string {
  writeFileSync(join(folder, name), content, { mode: 0o600 });
  return join(folder, name);
}

/** The same requests by Node alone, with a connection each. A single response is printed, as the tool prints. Over https it trusts Node's roots and one more. */
const floor = (module: string): string => `
const { REFERRAL_BASE_URL, REFERRAL_TOKEN, REFERRAL_CA_CERT } = process.env;
let [left, atOnce] = process.argv.slice(2).map(Number);
const options = { headers: { accept: "application/json", "x-auth-token": REFERRAL_TOKEN }, agent: false };
if (REFERRAL_CA_CERT) {
  options.secureContext = require("node:tls").createSecureContext();
  options.secureContext.context.addCACert(require("node:fs").readFileSync(REFERRAL_CA_CERT));
}
const next = () => left-- > 0 && require("${module}").get(REFERRAL_BASE_URL + "/test-authentication", options, (response) => {
  let body = "";
  response.on("data", (chunk) => (body += chunk)).on("end", () => {
    if (JSON.parse(body).code !== 200) process.abort();
    if (process.argv[2] === "1") process.stdout.write(body);
    next();
  });
}).once("socket", (socket) => socket.on("session", (session) => (options.session = session)));
while (atOnce-- > 0) next();`;

const own = identity({ commonName: "Benchmark", names: ["IP:127.0.0.1"] });
const body = '{"code":200,"message":"Hello! You were successfully authenticated."}';
const accept: RequestListener = (_, response) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(body);
const urls = await Promise.all(
  [createServer(accept), createSecureServer(own, accept)].map(async (server, index) => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    return `${["http", "https"][index]}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }),
);

const peak = join(folder, "peak");
const token = "t".repeat(40);
const http = { PATH: process.env.PATH, HOME: folder, REFERRAL_BASE_URL: urls[0], REFERRAL_TOKEN: token };
const https = { ...http, REFERRAL_BASE_URL: urls[1], REFERRAL_CA_CERT: written("ca.pem", own.cert) };
const wsse = { ...http, REFERRAL_USERNAME: "me@example.com", REFERRAL_SECRET: "s".repeat(40) };
const floors = {
  http: written("http.cjs", floor("node:http")),
  https: written("https.cjs", floor("node:https")),
};

type Command = readonly [environment: NodeJS.ProcessEnv, program: string, ...args: readonly string[]];
const from =
  (path: string) =>
  (environment: NodeJS.ProcessEnv, ...args: readonly string[]): Command => [
    environment,
    process.execPath,
    path,
    ...args,
  ];
const tool = from(launcher);
const alone = (environment: NodeJS.ProcessEnv, requests = 1, atOnce = 1): Command => {
  const script = environment === https ? floors.https : floors.http;
  return [environment, process.execPath, script, `${requests}`, `${atOnce}`];
};

/** Checks so many lines of `--accounts`, and notes the peak of memory. */
function stream(environment: NodeJS.ProcessEnv, lines: number): Command {
  const line = (_: unknown, index: number): string =>
    JSON.stringify({ profile: `account-${index}`, token: `${index}`.padStart(40, "0") });
  const file = written(`lines-${lines}`, Array.from({ length: lines }, line).join("\n"));
  const required = `--require=${here("../test/faults/peak-memory.cjs")}`;
  const noting = { ...environment, NODE_OPTIONS: required, PEAK_MEMORY_FILE: peak };
  return tool(noting, "test", "--accounts", file, "--ndjson", "--no-config", "--concurrency", "64");
}

/** The processor time of all children that have ended, in ms (proc(5): cutime and cstime, in ticks of 10 ms). */
function processorOfChildren(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[13]) + Number(fields[14]));
}

const parts = { wall: ["time", "ms"], processor: ["processor time", "ms"], memory: ["most memory", "MB"] };
type Part = keyof typeof parts;

/** What a command costs. Throws if it fails, since a failure may be faster. */
async function costOf([env, program, ...args]: Command, part: Part): Promise<number> {
  const [before, began] = [processorOfChildren(), performance.now()];
  const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}`);
  if (part === "wall") return performance.now() - began;
  return part === "processor" ? processorOfChildren() - before : Number(readFileSync(peak, "utf8")) / 1024;
}

/** The medians of the first command's cost and of its ratio to the second one's, over so many rounds. */
async function compare(one: Command, other: Command, part: Part, rounds: number) {
  const costs: [own: number, ratio: number][] = [];
  for (let round = 0; round < rounds; round++) {
    const cost = await costOf(one, part);
    costs.push([cost, cost / (await costOf(other, part))]);
  }
  const median = (index: 0 | 1): number =>
    costs.map((cost) => cost[index]).toSorted((a, b) => a - b)[rounds >> 1] ?? Number.NaN;
  return { own: median(0), ratio: median(1) };
}

const [few, rounds] = [10_000, 41];
const [overHttp, overHttps] = [tool(http, "test", "--token"), tool(https, "test", "--token")];
const bare: Command = [http, process.execPath, "-e", "0"];
const curl: Command = [http, "curl", "-fsS", `${urls[0]}`];
const rows: readonly (readonly [what: string, Command, than: string, Command, Part, rounds: number])[] = [
  ["`test --token`", overHttp, "`node:http`", alone(http), "wall", rounds],
  ["`test --token` over https", overHttps, "`node:https`", alone(https), "wall", rounds],
  ["`test --wsse`", tool(wsse, "test", "--wsse"), "`node:http`", alone(http), "wall", rounds],
  ["`--version`", tool(http, "--version"), "`node -e 0`", bare, "wall", rounds],
  ["curl", curl, "`node:http`", alone(http), "wall", rounds],
  ["10,000 accounts", stream(http, few), "`node:http`", alone(http, few, 64), "processor", 3],
  ["10,000 over https", stream(https, few), "`node:https`", alone(https, few, 64), "processor", 3],
  ["150,000 accounts", stream(http, 15 * few), "10,000", stream(http, few), "memory", 1],
];

if (limit === undefined) {
  process.stdout.write("| what | compared with | in | ratio | itself |\n| --- | --- | --- | ---: | ---: |\n");
  for (const [what, command, than, other, part, times] of rows) {
    const { own, ratio } = await compare(command, other, part, times);
    const [name, unit] = parts[part];
    process.stdout.write(
      `| ${what} | ${than} | ${name} | ${ratio.toFixed(2)} | ${own.toFixed(0)} ${unit} |\n`,
    );
  }
} else {
  const earlier = from(before)(http, "test", "--token");
  // Each makes its cache.
  for (const one of [overHttp, earlier]) await costOf(one, "processor");
  // Another process may disturb one attempt. Sums, since a single run takes only a few ticks of the clock.
  const ratios: number[] = [];
  while (ratios.length < 3 && !ratios.some((ratio) => ratio <= Number(limit))) {
    let [own, other] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      own += await costOf(overHttp, "processor");
      other += await costOf(earlier, "processor");
    }
    ratios.push(own / other);
  }
  process.stdout.write(
    `${ratios.map((ratio) => ratio.toFixed(3))} of the build before; ${limit} is allowed\n`,
  );
  process.exitCode = Math.min(...ratios) <= Number(limit) ? 0 : 1;
}
process.exit();
