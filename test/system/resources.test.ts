import { execFileSync } from "node:child_process";
import { afterEach, expect, test, vi } from "vitest";
import { allowLookupsOf } from "../../src/system/resources.ts";

const resources = new URL("../../src/system/resources.ts", import.meta.url).href;

/** The megabytes that V8 gives young objects, after a while in which many are made and some survive. */
function youngMegabytes(before: string): number {
  const script = `
    import { getHeapSpaceStatistics } from "node:v8";
    import { keepHeapSmall } from "${resources}";
    ${before};
    let kept = [];
    for (let round = 0; round < 40; round++) {
      for (let made = 0; made < 20_000; made++) kept.push([made, round]);
      if (kept.length > 60_000) kept = [];
      await new Promise((resolve) => setTimeout(resolve, 6));
    }
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size / 1e6);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }));
}

test("a run over many accounts gives young objects some megabytes, and not all that V8 would take", () => {
  expect(youngMegabytes("")).toBeGreaterThan(20);
  expect(youngMegabytes("keepHeapSmall()")).toBeLessThan(20);
});

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
