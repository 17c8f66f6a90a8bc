import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { childHome, childNode, launcher } from "../support/run.ts";

/** Runs the program on a terminal, types these keys when it asks, and gives all that the terminal showed. */
function typed(keys: string, args: readonly string[]): Promise<{ shown: string; exitCode: number | null }> {
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

const askToken = ["--token", "--token-file", "-"];
const askSecret = ["--wsse", "--username", planted.username, "--secret-file", "-"];
const gotToken = new RegExp(`^Token: \r\nX-Auth-Token: ${planted.token}\r\n$`);
test.skipIf(process.platform === "win32").each([
  ["a token, corrected", askToken, `xy\u0015${planted.token}z\u007f\r`, 0, gotToken],
  ["a secret", askSecret, `${planted.secret}\r`, 0, /^Secret: \r\nX-WSSE: UsernameToken [^\n]*\n$/],
  ["an arrow key, which is no part of it", askToken, `${planted.token}\u001b[D\u001b[C\r`, 0, gotToken],
  ["a function key, which is no part of it", askToken, `${planted.token}\u001bOP\r`, 0, gotToken],
  ["Ctrl-D, which enters nothing", askToken, "\u0004", 3, /^Token: \r\nError: [\s\S]*nothing was entered/],
  ["Enter, which enters nothing", askToken, "\r", 3, /^Token: \r\nError: [\s\S]*nothing was entered/],
  ["Ctrl-C, which ends the run", askToken, `${planted.token}\u0003`, 130, /^Token: \s*$/],
])("at the question - shows nothing of what is typed: %s", async (_, args, keys, exitCode, expected) => {
  expect(await typed(keys, args)).toEqual({ shown: expect.stringMatching(expected), exitCode });
});

type Step = readonly [shown: RegExp, act: string | ((pid: number) => void)];

/**
 * Runs the program in an interactive shell. Once the terminal shows the pattern of a step, types its text, or calls it with the
 * program's id. Resolves with all that the terminal showed.
 */
function inShell(steps: readonly Step[]): Promise<string> {
  const words = [childNode, launcher, "header", ...askToken].map((word) => `'${word}'`).join(" ");
  // The shell script in between must stop with the program.
  const script = `sh -c 'echo PID $$; exec "$@"' sh ${words}; echo CODE $?\n`;
  // Without HISTFILE, the shell would write its history into the empty home folder of all tests.
  const environment = { ...process.env, ...childHome, HISTFILE: "", PS1: "> ", TERM: "dumb" };
  const child = spawn("script", ["-qfec", "bash --norc -i", "/dev/null"], { env: environment });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.write(`sh ${folderWith({ script })}/script\n`);
  let [shown, from] = ["", 0];
  const left = [...steps];
  return new Promise((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      shown += chunk.toString();
      const [step] = left;
      if (step !== undefined) {
        const [pattern, act] = step;
        const found = pattern.exec(shown.slice(from));
        if (found === null) return;
        from += found.index + found[0].length;
        left.shift();
        if (typeof act === "string") child.stdin.write(act);
        else act(Number(/PID (\d+)/.exec(shown)?.[1]));
      }
    });
    child.once("close", () => resolve(shown));
  });
}

const interrupt = (pid: number): void => {
  for (const signal of ["SIGSTOP", "SIGCONT"]) process.kill(pid, signal);
};
const answered: readonly Step[] = [
  [/Token: /, `${planted.token}\r`],
  [/CODE 0\r\n/, "exit\n"],
];
test.skipIf(process.platform === "win32").each<[string, readonly Step[]]>([
  ["Ctrl-Z and `fg`", [[/Token: /, "half\u007f\u001a"], [/Stopped/, "fg\n"], ...answered]],
  ["a signal that stops the program alone", [[/Token: /, interrupt], ...answered]],
])("after %s, asks again and shows nothing of what is typed", async (_, steps) => {
  const shown = await inShell(steps);
  const header = `X-Auth-Token: ${planted.token}\r\n`;
  expect(shown).toContain(header);
  expect(leaks(shown.replace(header, ""))).toEqual([]);
  expect(shown).not.toContain("half");
});
