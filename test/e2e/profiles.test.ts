import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseShard, shardOf } from "../../src/commands/shard.ts";
import { Interrupted } from "../../src/mistake.ts";
import { numRuns } from "../properties/runs.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const rc = (
  url: string,
  profiles: Readonly<Record<string, Readonly<Record<string, string | number>>>>,
): string => JSON.stringify({ baseUrl: url, token: planted.token, profiles });

/** Profiles named p0, p1 and so on, which inherit everything. */
const plain = (count: number): Record<string, Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}]));

interface CheckDocument {
  readonly profile: string;
  readonly method: string | null;
  readonly outcome: string;
}
const checksOf = (stdout: string): readonly CheckDocument[] => JSON.parse(stdout).checks;

describe.each(ways)("profiles, %s,", (_, run) => {
  test("--all checks every profile in the order of the file, whichever ends first", async () => {
    let open = 0;
    const api = await serve((_request, response) => {
      open += 1;
      setTimeout(() => json(response, 200, success), 60 / open);
    });
    const homeFolder = folderWith({ ".referralrc": rc(api.url, plain(6)) });

    const result = await run(["test", "--all", "--json"], { homeFolder });

    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(checksOf(result.stdout).map(({ profile }) => profile)).toEqual([
      "p0",
      "p1",
      "p2",
      "p3",
      "p4",
      "p5",
    ]);
    expect(api.requests).toHaveLength(6);
  });

  test("one account's mistake is its own result and stops no other", async () => {
    const api = await emulate();
    const homeFolder = folderWith({
      ".referralrc": rc(api.url, {
        good: {},
        broken: { baseUrl: "ftp://x" },
        wrong: { token: "not-the-token" },
        incomplete: { username: "me@example.com" },
      }),
    });

    const result = await run(["test", "--all", "--json"], { homeFolder });

    expect(result).toMatchObject({ exitCode: 4, stderr: "" });
    expect(checksOf(result.stdout).map(({ profile, method, outcome }) => [profile, method, outcome])).toEqual(
      [
        ["good", "token", "accepted"],
        ["broken", null, "not-checked"],
        ["wrong", "token", "rejected"],
        ["incomplete", null, "not-checked"],
      ],
    );
    expect(leaks(result.everything)).toEqual([]);
  });

  test("--profile may be repeated, and a single unknown one ends the run with a suggestion", async () => {
    const api = await emulate();
    const homeFolder = folderWith({ ".referralrc": rc(api.url, { north: {}, south: {} }) });

    const both = await run(["test", "--profile", "south", "--profile", "north", "--json"], { homeFolder });
    expect(checksOf(both.stdout).map(({ profile }) => profile)).toEqual(["south", "north"]);

    const unknown = await run(["test", "--profile", "nort"], { homeFolder });
    expect(unknown).toMatchObject({ exitCode: 3, stdout: "" });
    expect(unknown.stderr).toContain("Did you mean north?");
  });

  test("the text report names the accepted in a line each, the others in full, and counts", async () => {
    const api = await emulate();
    const homeFolder = folderWith({ ".referralrc": rc(api.url, { good: {}, wrong: { token: "no" } }) });

    const result = await run(["test", "--all"], { homeFolder });

    expect(result.stdout).toMatch(/^accepted {2}token of good: .*\nREJECTED {2}token of wrong: /);
    expect(result.stdout).toMatch(/\n1 accepted, 1 rejected\n$/);
  });
});

describe("several checks at once", () => {
  test("never exceed --concurrency", async () => {
    let open = 0;
    let most = 0;
    const api = await serve((_, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        json(response, 200, success);
      }, 5);
    });
    const homeFolder = folderWith({ ".referralrc": rc(api.url, plain(30)) });

    expect((await runInProcess(["test", "--all", "--concurrency", "3"], { homeFolder })).exitCode).toBe(0);

    expect(most).toBe(3);
  });

  test("a 429 pauses its own origin for what it asks, and no other", async () => {
    const limited = await serve((_, response) =>
      limited.requests.length === 1
        ? json(response, 429, {}, { "retry-after": "7" })
        : json(response, 200, success),
    );
    const free = await serve((_, response) => json(response, 200, success));
    const profiles = { a: {}, b: { baseUrl: free.url }, c: {}, d: { baseUrl: free.url } };
    const homeFolder = folderWith({ ".referralrc": rc(limited.url, profiles) });
    const waits: number[] = [];
    let now = Date.parse("2026-11-21T12:00:00Z");

    const result = await runInProcess(["test", "--all", "--json", "--concurrency", "1"], {
      homeFolder,
      now: () => now,
      waits: {
        push: (milliseconds) => {
          waits.push(milliseconds);
          now += milliseconds;
        },
      },
    });

    expect(checksOf(result.stdout).map(({ outcome }) => outcome)).toEqual([
      "unavailable",
      "accepted",
      "accepted",
      "accepted",
    ]);
    expect(waits).toEqual([7_000]);
    expect(free.requests).toHaveLength(2);
  });

  test("an interruption reports what was finished and exits 130", async () => {
    const controller = new AbortController();
    const api = await serve((_, response) => {
      if (api.requests.length > 10) controller.abort(new Interrupted("SIGINT"));
      else json(response, 200, success);
    });
    const homeFolder = folderWith({ ".referralrc": rc(api.url, plain(1_000)) });

    const result = await runInProcess(["test", "--all", "--json"], {
      homeFolder,
      interrupted: controller.signal,
    });

    expect(result.exitCode).toBe(130);
    const document = JSON.parse(result.stdout);
    expect(document).toMatchObject({ ok: false, exitCode: 130 });
    expect(document.checks.length).toBeGreaterThan(0);
    expect(document.checks.length).toBeLessThanOrEqual(10);
    expect(await api.openConnections()).toBe(0);
  });
});

