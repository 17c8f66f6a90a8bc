import { describe, expect, test } from "vitest";
import { version } from "../../src/version.ts";
import { runInProcess, ways } from "../support/run.ts";

test("--version prints the version alone", async () => {
  const printed = { exitCode: 0, stderr: "", stdout: `${version}\n` };
  expect(await runInProcess(["--version"])).toMatchObject(printed);
});

describe.each(ways)("help, %s,", (_, run) => {
  test("of a bare command goes to standard error, and exits 2", async () => {
    const { stdout: help } = await run(["--help"]);
    expect(await run([])).toMatchObject({ exitCode: 2, stdout: "", stderr: help });
  });

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
