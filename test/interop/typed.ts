import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Shell } from "../../src/completion/shell.ts";
import { folderWith } from "../support/folder.ts";
import { childNode, launcher } from "../support/run.ts";

// `show` is completed like the program and writes down what it is called with.
const startup: Readonly<Record<Shell, string>> = {
  bash: `source <(referral-auth completion bash); complete -F _referral_auth show; set -H
    show() { printf '%s\\0' "$@" >"$OUT.part"; mv "$OUT.part" "$OUT"; }`,
  zsh: `autoload -Uz compinit; compinit -u -D; source <(referral-auth completion zsh); compdef _referral-auth show
    show() { printf '%s\\0' "$@" >"$OUT.part"; mv "$OUT.part" "$OUT"; }`,
  fish: `referral-auth completion fish | source; complete -c show -f -a '(__referral_auth)'
    function show; printf '%s\\0' $argv >$OUT.part; mv $OUT.part $OUT; end`,
};

/** The interactive shell's command line, with no start-up file but the one in this home folder. */
const commandOf = (shell: Shell, home: string): string =>
  ({
    bash: `bash --noprofile --rcfile ${home}/bashrc -i`,
    zsh: "zsh -d -i",
    fish: `fish --no-config -i -C 'source ${home}/config.fish'`,
  })[shell];

/**
 * Types `show` and these keys into the interactive shell, line after line, and gives the arguments that each line calls
 * it with; null where it does not within 9 seconds.
 */
export async function typed(
  shell: Shell,
  lines: readonly string[],
  workingFolder: string,
): Promise<readonly (readonly string[] | null)[]> {
  const home = folderWith({
    ".zshrc": startup.zsh,
    bashrc: startup.bash,
    "config.fish": startup.fish,
    "bin/referral-auth": `#!/bin/sh\nexec "${childNode}" "${launcher}" "$@"\n`,
  });
  chmodSync(join(home, "bin/referral-auth"), 0o755);
  const out = join(home, "out");
  const terminal = spawn("script", ["-qfec", commandOf(shell, home), "/dev/null"], {
    cwd: workingFolder,
    stdio: ["pipe", "ignore", "ignore"],
    env: {
      PATH: `${join(home, "bin")}:/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      ZDOTDIR: home,
      OUT: out,
      TERM: "dumb",
      LC_ALL: "C.UTF-8",
      SHELL: "/bin/sh",
    },
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
  return calls;
}
