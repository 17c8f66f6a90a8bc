import { expect, test } from "vitest";
import { main } from "../src/app.ts";
import { leaks, planted } from "./support/planted.ts";
import { contextOf, runInProcess } from "./support/run.ts";

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
  const own = contextOf(["config"]);
  const write = () => Promise.reject(thrown);

  expect(await main({ ...own, stdout: { ...own.stdout, write } })).toBe(1);
  const [line = ""] = own.stderr.text.split("\n  try");
  expect(line).toMatch(/^Error: This is a bug in referral-auth/);
  expect(line).toMatch(said);
  expect(leaks(own.stderr.text)).toEqual([]);
});

test.each([
  [["test", `--json=${planted.token}`], "--json takes no value"],
  [["test", `--help=${planted.token}`], "--help takes no value"],
  [["header", "--token", "--profile", planted.token, "--profile", "other"], "--profile is given twice"],
  [["config", "--profile", planted.token, "--profile", "other"], "--profile is given twice"],
])("%j is wrong usage, and the mistake is named", async (args, message) => {
  const run = await runInProcess(args);
  expect(run).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(message) });
});
