import { afterEach, expect, test, vi } from "vitest";
import { allowLookupsOf } from "../../src/system/resources.ts";
import { place, plain } from "../e2e/profiles.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([
  [1, undefined, "4"],
  [2, undefined, "4"],
  [3, undefined, "6"],
  [80, undefined, "160"],
  [Number.POSITIVE_INFINITY, undefined, "160"],
  [Number.POSITIVE_INFINITY, "7", "7"],
  [Number.POSITIVE_INFINITY, "", ""],
])("for %s names, and %o set by the user, libuv gets %o threads", (names, given, threads) => {
  vi.stubEnv("UV_THREADPOOL_SIZE", given);
  allowLookupsOf(names);
  expect(process.env.UV_THREADPOOL_SIZE).toBe(threads);
});

test("a run is allowed a lookup for each profile, and a stream of accounts as many as there may be", async () => {
  const asked: number[] = [];
  const { run } = await place({ profiles: plain(3), files: { accounts: "" } });
  for (const args of [["--all"], ["--accounts", "accounts"]])
    await run(args, { broken: () => ({ allowLookupsOf: (names) => void asked.push(names) }) });
  expect(asked).toEqual([3, Number.POSITIVE_INFINITY]);
});
