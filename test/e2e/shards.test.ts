import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseShard, shardFilter } from "../../src/commands/shard.ts";
import { numRuns } from "../properties/runs.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { checksOf, plain, rcOf } from "./profiles.ts";

describe("shards", () => {
  test("are disjoint, and together they are the whole list", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        (items, count) => {
          const shards = Array.from({ length: count }, (_, index) =>
            items.filter(shardFilter(parseShard(`${index + 1}/${count}`))),
          );
          expect(shards.flat().toSorted()).toEqual(items.toSorted());
          const sizes = shards.map(({ length }) => length);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns },
    );
  });

  test.each(["--all", "--accounts=-"])(
    "--shard 1/7 to 7/7 of the command are exactly %s",
    async (accounts) => {
      const api = await serve((_, response) => json(response, 200, success));
      const homeFolder = folderWith({ ".referralrc": rcOf(api.url, plain(17)) });
      // Empty lines belong to no shard.
      const stdin = Object.keys(plain(17))
        .map((profile) => `${JSON.stringify({ profile, token: "a-token" })}\n\n`)
        .join("");
      const profilesOf = async (args: readonly string[]) => {
        const run = await runInProcess(["test", accounts, "--json", ...args], { homeFolder, stdin });
        return checksOf(run.stdout).map(({ profile }) => profile);
      };

      const shards = await Promise.all(
        [1, 2, 3, 4, 5, 6, 7].map((index) => profilesOf(["--shard", `${index}/7`])),
      );

      expect(shards.map(({ length }) => length)).toEqual([3, 3, 3, 2, 2, 2, 2]);
      expect(shards.flat().toSorted()).toEqual((await profilesOf([])).toSorted());
    },
  );

  test.each([
    ["beyond the last profile exits 0", "--all", 1, 0],
    ["beyond the last line exits 0", "--accounts=-", 1, 0],
    ["of no profiles exits 3", "--all", 0, 3],
    ["of no lines exits 3", "--accounts=-", 0, 3],
  ])("a shard %s", async (_, accounts, count, code) => {
    const homeFolder = folderWith({ ".referralrc": rcOf("https://api.example", plain(count)) });
    const given = { homeFolder, stdin: "{}\n".repeat(count) };
    const result = await runInProcess(["test", accounts, "--json", "--shard", "2/2"], given);
    expect(result.exitCode).toBe(code);
    expect(checksOf(result.stdout)).toEqual([]);
  });

  test("a profile that does not exist ends the run in every shard, and nothing is sent", async () => {
    const api = await serve((_, response) => json(response, 200, success));
    const homeFolder = folderWith({ ".referralrc": rcOf(api.url, plain(3)) });
    const chosen = ["--profile", "p0", "--profile", "nosuch"];
    for (const shard of ["1/2", "2/2", "3/3"]) {
      const result = await runInProcess(["test", ...chosen, "--shard", shard], { homeFolder });
      expect(result).toMatchObject({ exitCode: 3, stdout: "" });
      expect(result.stderr).toMatch(/has no such profile[\s\S]*The file has: p0, p1, p2/);
    }
    expect(api.connections()).toBe(0);
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
