import fc from "fast-check";
import { expect, test } from "vitest";
import { parseShard, shardFilter } from "../../src/commands/shard.ts";
import { numRuns } from "../properties/runs.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { checksOf, plain, rcOf } from "./profiles.ts";

test("shards are disjoint, together they are the whole list, and their lengths differ by one at most", () => {
  const lists = fc.uniqueArray(fc.string(), { maxLength: 60 });
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 12 }), (items, count) => {
      const shards = Array.from({ length: count }, (_, index) =>
        items.filter(shardFilter(parseShard(`${index + 1}/${count}`))),
      );
      expect(shards.flat().toSorted()).toEqual(items.toSorted());
      const sizes = shards.map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
    { numRuns },
  );
});

// Empty lines belong to no shard.
test.each([
  ["--all", 5, ["p1", "p3"], 7],
  ["--accounts=-", 5, ["p1", "p3"], 7],
  ["--all", 1, [], 0],
  ["--accounts=-", 1, [], 0],
  ["--all", 0, [], 3],
  ["--accounts=-", 0, [], 3],
])("the second of two shards of %s with %i accounts are %j, and it exits %i", async (...row) => {
  const [accounts, count, names, code] = row;
  const homeFolder = folderWith({ ".referralrc": rcOf("http://127.0.0.1:1", plain(count)) });
  const lines = Object.keys(plain(count)).map((profile) => `${JSON.stringify({ profile, token: "t" })}\n\n`);
  const environment = { REFERRAL_BASE_URL: "http://127.0.0.1:1" };
  const given = { homeFolder, environment, stdin: lines.join("") };
  const result = await runInProcess(["test", accounts, "--json", "--shard", "2/2"], given);
  expect(result.exitCode).toBe(code);
  expect(
    checksOf(result.stdout)
      .map(({ profile }) => profile)
      .toSorted(),
  ).toEqual(names);
});

test("a profile that does not exist ends the run in every shard, and nothing is sent", async () => {
  const homeFolder = folderWith({ ".referralrc": rcOf("http://127.0.0.1:1", plain(3)) });
  const chosen = ["--profile", "p0", "--profile", "nosuch"];
  for (const shard of ["1/2", "2/2", "3/3"]) {
    const result = await runInProcess(["test", ...chosen, "--shard", shard], { homeFolder });
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toMatch(/has no such profile[\s\S]*The file has: p0, p1, p2/);
  }
});
