import { describe, expect, test } from "vitest";
import { exitCodes } from "../../src/exit-codes.ts";
import { version } from "../../src/version.ts";
import { runInProcess, ways } from "../support/run.ts";

test("--version prints the version alone", async () => {
  const printed = { exitCode: 0, stderr: "", stdout: `${version}\n` };
  expect(await runInProcess(["--version"])).toMatchObject(printed);
});

describe.each(ways)("help, %s,", (_, run) => {
  test.each([[[]], [["test"]], [["header"]], [["config"]], [["emulator"]], [["completion"]], [["help"]]])(
    "%j prints what --help prints, and exits 0",
    async (command) => {
      const expected = await run([...command, "--help"]);
      expect(await run(["help", ...command])).toEqual(expected);
      expect(expected).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringMatching(/^\S/) });
      expect(expected.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    },
  );
});

test("the help of test has a group for every option, and ends with the exit codes and two examples", async () => {
  const { stdout } = await runInProcess(["test", "--help"]);
  const groups = ["Credentials:", "Request:", "Accounts:", "Output:", "WSSE conventions:"];
  expect(stdout.match(/^[A-Z][A-Za-z ]+:$/gm)).toEqual([...groups, "Exit codes:", "Examples:"]);
  const end = stdout.slice(stdout.indexOf("Exit codes:"));
  expect(end.match(/^ +\d+ {2}\S/gm)).toHaveLength(exitCodes.length);
  expect(end.match(/^ {2}\$ /gm)).toHaveLength(2);
  expect(end.trimEnd().split("\n").at(-1)).toMatch(/^ {2}\$ /);
});

test("the help of the program ends with two first steps, and the help of completion names no words of its script", async () => {
  const { stdout } = await runInProcess(["--help"]);
  const end = stdout.slice(stdout.indexOf("First steps:"));
  expect(end.match(/^ {2}\$ referral-auth \S/gm)).toHaveLength(2);
  expect((await runInProcess(["completion", "--help"])).stdout).not.toContain("words");
});
