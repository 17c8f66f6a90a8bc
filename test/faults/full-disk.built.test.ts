import { describe, expect, test } from "vitest";
import { built } from "../support/run.ts";
import { count, night, whole } from "./night.ts";
import { type Said, saidBy } from "./said.ts";

// A real full disk, in a mount namespace of its own: only root can make it.
const isPossible = built && process.getuid?.() === 0;

const files = ["--junit", "small/report.xml", "--metrics", "run.prom"];

describe.runIf(isPossible)("on a real full disk", () => {
  test("that has no room for a report, every check is made, the other report is whole, and no half or old one stays", async () => {
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
  "at twenty moments of a signal, a full disk or a closed pipe, all that was written agrees, and says what was not checked",
  { timeout: 400_000 },
  async () => {
    for (let round = 0; round < 20; round += 1) {
      const moment = (round * 397) % 1_500;
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

test.runIf(isPossible)("a killed run leaves the old report, and nothing half under its name", async () => {
  for (const moment of [1, 900, 1_700]) {
    const before = "echo old > small/report.xml";
    const killed = await night({ args: files, size: "100m", at: [moment, "SIGKILL"], before });
    expect(killed.exitCode).toBe(137);
    expect(killed.read("kept/report.xml")).toBe("old\n");
    expect(killed.list()).toEqual([
      ".kept",
      "report.xml",
      expect.stringMatching(/^report\.xml\.[0-9a-f]{12}\.tmp$/),
    ]);
  }
});
