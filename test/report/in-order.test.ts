import fc from "fast-check";
import { expect, test } from "vitest";
import { inOrder } from "../../src/report/in-order.ts";
import { numRuns } from "../properties/runs.ts";
import { reported } from "../support/outcomes.ts";

/** An order that notes what it writes. */
function noting() {
  const got: string[] = [];
  const ordered = inOrder(async ({ profile, method }) => void got.push(`${profile} ${method}`));
  return { got, ordered };
}

const check = (position: number, method: "token" | "wsse" = "token") =>
  reported({ position, profile: `p${position}`, method });

test("results have the order of the accounts, whichever is finished first, and none waits longer than it must", async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 6 }), async (order) => {
      const { got, ordered } = noting();
      const done = new Set<number>();
      for (const position of order) {
        await ordered.add(check(position), false);
        await ordered.add(check(position, "wsse"), true);
        done.add(position);
        const due = [1, 2, 3, 4, 5, 6].findIndex((one) => !done.has(one));
        expect(got).toHaveLength(2 * (due < 0 ? 6 : due));
      }
      await ordered.rest();
      const all = [1, 2, 3, 4, 5, 6].flatMap((one) => [`p${one} token`, `p${one} wsse`]);
      expect(got).toEqual(all);
    }),
    { numRuns: Math.min(numRuns, 100) },
  );
});

test("the first unfinished account holds back others, and not its own results", async () => {
  const { got, ordered } = noting();
  await ordered.add(check(2), true);
  await ordered.add(check(1), false);
  expect(got).toEqual(["p1 token"]);
});

test("the end of an interrupted run writes what still waits, in order", async () => {
  const { got, ordered } = noting();
  for (const position of [4, 2]) await ordered.add(check(position), position === 4);
  await ordered.rest();
  expect(got).toEqual(["p2 token", "p4 token"]);
});
