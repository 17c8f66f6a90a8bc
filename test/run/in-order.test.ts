import fc from "fast-check";
import { expect, test } from "vitest";
import { InOrder } from "../../src/run/reports.ts";
import { numRuns } from "../properties/runs.ts";
import { reported } from "../support/outcomes.ts";

/** An order, what it gives back, and what it has given back so far. */
function noting() {
  const got: string[] = [];
  const ordered = new InOrder();
  const note = (due: ReturnType<InOrder["rest"]>): void => {
    for (const { profile, method } of due) got.push(`${profile} ${method}`);
  };
  return { got, ordered, note };
}

const check = (position: number, method: "token" | "wsse" = "token") =>
  reported({ position, profile: `p${position}`, method });

test("results have the order of the accounts, whichever is finished first, and none waits longer than it must", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 6 }), (order) => {
      const { got, ordered, note } = noting();
      const done = new Set<number>();
      for (const position of order) {
        note(ordered.add(check(position), false));
        note(ordered.add(check(position, "wsse"), true));
        done.add(position);
        const due = [1, 2, 3, 4, 5, 6].findIndex((one) => !done.has(one));
        expect(got).toHaveLength(2 * (due < 0 ? 6 : due));
      }
      note(ordered.rest());
      const all = [1, 2, 3, 4, 5, 6].flatMap((one) => [`p${one} token`, `p${one} wsse`]);
      expect(got).toEqual(all);
    }),
    { numRuns: Math.min(numRuns, 100) },
  );
});

test("the first unfinished account holds back others, and not its own results", () => {
  const { got, ordered, note } = noting();
  note(ordered.add(check(2), true));
  note(ordered.add(check(1), false));
  expect(got).toEqual(["p1 token"]);
});

test("the end of an interrupted run writes what still waits, in order", () => {
  const { got, ordered, note } = noting();
  for (const position of [4, 2]) note(ordered.add(check(position), position === 4));
  note(ordered.rest());
  expect(got).toEqual(["p2 token", "p4 token"]);
});
