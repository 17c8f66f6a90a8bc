import { describe, expect, test } from "vitest";
import { CommandProblem } from "../../src/system/commands.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { flag, given, rc, recording } from "./recording.ts";

describe("standard input", () => {
  test.each([
    ["tokenFile", "Token"],
    ["secretFile", "Secret"],
  ] as const)("is read once, for %s, and the prompt says %s", async (setting, label) => {
    const { inputs, calls } = recording();
    for (const profile of ["a", "b"])
      expect(String(await inputs.read(given("-", flag, setting), profile, 9))).toBe("content");
    expect(calls).toEqual([["standard input", 9, label]]);
  });

  test("cannot hold the token and the secret", async () => {
    const { inputs } = recording();
    await inputs.read(given("-"), null, 9);
    await expect(inputs.read(given("-", flag, "secretFile"), null, 9)).rejects.toMatchObject({
      kind: "settings",
      message: "The token and the secret cannot both come from standard input",
      hint: "Read one of them from a file",
    });
  });

  test("is not read for a found rc file, and holds no certificates", async () => {
    const { inputs, calls } = recording();
    await expect(inputs.read(given("-", rc("found")), null, 9)).rejects.toMatchObject({
      message:
        "tokenFile in /own/rc, line 3 asks for standard input; an rc file found in the working tree may not do that",
      hint: "Pass --token-file - yourself",
    });
    await inputs.read(given("-", flag, "caCert"), null, 9);
    expect(calls).toEqual([["yours", "/working/-", 9, false]]);
  });

  test("that cannot be read is an invalid setting, and a bug is none", async () => {
    const failing = (error: Error) =>
      recording({ readStdin: () => Promise.reject(error) }).inputs.read(given("-"), null, 9);
    await expect(failing(new FileProblem("TOO_LARGE"))).rejects.toMatchObject({
      message: "--token-file asks for standard input, which is too large",
      hint: "Check what is piped into referral-auth",
    });
    await expect(failing(new RangeError("bug"))).rejects.toThrow(RangeError);
  });
});

describe("a command", () => {
  const command = (...words: readonly string[]) => given(JSON.stringify(words), rc("yours"), "tokenCommand");

  test("runs once in the folder of its rc file, and once more for words that differ by profile", async () => {
    const { inputs, calls } = recording();
    for (const profile of ["a", "b", "a"]) {
      expect(String(await inputs.read(command("print", "same"), profile, 9))).toBe("content");
      await inputs.read(command("print", "{profile}"), profile, 9);
    }
    expect(calls).toEqual([
      [["print", "same"], "/own", 9, 30],
      [["print", "a"], "/own", 9, 30],
      [["print", "b"], "/own", 9, 30],
    ]);
  });

  test("that fails is an error without its output, and a bug is none", async () => {
    const failing = (error: Error) =>
      recording({ runCommand: () => Promise.reject(error) }).inputs.read(command("print"), null, 9);
    await expect(failing(new CommandProblem("failed with exit code 1"))).rejects.toMatchObject({
      kind: "settings",
      message: "The command of tokenFile in /own/rc, line 3 failed with exit code 1",
      hint: "Run the command yourself to see why; its output is not shown here",
    });
    await expect(failing(new RangeError("bug"))).rejects.toThrow(RangeError);
  });

  test.each([flag, rc("found")])("of %j never runs", async (source) => {
    const { inputs, calls } = recording();
    await expect(inputs.read({ ...command("print"), source }, null, 9)).rejects.toThrow(
      "only an rc file of yours can name a command",
    );
    expect(calls).toEqual([]);
  });
});
