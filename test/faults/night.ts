import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { folderWith } from "../support/folder.ts";
import { childHome, childNode, launcher } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { tally } from "./said.ts";

/** How many accounts a run has. */
export const count = 2_000;

/** The line of an account. Every outcome occurs that a server, the network or a mistake can cause. */
function lineOf(index: number): string {
  const account = { profile: `account-${index}`, token: `status-${index % 10 === 1 ? 401 : 200}` };
  if (index % 500 === 7) return JSON.stringify({ ...account, token: "hangs", timeout: 1 });
  if (index % 10 === 2) return JSON.stringify({ ...account, token: "status-503" });
  if (index % 10 === 3) return JSON.stringify({ ...account, token: "page" });
  if (index % 10 === 4) return JSON.stringify({ ...account, baseUrl: "http://127.0.0.1:1" });
  return index % 50 === 5 ? "{" : JSON.stringify(account);
}

function answer({ headers }: IncomingMessage, response: ServerResponse): void {
  const token = /hangs|page|\d+$/.exec(String(headers["x-auth-token"] ?? ""))?.[0] ?? "500";
  if (token === "hangs") return;
  if (token === "page") return void response.writeHead(200, { "content-type": "text/html" }).end("<p>");
  const status = Number(token);
  json(response, status, { ...success, code: status });
}

/** One run. */
interface Night {
  readonly args: readonly string[];
  /** The size of the disk at `small`. */
  readonly size: string;
  /** What the shell does before the run. */
  readonly before?: string;
  /** What happens when this many requests have come. */
  readonly at?: readonly [number, "SIGTERM" | "SIGKILL" | "close"];
}

/** Runs `test` over all accounts in a folder with a small disk, and keeps what is on the disk afterwards. */
export async function night({
  args,
  size,
  before = "",
  at: [most, event] = [Number.POSITIVE_INFINITY, "close"],
}: Night) {
  const lines = Array.from({ length: count }, (_, index) => lineOf(index));
  const folder = folderWith({ "accounts.jsonl": lines.join("\n"), "small/.kept": "", "kept/.kept": "" });
  const script = `mount -t tmpfs -o size=${size} none small || exit 99
    ${before}
    "$@" & echo $! > pid; wait $!; code=$?
    cp -a small/. kept/; exit $code`;
  let isOver = false;
  const api = await serve((request, response) => {
    answer(request, response);
    if (api.requests.length < most || isOver) return;
    isOver = true;
    if (event === "close") child.stdout.destroy();
    else process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), event);
  });
  const program = [childNode, launcher, "test", "--accounts", "accounts.jsonl", ...args];
  const child = spawn("unshare", ["--mount", "sh", "-c", script, "sh", ...program], {
    cwd: folder,
    env: { ...childHome, PATH: process.env.PATH, REFERRAL_BASE_URL: api.url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => (stdout += text));
  child.stderr.on("data", (text) => (stderr += text));
  const [exitCode]: (number | null)[] = await once(child, "close");
  const read = (name: string): string | null =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : null;
  return { api, exitCode, stdout, stderr, read, list: () => readdirSync(join(folder, "kept")).toSorted() };
}

/** How many checks have each outcome if all are made. */
export const whole = tally(
  Array.from({ length: count }, (_, index) => {
    if (index % 500 === 7) return "timeout";
    if (index % 50 === 5) return "not-checked";
    return ["accepted", "rejected", "unavailable", "unexpected", "unreachable"][index % 10] ?? "accepted";
  }),
);
