import { expect, test } from "vitest";
import { combinedExitCode, exitCodeOf, exitCodes } from "../src/exit-codes.ts";

const kindOf = new Map(
  Object.entries(exitCodeOf).map(([kind, code]) => [code, kind as keyof typeof exitCodeOf]),
);

test("of several outcomes the first of 1, 4, 6, 5, 8, 7 and 3 counts, whichever came first, and success counts last", () => {
  const promised = [1, 4, 6, 5, 8, 7, 3, 0] as const;
  const kinds = promised.map((code) => kindOf.get(code) ?? expect.fail(`no outcome has ${code}`));
  expect(kinds.toSorted()).toEqual(Object.keys(exitCodeOf).toSorted());

  for (const [index, kind] of kinds.entries()) {
    const later = kinds.slice(index);
    expect(combinedExitCode(later), kind).toBe(exitCodeOf[kind]);
    expect(combinedExitCode(later.toReversed()), kind).toBe(exitCodeOf[kind]);
  }
});

test("every code is told once, in ascending order, by the name of its outcome", () => {
  const codes = exitCodes.map(({ code }) => code as number);
  expect(codes).toEqual([...new Set(codes)].toSorted((one, other) => one - other));
  expect(
    exitCodes.filter(({ code }) => kindOf.has(code as never)).map(({ code, name }) => [name, code]),
  ).toEqual(Object.entries(exitCodeOf).toSorted(([, one], [, other]) => one - other));
});
