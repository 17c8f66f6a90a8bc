import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { built, childHome, childNode, launcher } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

// A real full disk, in a mount namespace of its own: only root can make it.
const isPossible = built && process.getuid?.() === 0;

/** How many accounts a run has; each tenth is refused, and so on: see `lineOf`. */
const count = 2_000;

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
async function night({
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

/** What a format says: how many checks had each outcome, and how many accounts were left; null if it does not say. */
interface Said {
  readonly counts: Readonly<Record<string, number>>;
  readonly left: number | null;
  readonly notRead: boolean | null;
}

const tally = (kinds: Iterable<string>): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

const saidBy = {
  junit: (xml: string): Said => {
    const ofAccounts = xml.replace(/<testcase [^>]*name="run"[\s\S]*?<\/testcase>/g, "");
    const cases = ofAccounts.match(/<testcase [^>]*?(?:\/>|>[\s\S]*?<\/testcase>)/g) ?? [];
    const kinds = cases.map((one) => /<(?:failure|error) type="([^"]+)"|<(skipped) /.exec(one));
    const { skipped = 0, ...counts } = tally(kinds.map((kind) => kind?.[1] ?? kind?.[2] ?? "accepted"));
    expect(Number(/tests="(\d+)"/.exec(xml)?.[1])).toBe(xml.match(/<testcase /g)?.length);
    return { counts, left: skipped, notRead: xml.includes("before it had read all accounts") };
  },
  metrics: (text: string): Said => {
    const found = [...text.matchAll(/^referral_auth_checks\{.*outcome="(.*)"\} (\d+)$/gm)];
    const counts = found.map(([, kind = "", value]) => [kind, Number(value)] as const);
    const samples = text.match(/^referral_auth_accepted\{/gm)?.length ?? 0;
    expect(samples).toBe(counts.reduce((sum, [, value]) => sum + value, 0));
    return { counts: Object.fromEntries(counts.filter(([, value]) => value > 0)), left: null, notRead: null };
  },
  json: (text: string): Said => {
    const { checks, notChecked, notRead } = JSON.parse(text);
    return {
      counts: tally(checks.map(({ outcome }: { outcome: string }) => outcome)),
      left: notChecked,
      notRead,
    };
  },
  text: (text: string): Said => {
    const last =
      text
        .trimEnd()
        .split("\n")
        .at(-1)
        ?.replace(/^interrupted: /, "") ?? "";
    const numbers = [...last.matchAll(/(\d+) (accepted|[a-z]+(?:-[a-z]+)?)(?=[,;])/g)];
    const left = / (\d+) not checked/.exec(last)?.[1];
    const counts = numbers.map(([, value, kind = ""]) => [kind, Number(value)] as const);
    return {
      counts: Object.fromEntries(counts),
      left: Number(left ?? 0),
      notRead: last.includes("not read"),
    };
  },
} as const;

const whole = tally(
  Array.from({ length: count }, (_, index) => {
    if (index % 500 === 7) return "timeout";
    if (index % 50 === 5) return "not-checked";
    return ["accepted", "rejected", "unavailable", "unexpected", "unreachable"][index % 10] ?? "accepted";
  }),
);

const files = ["--junit", "small/report.xml", "--metrics", "run.prom"];

describe.runIf(isPossible)("on a real full disk", () => {
  test("that is full before the run, nothing is sent, and the report on another disk has the error", async () => {
    const before = "echo old > small/report.xml; dd if=/dev/zero of=small/full 2> dd";
    const { api, exitCode, stdout, stderr, read, list } = await night({ args: files, size: "64k", before });
    expect([exitCode, stdout, api.requests.length]).toEqual([1, "", 0]);
    expect(stderr.replace(/\s+/g, " ")).toMatch(
      /^Error: --junit: \/\S+\/small\/report\.xml could not be written: no space left on device \(ENOSPC\) try /,
    );
    expect(read("run.prom")).toContain("run_exit_code 1\n");
    expect(list()).toEqual([".kept", "full", "report.xml"]);
  });

  test("that fills up during the run, every check is made, the other report is whole, and no half or old one stays", async () => {
    const before = "echo old > small/report.xml";
    const { exitCode, stdout, stderr, read, list } = await night({
      args: [...files, "--json"],
      size: "100k",
      before,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("(ENOSPC)");
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ exitCode: 1, notChecked: 0, notRead: false, error: { code: 1 } });
    expect(saidBy.json(stdout).counts).toEqual(whole);
    expect(saidBy.metrics(read("run.prom") ?? "").counts).toEqual(whole);
    expect(list()).toEqual([".kept"]);
  });

  test("that takes only a part of what is printed, the code is 1", async () => {
    const args = ["--json", "--metrics", "run.prom"];
    // The last write is larger than what is left.
    const before = "exec > small/out; dd if=/dev/zero of=small/full bs=1k count=60 2> dd";
    const { exitCode, stderr, read } = await night({ args, size: "64k", before });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Error: The result could not be written");
    expect(saidBy.metrics(read("run.prom") ?? "").counts).toEqual(whole);
  });
});

test.runIf(isPossible)(
  "at twenty random moments of a signal, a full disk or a closed pipe, all that was written agrees, and says what was not checked",
  { timeout: 400_000 },
  async () => {
    for (let round = 0; round < Number(process.env.ROUNDS ?? 20); round += 1) {
      const moment = Math.floor(Math.random() * 1_500);
      const form = round % 2 === 0 ? "json" : "text";
      const kind = ["SIGTERM", "disk", "close"][round % 3] ?? "disk";
      const size = kind === "disk" ? `${4 + moment}k` : "100m";
      const where =
        kind === "disk" && round % 4 === 1 ? ["--junit", "report.xml"] : ["--junit", "small/report.xml"];
      const args = [
        ...where,
        "--metrics",
        "small/run.prom",
        "--concurrency",
        "32",
        ...(form === "json" ? ["--json"] : []),
      ];
      const event = kind === "disk" ? {} : { at: [moment, kind as "SIGTERM" | "close"] as const };
      const run = await night({ args, size, ...event });
      const said = (name: keyof typeof saidBy, text: string | null): (Said & { name: string })[] =>
        text === null || text === "" ? [] : [{ name, ...saidBy[name](text) }];
      const all = [
        ...said("junit", run.read("report.xml") ?? run.read("kept/report.xml")),
        ...said("metrics", run.read("kept/run.prom")),
        ...(kind === "close" ? [] : said(form, run.stdout)),
      ];
      const what = JSON.stringify({ round, kind, moment, size, form, stderr: run.stderr });
      const [first] = all;
      for (const one of all) {
        expect(one.counts, what).toEqual(first?.counts);
        if (one.left !== null) expect([one.left, one.notRead], what).toEqual([first?.left, first?.notRead]);
      }
      const done = Object.values(first?.counts ?? {}).reduce((sum, value) => sum + value, 0);
      if (kind !== "SIGTERM") expect(first?.counts ?? whole, what).toEqual(whole);
      else expect(done < count ? first?.left || first?.notRead : true, what).toBeTruthy();
      const failed = kind === "disk" ? all.length < 3 : run.exitCode !== 4;
      expect(run.exitCode, what).toBe(kind === "SIGTERM" && run.exitCode !== 4 ? 143 : failed ? 1 : 4);
      expect(run.list().filter((name) => name.endsWith(".tmp"))).toEqual([]);
    }
  },
);

test.runIf(isPossible)(
  "a killed run leaves nothing half under a report's name, and the next run clears up",
  async () => {
    for (const moment of [1, 900, 1_700]) {
      const killed = await night({
        args: files,
        size: "100m",
        at: [moment, "SIGKILL"],
        before: "echo old > small/report.xml",
      });
      expect(killed.exitCode).toBe(137);
      expect(killed.read("kept/report.xml")).toBe("old\n");
      expect(killed.list()).toEqual([".kept", "report.xml"]);
    }
  },
);
