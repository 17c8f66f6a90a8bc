import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { folderWith } from "../../support/folder.ts";
import { childNode, launcher } from "../../support/run.ts";

// `show` is completed like the program and writes down what it is called with.
const show = `show() { printf '%s\\0' "$@" >"$OUT.part"; mv "$OUT.part" "$OUT"; }`;
const startup = {
  bashrc: `source <(referral-auth completion bash); complete -o default -F _referral_auth show; set -H; ${show}`,
  ".zshrc": `autoload -Uz compinit; compinit -u -D; source <(referral-auth completion zsh); compdef _referral-auth show
    ${show}`,
  "config.fish": `referral-auth completion fish | source; complete -c show -w referral-auth
    function show; printf '%s\\0' $argv >$OUT.part; mv $OUT.part $OUT; end`,
  "bin/referral-auth": `#!/bin/sh\necho "$*" >>"$CALLS"\nexec "${childNode}" "${launcher}" "$@"\n`,
};

/** The interactive shells, with no start-up file but the one in the home folder. */
const commands = {
  bash: "bash --noprofile --rcfile $HOME/bashrc -i",
  zsh: "zsh -d -i",
  fish: "fish --no-config -i -C 'source $HOME/config.fish'",
};
type Shell = keyof typeof commands;

/**
 * Types `show` and these keys into the interactive shell, line after line. Gives the arguments that each line calls it with (null
 * where it does not within 9 seconds), and how the program was called.
 */
async function typed(shell: Shell, lines: readonly string[], workingFolder: string) {
  const home = folderWith(startup);
  chmodSync(join(home, "bin/referral-auth"), 0o755);
  const [out, path] = [join(home, "out"), `${join(home, "bin")}:/usr/local/bin:/usr/bin:/bin`];
  const folders = { PATH: path, HOME: home, ZDOTDIR: home, OUT: out, CALLS: join(home, "calls") };
  const terminal = spawn("script", ["-qfec", commands[shell], "/dev/null"], {
    cwd: workingFolder,
    stdio: ["pipe", "ignore", "ignore"],
    env: { ...folders, TERM: "dumb", LC_ALL: "C.UTF-8", SHELL: "/bin/sh" },
  });
  const ended = once(terminal, "exit");
  const calls: (readonly string[] | null)[] = [];
  for (const keys of lines) {
    terminal.stdin.write(`show ${keys}\r`);
    for (let waited = 0; waited < 9_000 && !existsSync(out); waited += 20) await delay(20);
    const called = existsSync(out);
    calls.push(called ? readFileSync(out, "utf8").split("\0").slice(0, -1) : null);
    rmSync(out, { force: true });
    // What is left of a line that did not work is no part of the next one.
    if (!called) terminal.stdin.write("\u0003");
  }
  terminal.stdin.end("exit\r");
  await ended;
  return { calls, program: readFileSync(folders.CALLS, "utf8") };
}

// A checkout as one would not like it: a file whose name is a command, and a program of the same name.
const files = { "$(touch owned)": "", "referral-auth": "#!/bin/sh\ntouch owned\n" };

/** What is typed, `⇥` for the tabulator, and what the command is then called with. */
const lines: ReadonlyArray<readonly [string, readonly string[]]> = [
  ["tes⇥--diag⇥", ["test", "--diagnose"]],
  [
    "test --token x --digest text-nonce --has⇥sha1",
    "test --token x --digest text-nonce --hash sha1".split(" "),
  ],
  ["test --ca-cert \\$⇥", ["test", "--ca-cert", "$(touch owned)"]],
  ["emulator --expl⇥npm", ["emulator", "--explain", "npm"]],
  ["help emu⇥", ["help", "emulator"]],
];

const title = "the line is completed in %s, and no program is asked";
test.for(Object.keys(commands) as Shell[])(title, { timeout: 120_000 }, async (shell) => {
  const workingFolder = folderWith(files);
  chmodSync(join(workingFolder, "referral-auth"), 0o755);

  const keys = lines.map(([line]) => line.replaceAll("⇥", "\t"));
  const { calls, program } = await typed(shell, keys, workingFolder);

  expect(lines.map(([line], index) => [line, calls[index]])).toEqual(lines);
  expect(existsSync(join(workingFolder, "owned"))).toBe(false);
  expect(program).toBe(`completion ${shell}\n`);
});
