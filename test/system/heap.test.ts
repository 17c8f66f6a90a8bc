import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const heap = new URL("../../src/system/heap.ts", import.meta.url).href;

/** The megabytes that V8 gives young objects, after a while in which many are made and some survive. */
function youngMegabytes(before: string): number {
  const script = `
    import { getHeapSpaceStatistics } from "node:v8";
    import { keepHeapSmall } from "${heap}";
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
