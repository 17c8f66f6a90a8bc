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

test("the help of test has two examples, then a group for every option, then the exit codes", async () => {
  const { stdout } = await runInProcess(["test", "--help"]);
  expect(stdout).toContain("checks each credential that is set; with a profile, only its own.");
  const groups = ["API and credentials:", "Request:", "Accounts:", "Output:", "WSSE conventions:"];
  expect(stdout.match(/^[A-Z][A-Za-z ]+:$/gm)).toEqual(["Examples:", ...groups, "Exit codes:"]);
  const [examples = "", codes = ""] = stdout
    .split(/^(?:API and credentials|Exit codes):$/m)
    .filter((_, at) => at !== 1);
  expect(examples.match(/^ {2}\$ /gm)).toHaveLength(2);
  expect(codes.match(/\d+(?=, \d| {2})/g)).toEqual(exitCodes.map(({ code }) => String(code)));
  const flags = stdout.match(/^ {2}--[a-z-]+/gm)?.map((line) => line.trim()) ?? [];
  expect(flags[0]).toBe("--base-url");
  const places = ["--token", "--diagnose", "--retry", "--proxy"].map((flag) => flags.indexOf(flag));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test("the help of the program ends with two first steps, and the help of completion names no words of its script", async () => {
  const { stdout } = await runInProcess(["--help"]);
  const end = stdout.slice(stdout.indexOf("First steps:"));
  expect(end.match(/^ {2}\$ referral-auth \S/gm)).toHaveLength(2);
  expect((await runInProcess(["completion", "--help"])).stdout).not.toContain("words");
});
