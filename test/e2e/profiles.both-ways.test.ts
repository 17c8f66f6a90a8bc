import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { parseShard, shardFilter } from "../../src/run/options.ts";

import { numRuns } from "../properties/runs.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { contextOf, runInProcess, ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { linesOf } from "./accounts.ts";
import { checksOf, plain, rcOf } from "./profiles.ts";

const inJunit = (folder: string) =>
  readFileSync(join(folder, "report.xml"), "utf8").match(/(?<="referral-auth\.)p\d/g);

describe.each(ways)("profiles, %s,", (_, run) => {
  test("--all reports every profile in the order of the file, even if a later one ends first", async () => {
    const api = await serve((_request, response) => {
      setTimeout(() => json(response, 200, success), 60 / api.requests.length);
    });
    const names = Object.keys(plain(6));
    const homeFolder = folderWith({ ".referralrc": rcOf(api.url, plain(6)) });
    const workingFolder = folderWith();

    const args = ["test", "--all", "--json", "--junit", "report.xml"];
    const result = await run(args, { homeFolder, workingFolder });

    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(checksOf(result.stdout).map(({ profile }) => profile)).toEqual(names);
    expect(inJunit(workingFolder)).toEqual(names);
    expect(api.requests).toHaveLength(6);
  });

  test("invalid settings of one account are its result and do not stop the others", async () => {
    const api = await emulate();
    const profiles = {
      good: {},
      broken: { baseUrl: "ftp://x" },
      wrong: { token: "not-the-token" },
      incomplete: { username: "me@example.com" },
    };

    const result = await run(["test", "--all", "--json"], {
      homeFolder: folderWith({ ".referralrc": rcOf(api.url, profiles) }),
    });

    expect(result).toMatchObject({ exitCode: 4, stderr: "" });
    const checks = checksOf(result.stdout).map(({ profile, method, outcome }) => [profile, method, outcome]);
    expect(checks).toEqual([
      ["good", "token", "accepted"],
      ["broken", null, "not-checked"],
      ["wrong", "token", "rejected"],
      ["incomplete", null, "not-checked"],
    ]);
  });
});

test.each([
  ["--all", ["p0", "p1", "p2", "p3"]],
  ["--accounts=-", ["p1", "p2", "p3", "p0"]],
])(
  "%s --ndjson prints each result as soon as it is finished, also behind one that hangs; JUnit of profiles keeps their order",
  async (accounts, expected) => {
    const later: (() => void)[] = [];
    const api = await serve((_, response) => {
      const answer = (): void => json(response, 200, success);
      if (api.requests.length > 1) answer();
      else later.push(answer);
    });
    const folder = folderWith({ ".referralrc": rcOf(api.url, plain(4)) });
    const lines = Object.keys(plain(4)).map((profile) => JSON.stringify({ profile, token: "a-token" }));
    const args = ["test", accounts, "--ndjson", "--concurrency", "2", "--junit", "report.xml"];
    const own = contextOf(args, { homeFolder: folder, workingFolder: folder, stdin: lines.join("\n") });
    const write = async (text: string): Promise<void> => {
      await own.stdout.write(text);
      // The first request is answered once all others are reported.
      if (own.stdout.text.split("\n").length === 4) later[0]?.();
    };
    expect(await main({ ...own, stdout: { ...own.stdout, write } })).toBe(0);
    expect(linesOf(own.stdout.text).map(({ profile }) => profile)).toEqual(["p1", "p2", "p3", "p0"]);
    expect(inJunit(folder)).toEqual(expected);
  },
);

test.each([
  ["for what it asks", { "retry-after": "7" }, 7_000],
  ["for nothing where the pause is 0", { "retry-after": "0" }, null],
  ["for nothing where it asks for nothing", {}, null],
])("a 429 pauses its own origin %s, and no other", async (_, headers, pause) => {
  const limited = await serve((_, response) =>
    limited.requests.length === 1 ? json(response, 429, {}, headers) : json(response, 200, success),
  );
  const free = await serve((_, response) => json(response, 200, success));
  const profiles = { a: {}, b: { baseUrl: free.url }, c: {}, d: { baseUrl: free.url } };
  const waits: number[] = [];
  let now = Date.parse("2026-11-21T12:00:00Z");
  const push = (milliseconds: number) => {
    waits.push(milliseconds);
    now += milliseconds;
  };

  const result = await runInProcess(["test", "--all", "--json", "--concurrency", "1"], {
    homeFolder: folderWith({ ".referralrc": rcOf(limited.url, profiles) }),
    now: () => now,
    waits: { push },
  });

  const outcomes = checksOf(result.stdout).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(["unavailable", "accepted", "accepted", "accepted"]);
  expect(waits).toEqual(pause === null ? [] : [pause]);
  expect(result.stderr.includes("asks for a pause")).toBe(pause !== null);
  expect(free.requests).toHaveLength(2);
});

test.each(["--all", "--accounts=-"])(
  "a run over %s warns once that another base URL counts",
  async (accounts) => {
    const { url: baseUrl } = await emulate();
    const homeFolder = folderWith({ ".referralrc": rcOf(baseUrl, plain(2)) });
    const stdin = `${JSON.stringify({ baseUrl, token: planted.token })}\n`.repeat(2);
    const environment = { REFERRAL_BASE_URL: "http://127.0.0.1:1" };
    const run = await runInProcess(["test", accounts], { environment, homeFolder, stdin });
    expect(run.exitCode).toBe(0);
    expect(run.stderr.match(/Warning: REFERRAL_BASE_URL is set and not used/g)).toHaveLength(1);
  },
);

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
  ["--all", 5, ["p1", "p3"], 7, /^$/],
  ["--accounts=-", 5, ["p1", "p3"], 7, /^$/],
  ["--all", 1, [], 0, /holds no account\n$/],
  ["--accounts=-", 1, [], 0, /holds no account\n$/],
  ["--all", 0, [], 3, /--all checks every profile, and .* has none\n/],
  ["--accounts=-", 0, [], 3, /--accounts has no account\n/],
])("the second of two shards of %s with %i accounts are %j, and it exits %i", async (...row) => {
  const [accounts, count, names, code, said] = row;
  const homeFolder = folderWith({ ".referralrc": rcOf("http://127.0.0.1:1", plain(count)) });
  const lines = Object.keys(plain(count)).map((profile) => `${JSON.stringify({ profile, token: "t" })}\n\n`);
  const environment = { REFERRAL_BASE_URL: "http://127.0.0.1:1" };
  const given = { homeFolder, environment, stdin: lines.join("") };
  const result = await runInProcess(["test", accounts, "--json", "--shard", "2/2"], given);
  expect(result.exitCode).toBe(code);
  expect(result.stderr).toMatch(said);
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
