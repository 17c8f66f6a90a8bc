import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { childHome, childNode, launcher } from "../support/run.ts";

/** Runs the program on a terminal, types these keys when it asks, and gives all that the terminal showed. */
function typed(
  keys: string,
  args = ["--token", "--token-file", "-"],
): Promise<{ shown: string; exitCode: number | null }> {
  return new Promise((resolve, reject) => {
    const command = [childNode, launcher, "header", ...args].map((word) => `'${word}'`).join(" ");
    const child = spawn("script", ["-qfec", command, "/dev/null"], { env: { ...process.env, ...childHome } });
    let shown = "";
    child.stdout.on("data", (chunk: Buffer) => {
      const asked = /^(?:Token|Secret): /.test(shown);
      shown += chunk.toString();
      if (!asked && /^(?:Token|Secret): /.test(shown)) child.stdin.write(keys);
    });
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ shown, exitCode }));
  });
}

const onTerminal = test.skipIf(process.platform === "win32");

onTerminal.each<[string, string[], string]>([
  ["Token", ["--token", "--token-file", "-"], `X-Auth-Token: ${planted.token}`],
  ["Secret", ["--wsse", "--username", planted.username, "--secret-file", "-"], "X-WSSE: UsernameToken"],
])("- asks for the %s on a terminal and shows nothing of what is typed", async (label, args, header) => {
  const { shown, exitCode } = await typed(`xy\u0015${planted.token}z\u007f\r`, args);
  expect(exitCode).toBe(0);
  const [first, second] = shown.split("\r\n");
  expect(first).toBe(`${label}: `);
  expect(second?.startsWith(header), second).toBe(true);
});

onTerminal.each([
  ["an arrow key", "\u001b[D\u001b[C"],
  ["a function key", "\u001bOP"],
])("%s at the question is no part of what is typed", async (_, key) => {
  const { shown, exitCode } = await typed(`${planted.token}${key}\r`);
  expect({ shown, exitCode }).toEqual({
    shown: `Token: \r\nX-Auth-Token: ${planted.token}\r\n`,
    exitCode: 0,
  });
});

onTerminal("Ctrl-D at the question gives an empty secret, which is an error", async () => {
  const { shown, exitCode } = await typed("\u0004");
  expect(exitCode).toBe(3);
  expect(shown).toContain("is empty");
});

onTerminal("Ctrl-C at the question ends the run with 130, and shows nothing of what is typed", async () => {
  const { shown, exitCode } = await typed(`${planted.token}\u0003`);
  expect({ shown: shown.trim(), exitCode }).toEqual({ shown: "Token:", exitCode: 130 });
});
