import { describe, expect, test } from "vitest";
import { exitCodes } from "../../src/exit-codes.ts";
import { version } from "../../src/version.ts";
import { runInProcess, ways } from "../support/run.ts";

test("without arguments the program asks for a command and exits 2", async () => {
  expect(await runInProcess([])).toMatchObject({ exitCode: 2, stdout: "" });
});

test("--version prints the version alone", async () => {
  expect(await runInProcess(["--version"])).toMatchObject({
    exitCode: 0,
    stderr: "",
    stdout: `${version}\n`,
  });
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

  test("a short word that is no command is named, with all commands, and a URL without an option points to one", async () => {
    const login = await run(["login"]);
    expect(login).toMatchObject({ exitCode: 2, stdout: "" });
    expect(login.stderr).toContain("There is no command login");
    expect(login.stderr.replace(/\s+/g, " ")).toContain("The commands are test, header, config,");
    const url = await run(["test", "https://api.example.com/v1"]);
    expect(url).toMatchObject({ exitCode: 2, stdout: "" });
    expect(url.stderr).toContain("A URL is given without an option");
    expect(url.stderr).toContain("Write the base URL after --base-url");
  });

  test("of an unknown command exits 2 and names the nearest command", async () => {
    const result = await run(["help", "tset"]);
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain("There is no such command: tset");
    expect(result.stderr).toContain("Did you mean test?");
  });
});

test("every option of test belongs to a group", async () => {
  const { stdout } = await runInProcess(["test", "--help"]);
  const headings = stdout.match(/^[A-Z][A-Za-z ]+:$/gm);
  expect(headings).toEqual([
    "Credentials:",
    "Request:",
    "Accounts:",
    "Output:",
    "WSSE conventions:",
    "Exit codes:",
    "Examples:",
  ]);
});

test("the help of the program ends with two first steps, and the help of completion names no words of its script", async () => {
  const { stdout } = await runInProcess(["--help"]);
  const end = stdout.slice(stdout.indexOf("First steps:"));
  expect(end.match(/^ {2}\$ referral-auth \S/gm)).toHaveLength(2);
  expect((await runInProcess(["completion", "--help"])).stdout).not.toContain("words");
});

test("the help of test ends with the exit codes and two examples", async () => {
  const { stdout } = await runInProcess(["test", "--help"]);
  const end = stdout.slice(stdout.indexOf("Exit codes:"));
  expect(end.match(/^ +\d+ {2}\S/gm)).toHaveLength(exitCodes.length);
  expect(end.match(/^ {2}\$ /gm)).toHaveLength(2);
  expect(end.trimEnd().split("\n").at(-1)).toMatch(/^ {2}\$ /);
});
