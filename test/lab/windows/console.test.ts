import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { emptyFolder } from "../../support/run.ts";
import { serve } from "../../support/serve.ts";
import { built } from "./wine.ts";

const { REFERRAL_AUTH_ON_TERMINAL: program } = process.env;

/**
 * Starts the executable on a terminal of its own and types Ctrl-C as soon as `ready` is fulfilled for what is shown. `script` ends
 * with the executable. To wait for the end of what the terminal shows would take for ever: the first program that wine runs
 * starts its desktop, which keeps the terminal open. Gives the exit code and everything that the terminal showed.
 */
async function interrupted(args: string, ready: (shown: string) => boolean) {
  const child = spawn("script", ["--quiet", "--return", "--command", `${program} ${args}`, "/dev/null"], {
    cwd: emptyFolder,
    env: { PATH: "/usr/bin:/bin", TERM: "xterm" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => (shown += chunk));
  const look = setInterval(() => {
    if (!ready(shown)) return;
    clearInterval(look);
    child.stdin.write("\u0003");
  }, 50);
  const [code] = await once(child, "close");
  clearInterval(look);
  return { code, shown };
}

test.each([
  ["alone", "emulator", "REFERRAL_SECRET", [130]],
  // Under wine, Ctrl-C is a key to `pause` as well: either of the two ends it.
  ["with a command that ignores it", "emulator -- cmd /d /c pause", "Press any key", [0, 130]],
])("Ctrl-C on a console ends the emulator %s", async (_, args, sign, codes) => {
  const { code } = await interrupted(args, (shown) => shown.includes(sign));
  expect(codes).toContain(code);
});

test.each([
  ["a check that waits for its answer", "", /(?:)/],
  ["the command of the emulator", `emulator -- ${built}`, /interrupted: 0 accepted, 1 not checked/],
])("Ctrl-C on a console ends %s, which exits 130", async (_, before, said) => {
  const api = await serve(() => {});
  const args = `${before} test --token value --base-url ${api.url} --timeout 50`;
  const { code, shown } = await interrupted(args, () => api.requests.length > 0);
  expect(code).toBe(130);
  expect(shown).toMatch(said);
  expect(await api.openConnections()).toBe(0);
});
