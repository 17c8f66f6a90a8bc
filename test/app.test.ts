import { expect, test } from "vitest";
import { planted } from "./support/planted.ts";
import { runInProcess } from "./support/run.ts";

const named = Object.assign(new Error("x"), { name: `${planted.secret} x` });
const withStack = (stack: unknown): unknown => Object.assign(new RangeError(planted.secret), { stack });

test.each([
  ["an error", new TypeError(planted.secret), /: TypeError\s+at \S/],
  ["the end of a signal's time", new DOMException(planted.secret, "TimeoutError"), /: TimeoutError\s+at \S/],
  ["an error with a line like a stack", new TypeError(`x\n    at ${planted.secret}`), /: TypeError\s+at \S/],
  ["an error that was given a name", named, /: Error\s+at \S/],
  ["an error whose stack names no place", withStack(planted.secret), /: RangeError\s+at an unknown place$/],
  ["an error without a stack", withStack(undefined), /: RangeError\s+at an unknown place$/],
  ["a text", planted.secret, /: string\s+at an unknown place$/],
])("%s is a bug: exit 1, its kind and place, and nothing of what it says", async (_, thrown, said) => {
  const write = () => Promise.reject(thrown);
  const broken = () => ({ stdout: { isTerminal: false, write } });

  const { exitCode, stderr } = await runInProcess(["config"], { broken });
  const [line = ""] = stderr.split("\n  try");
  expect(exitCode).toBe(1);
  expect(line).toMatch(/^Error: This is a bug in referral-auth/);
  expect(line).toMatch(said);
});