describe("shards", () => {
  test("are disjoint, and together they are the whole", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        (items, count) => {
          const shards = Array.from({ length: count }, (_, index) =>
            shardOf(items, parseShard(`${index + 1}/${count}`)),
          );
          expect(shards.flat().toSorted()).toEqual(items.toSorted());
          const sizes = shards.map(({ length }) => length);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns },
    );
  });

  test("--shard 1/7 to 7/7 of the command are exactly --all", async () => {
    const api = await serve((_, response) => json(response, 200, success));
    const homeFolder = folderWith({ ".referralrc": rc(api.url, plain(17)) });
    const profilesOf = async (args: readonly string[]) =>
      checksOf((await runInProcess(["test", "--all", "--json", ...args], { homeFolder })).stdout).map(
        ({ profile }) => profile,
      );

    const shards = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map((index) => profilesOf(["--shard", `${index}/7`])),
    );

    expect(shards.flat().toSorted()).toEqual((await profilesOf([])).toSorted());
  });

  test("a shard beyond the last profile has nothing to check and exits 0", async () => {
    const homeFolder = folderWith({ ".referralrc": rc("https://api.example", plain(1)) });
    const result = await runInProcess(["test", "--all", "--json", "--shard", "2/2"], { homeFolder });
    expect(result.exitCode).toBe(0);
    expect(checksOf(result.stdout)).toEqual([]);
  });

  test.each(["0/3", "4/3", "1", "a/b", "1/0", "-1/3", "1/3/5"])(
    "--shard %s is wrong usage",
    async (shard) => {
      const result = await runInProcess(["test", "--all", "--shard", shard]);
      expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    },
  );

  test("--shard without profiles is wrong usage", async () => {
    expect((await runInProcess(["test", "--shard", "1/2"])).exitCode).toBe(2);
  });
});

describe("reports for CI", () => {
  const profiles = { good: {}, "we<ird\u202e&\n::error::": { token: "no" }, broken: { baseUrl: "ftp://x" } };

  test("--junit writes one case a check: refused is a failure, unknown an error", async () => {
    const api = await emulate();
    const homeFolder = folderWith({ ".referralrc": rc(api.url, profiles) });
    const workingFolder = folderWith();

    const result = await runInProcess(["test", "--all", "--junit", "report.xml", "--quiet"], {
      homeFolder,
      workingFolder,
    });

    const xml = readFileSync(join(workingFolder, "report.xml"), "utf8");
    expect(result).toMatchObject({ exitCode: 4, everything: "" });
    expect(xml).toContain('<testsuite name="referral-auth" tests="3" failures="1" errors="1" skipped="0"');
    expect(xml.match(/<testcase /g)).toHaveLength(3);
    expect(xml).toContain('classname="referral-auth.we&lt;ird\\u{202e}&amp;\\n\\x3a:error\\x3a:"');
    expect(xml).toContain('<error type="not-checked"');
    expect(leaks(xml)).toEqual([]);
  });

  test("a JUnit file that cannot be written exits 1", async () => {
    const api = await emulate();
    const homeFolder = folderWith({ ".referralrc": rc(api.url, profiles) });
    const result = await runInProcess(["test", "--all", "--junit", "missing/report.xml"], {
      homeFolder,
      workingFolder: folderWith(),
    });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain("could not be written");
  });

  test("under GitHub Actions each failed check is annotated, and the summary has their table", async () => {
    const api = await emulate();
    const homeFolder = folderWith({ ".referralrc": rc(api.url, profiles) });
    const folder = folderWith({ "summary.md": "# before\n" });

    const result = await runInProcess(["test", "--all"], {
      homeFolder,
      environment: { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(folder, "summary.md") },
    });

    const commands = result.stdout.split("\n").filter((line) => line.trimStart().startsWith("::"));
    expect(commands).toHaveLength(2);
    expect(commands.every((line) => /^::error title=[^:,]*::\S/.test(line))).toBe(true);
    const summary = readFileSync(join(folder, "summary.md"), "utf8");
    expect(summary).toMatch(/^# before\n### referral-auth: 1 accepted, 1 rejected, 1 not-checked\n/);
    expect(summary).not.toContain("we<ird");
    expect(summary.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(3);
  });
});
