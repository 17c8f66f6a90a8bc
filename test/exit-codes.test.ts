import { expect, test } from "vitest";
import { InputError, Interrupted, OutputError } from "../src/errors.ts";
import { combinedExitCode, exitCodeOf, exitCodeOfError, exitCodes } from "../src/exit-codes.ts";

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

test.each([
  [new InputError("usage", "", ""), 2],
  [new InputError("settings", "", ""), 3],
  [new Interrupted("SIGHUP"), 129],
  [new Interrupted("SIGINT"), 130],
  [new Interrupted("SIGTERM"), 143],
  [new OutputError(""), 1],
  [new TypeError(""), 1],
  ["a text that was thrown", 1],
])("%o ends a run with %i", (error, code) => {
  expect(exitCodeOfError(error)).toBe(code);
});
