// Prints what commands cost as whole processes, in turn with their floor, ten lines of node:http on the same Node: the medians of
// the ratios and of the costs. With the launchers of several builds, each has rows of its own beside the same runs of the floor.
// usage: node scripts/bench.ts [<launcher>…]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identity } from "../test/faults/certificates.ts";

const launchers = process.argv.length > 2 ? process.argv.slice(2) : ["bin/launch.cjs"];
const folder = mkdtempSync(join(tmpdir(), "referral-auth-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

function written(name: string, content: string): string {
  writeFileSync(join(folder, name), content, { mode: 0o600 });
  return join(folder, name);
}

/** The same requests by Node alone, with a connection each. Over https it trusts Node's roots and one more. */
const floor = written(
  "floor.cjs",
  `const { REFERRAL_BASE_URL: url, REFERRAL_TOKEN: token, REFERRAL_CA_CERT: cert } = process.env;
const { get } = require(cert ? "node:https" : "node:http");
let [left, atOnce] = process.argv.slice(2).map(Number);
const options = { headers: { accept: "application/json", "x-auth-token": token }, agent: false };
if (cert) options.secureContext = require("node:tls").createSecureContext();
options.secureContext?.context.addCACert(require("node:fs").readFileSync(cert));
const next = () => left-- > 0 && get(url + "/test-authentication", options, (response) => response.setEncoding("utf8")
  .on("data", (body) => process.argv[2] === "1" && console.log(body)).on("end", next))
  .once("socket", (socket) => socket.on("session", (session) => (options.session = session)));
while (atOnce-- > 0) next();`,
);

const own = identity({ commonName: "Benchmark", names: ["IP:127.0.0.1"] });
const [good, bad] = ["t".repeat(40), "r".repeat(40)];
const answer: RequestListener = ({ headers }, response) => {
  const code = headers["x-auth-token"] === bad ? 401 : 200;
  response.writeHead(code, { "content-type": "application/json" }).end(`{"code":${code},"message":"Hello!"}`);
};
const [url, secureUrl] = await Promise.all(
  [createServer(answer), createSecureServer(own, answer)].map(async (server, index) => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    return `${["http", "https"][index]}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }),
);
const account = { REFERRAL_TOKEN: good, REFERRAL_USERNAME: "me@example.com", REFERRAL_SECRET: good };
const http = { PATH: process.env.PATH, HOME: folder, REFERRAL_BASE_URL: url, ...account };
const https = { ...http, REFERRAL_BASE_URL: secureUrl, REFERRAL_CA_CERT: written("ca.pem", own.cert) };

/** Checks 10,000 accounts with this token. */
function many(token: string): readonly string[] {
  const line = (_: unknown, index: number): string => JSON.stringify({ profile: `account-${index}`, token });
  const file = written(`accounts-${token[0]}`, Array.from({ length: 10_000 }, line).join("\n"));
  return ["test", "--accounts", file, "--ndjson", "--no-config", "--concurrency=64"];
}

/** The processor time of all children that have ended, in ms (proc(5): cutime and cstime, in ticks of 10 ms). */
function processorOfChildren(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[13]) + Number(fields[14]));
}

/** What a run of Node costs, in ms. Throws if it ends with another code, since a failure may be faster. */
async function costOf(env: NodeJS.ProcessEnv, args: readonly string[], expected: number) {
  const [before, began] = [processorOfChildren(), performance.now()];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== expected) throw new Error(`${args.join(" ")} ended with ${code}`);
  return { time: performance.now() - began, "processor time": processorOfChildren() - before };
}

const [single, often] = [
  [floor, "1", "1"],
  [floor, "10000", "64"],
];
/** What is run, its floor, and its exit code. */
const rows: ReadonlyArray<
  readonly [string, NodeJS.ProcessEnv, readonly string[], readonly string[], code?: number]
> = [
  ["`test --token`", http, ["test", "--token"], single],
  ["`test --token` over https", https, ["test", "--token"], single],
  ["`test --wsse`", http, ["test", "--wsse"], single],
  ["`--version`, beside `node -e 0`", http, ["--version"], ["-e", "0"]],
  ["10,000 accounts", http, many(good), often],
  ["10,000 refused accounts", http, many(bad), often, 4],
  ["10,000 accounts over https", https, many(good), often],
];

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

process.stdout.write("| what | in | of the floor | ms |\n|---|---|---:|---:|\n");
for (const [what, env, args, floorArgs, code = 0] of rows) {
  const [part, rounds] = floorArgs === often ? (["processor time", 3] as const) : (["time", 41] as const);
  const least: number[] = [];
  const costs = launchers.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    least.push((await costOf(env, floorArgs, 0))[part]);
    for (const [index, launcher] of launchers.entries())
      costs[index]?.push((await costOf(env, [launcher, ...args], code))[part]);
  }
  for (const [index, all] of costs.entries()) {
    const title = index === 0 ? what : `${what}, ${launchers[index]}`;
    const ratio = median(all.map((cost, round) => cost / (least[round] ?? Number.NaN)));
    process.stdout.write(`| ${title} | ${part} | ${ratio.toFixed(2)} | ${median(all).toFixed(0)} |\n`);
  }
}
process.exit();
