import fc from "fast-check";
import { expect, test } from "vitest";
import { InOrder } from "../../src/run/reports.ts";
import { numRuns } from "../properties/runs.ts";
import { reported } from "../support/outcomes.ts";

const check = (position: number, method: "token" | "wsse" = "token") =>
  reported({ position, profile: `p${position}`, method });
const namesOf = (due: ReturnType<InOrder["rest"]>) =>
  due.map(({ profile, method }) => `${profile} ${method}`);

test("results have the order of the accounts, whichever is finished first, and none waits longer than it must", () => {
  const positions = [1, 2, 3, 4, 5, 6];
  fc.assert(
    fc.property(fc.shuffledSubarray(positions, { minLength: 6 }), (order) => {
      const got: string[] = [];
      const ordered = new InOrder();
      const done = new Set<number>();
      for (const position of order) {
        got.push(...namesOf(ordered.add(check(position), false)));
        got.push(...namesOf(ordered.add(check(position, "wsse"), true)));
        done.add(position);
        const due = positions.findIndex((one) => !done.has(one));
        expect(got).toHaveLength(2 * (due < 0 ? 6 : due));
      }
      expect(ordered.rest()).toEqual([]);
      expect(got).toEqual(positions.flatMap((one) => [`p${one} token`, `p${one} wsse`]));
    }),
    { numRuns: Math.min(numRuns, 100) },
  );
});

test("the first unfinished account holds back others, and not its own results", () => {
  const ordered = new InOrder();
  expect(ordered.add(check(2), true)).toEqual([]);
  expect(namesOf(ordered.add(check(1), false))).toEqual(["p1 token"]);
});

test("the end of an interrupted run writes what still waits, in order", () => {
  const ordered = new InOrder();
  for (const position of [4, 2]) ordered.add(check(position), position === 4);
  expect(namesOf(ordered.rest())).toEqual(["p2 token", "p4 token"]);
});
