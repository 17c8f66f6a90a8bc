import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { checksIn } from "../support/every-run.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { built, childHome, childNode, emptyFolder, launcher } from "../support/run.ts";
import { serveAlways } from "../support/serve.ts";

/** This many lines of accounts, made as they are read. Every hundredth line is invalid. */
function* accounts(count: number): Generator<string> {
  for (let index = 1; index <= count; index += 1)
    yield index % 100 === 0 ? "{\n" : `{"profile":"account-${index}","token":"${planted.token}"}\n`;
}

const peakMemory = fileURLToPath(new URL("../faults/peak-memory.cjs", import.meta.url));

/** Starts the program with a stream on its standard input, which stays open without lines. */
function start(
  url: string,
  lines: Iterable<string> | null,
  args: readonly string[],
  stdout: number | "pipe" = "pipe",
  heap = 24,
) {
  const peakFile = join(folderWith(), "peak");
  // On a busy machine V8 collects late, and the peak says little. No run without reports in files needs 16 MB.
  const NODE_OPTIONS = `--max-old-space-size=${heap} --require ${JSON.stringify(peakMemory)}`;
  const child = spawn(childNode, [launcher, "test", "--accounts", "-", ...args], {
    cwd: emptyFolder,
    env: { ...childHome, REFERRAL_BASE_URL: url, NODE_OPTIONS, PEAK_MEMORY_FILE: peakFile },
    stdio: ["pipe", stdout, "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin?.on("error", () => {});
  if (child.stdin !== null && lines !== null) Readable.from(lines).pipe(child.stdin);
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk) => out.push(chunk));
  child.stderr?.on("data", (chunk) => err.push(chunk));
  const ended = once(child, "close").then(([exitCode]) => ({
    exitCode,
    stdout: Buffer.concat(out).toString(),
    stderr: Buffer.concat(err).toString(),
    peak: Number(readFileSync(peakFile, "latin1")),
  }));
  return { child, ended };
}

describe("a stream of accounts", () => {
  test.runIf(built)(
    "takes at most 3 kB for each further account, with all reports",
    { timeout: 240_000 },
    async () => {
      const peaks: number[] = [];
      for (const count of [5_000, 20_000]) {
        const folder = folderWith();
        const files = ["--junit", join(folder, "report.xml"), "--metrics", join(folder, "metrics.prom")];
        const args = ["--json", "--concurrency", "64", ...files];
        // A refused connection is the fastest result, so that the test checks more accounts.
        const running = start(
          "http://127.0.0.1:1",
          accounts(count),
          args,
          openSync(join(folder, "out.json"), "w"),
          24 + (count * 3) / 1000,
        );
        const { exitCode, peak, stderr } = await running.ended;
        expect([exitCode, stderr]).toEqual([7, ""]);
        peaks.push(peak);
        expect(JSON.parse(readFileSync(join(folder, "out.json"), "utf8")).checks).toHaveLength(count);
        const xml = readFileSync(join(folder, "report.xml"), "utf8");
        expect(xml).toContain(`tests="${count}" failures="0" errors="${count}"`);
        expect(xml.match(/<testcase /g)).toHaveLength(count);
        expect(readdirSync(folder).toSorted()).toEqual(["metrics.prom", "out.json", "report.xml"]);
      }
      const [short = 0, long = 0] = peaks;
      expect(long).toBeLessThan(150 * 1024);
      expect(long - short).toBeLessThan(15_000 * 3);
    },
  );

  test("that is interrupted loses no finished result, and reports how many lines were read", async () => {
    const api = await serveAlways();
    const { child, ended } = start(api.url, accounts(200_000), ["--ndjson"]);
    while (api.requests.length < 500) await delay(10);
    child.kill("SIGINT");

    const { exitCode, stdout, stderr } = await ended;
    expect(exitCode).toBe(130);
    const told =
      /^interrupted: (\d+) accepted(?:, (\d+) not-checked)?, (\d+) not checked; (\d+) lines read, the rest was not read\n$/;
    const [, ...counts] = told.exec(stderr) ?? [];
    const [accepted = 0, broken = 0, left = 0, read = 0] = counts.map((text) => Number(text ?? 0));
    expect(checksIn(stdout)).toHaveLength(accepted + broken);
    expect(accepted).toBeGreaterThan(400);
    // Each line that was read is finished or counted as left, and few lines are read ahead.
    expect(accepted + broken + left).toBe(read);
    expect(left).toBeLessThanOrEqual(16 * 8);
    // Each answered request has a result, except the ones that were still running.
    expect(api.requests.length - accepted).toBeLessThanOrEqual(8);
  });
});
