import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { started } from "../support/child.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { built, childHome, childNode, launcher } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const count = 2_000;
const files = ["--junit", "small/report.xml", "--metrics", "run.prom"];
/** What the shell does before a run that leaves an old report. */
const old = "echo old > small/report.xml";

/**
 * Checks all accounts in a folder with a disk of this size at `small`, of which `kept` is a copy afterwards. `killedAt`: the run is
 * killed when so many requests have come.
 */
async function run(args: readonly string[], size: string, before: string, killedAt = Infinity) {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ profile: `account-${index}`, token: planted.token }),
  );
  const folder = folderWith({ "accounts.jsonl": lines.join("\n"), "small/.kept": "", "kept/.kept": "" });
  const script = `mount -t tmpfs -o size=${size} none small || exit 99
    ${before}
    "$@" & echo $! > pid; wait $!; code=$?
    cp -a small/. kept/; exit $code`;
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const api = await serve((_request, response) => {
    json(response, 200, success);
    if (api.requests.length === killedAt) process.kill(Number(read("pid")), "SIGKILL");
  });
  const program = [childNode, launcher, "test", "--accounts", "accounts.jsonl", ...args];
  const { child, ended } = started(["unshare", "--mount", "sh", "-c", script, "sh", ...program], {
    cwd: folder,
    env: { ...childHome, PATH: process.env.PATH, REFERRAL_BASE_URL: api.url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { ...(await ended), read, list: () => readdirSync(join(folder, "kept")).toSorted() };
}

// A mount namespace of its own: only root can make it.
describe.runIf(built && process.getuid?.() === 0)("on a real full disk", () => {
  const allAccepted = `\nreferral_auth_checks{report="run",outcome="accepted"} ${count}\n`;

  test("that has no room for a report, every check is made, the other report is whole, and no half or old one stays", async () => {
    const { exitCode, stdout, stderr, read, list } = await run([...files, "--json"], "100k", old);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("(ENOSPC)");
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ exitCode: 1, notChecked: 0, notRead: false, error: { code: 1 } });
    expect(document.checks).toHaveLength(count);
    expect(read("run.prom")).toContain(allAccepted);
    expect(list()).toEqual([".kept"]);
  });

  test("that takes only a part of what is printed, the code is 1", async () => {
    // The last write is larger than what is left.
    const before = "exec > small/out; dd if=/dev/zero of=small/full bs=1k count=60 2> dd";
    const { exitCode, stderr, read } = await run(["--json", "--metrics", "run.prom"], "64k", before);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Error: The result could not be written");
    expect(read("run.prom")).toContain(allAccepted);
  });

  test("a killed run leaves the old report, and nothing half under its name", async () => {
    for (const moment of [1, 900, 1_700]) {
      const { exitCode, read, list } = await run(files, "100m", old, moment);
      expect([exitCode, read("kept/report.xml")]).toEqual([137, "old\n"]);
      const unfinished = expect.stringMatching(/^report\.xml\.[0-9a-f]{12}\.tmp$/);
      expect(list()).toEqual([".kept", "report.xml", unfinished]);
    }
  });
});
