import fc from "fast-check";
import { expect, test } from "vitest";
import { inOrder } from "../../src/report/in-order.ts";
import type { ReportWriter } from "../../src/report/report-writer.ts";
import { numRuns } from "../properties/runs.ts";
import { ended, reported } from "../support/outcomes.ts";

/** A writer that notes what it gets. */
function noting() {
  const got: string[] = [];
  const writer: ReportWriter = {
    add: ({ profile, method }) => void got.push(`${profile} ${method}`),
    finish: async () => void got.push("end"),
  };
  return { got, writer: inOrder(writer) };
}

const check = (position: number, method: "token" | "wsse" = "token") =>
  reported({ position, profile: `p${position}`, method });

test("results have the order of the accounts, whichever is finished first, and none waits longer than it must", async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 6 }), async (order) => {
      const { got, writer } = noting();
      const done = new Set<number>();
      for (const position of order) {
        await writer.add(check(position));
        await writer.add(check(position, "wsse"));
        await writer.accountFinished?.(check(position));
        done.add(position);
        const due = [1, 2, 3, 4, 5, 6].findIndex((one) => !done.has(one));
        expect(got).toHaveLength(2 * (due < 0 ? 6 : due));
      }
      await writer.finish(ended);
      const all = [1, 2, 3, 4, 5, 6].flatMap((one) => [`p${one} token`, `p${one} wsse`]);
      expect(got).toEqual([...all, "end"]);
    }),
    { numRuns: Math.min(numRuns, 100) },
  );
});

test("the first unfinished account holds back others, and not its own results", async () => {
  const { got, writer } = noting();
  await writer.add(check(2));
  await writer.accountFinished?.(check(2));
  await writer.add(check(1));
  expect(got).toEqual(["p1 token"]);
});

test("the end of an interrupted run writes what still waits, in order", async () => {
  const { got, writer } = noting();
  for (const position of [4, 2]) await writer.add(check(position));
  await writer.accountFinished?.(check(4));
  await writer.finish(ended);
  expect(got).toEqual(["p2 token", "p4 token", "end"]);
});
