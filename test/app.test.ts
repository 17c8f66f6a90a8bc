import { expect, test } from "vitest";
import { main } from "../src/app.ts";
import { leaks, planted } from "./support/planted.ts";
import { contextOf, runInProcess } from "./support/run.ts";

const withStack = (stack: unknown): unknown => Object.assign(new RangeError(planted.secret), { stack });

test.each([
  ["an error", new TypeError(planted.secret), /: TypeError\s+at \S/],
  [
    "an error that says something like a stack",
    new TypeError(`x\n    at ${planted.secret}`),
    /: TypeError\s+at \S/,
  ],
  [
    "an error that was given a name",
    Object.assign(new Error("x"), { name: `${planted.secret} x` }),
    /: Error\s+at \S/,
  ],
  ["an error whose stack names no place", withStack(planted.secret), /: RangeError\s+at an unknown place$/],
  ["an error without a stack", withStack(undefined), /: RangeError\s+at an unknown place$/],
  ["a text", planted.secret, /: string\s+at an unknown place$/],
])(
  "%s that nobody expects is a bug: exit 1, its kind and place, and nothing of what it says",
  async (_, thrown, said) => {
    const own = contextOf(["config"]);
    const stdout = {
      ...own.stdout,
      write: () => {
        throw thrown;
      },
    };

    expect(await main({ ...own, stdout })).toBe(1);
    const [line = ""] = own.stderr.text.split("\n  try");
    expect(line).toMatch(/^Error: This is a bug in referral-auth/);
    expect(line).toMatch(said);
    expect(leaks(own.stderr.text)).toEqual([]);
  },
);

test.each(["--json", "--help"])("a value of %s, which takes none, is named as the mistake", async (flag) => {
  const run = await runInProcess(["test", `${flag}=${planted.token}`]);
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain(`${flag} takes no value`);
});

test.each([["header", "--token"], ["config"]])("%s takes one profile", async (...args) => {
  const run = await runInProcess([...args, "--profile", planted.token, "--profile", "other"]);
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain("--profile is given twice");
});
