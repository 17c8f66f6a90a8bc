import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/run.ts";
import { serve } from "../support/serve.ts";
import { built } from "./wine.ts";

const { REFERRAL_AUTH_ON_TERMINAL: program } = process.env;
const controlC = "\u0003";

interface Ended {
  readonly code: number;
  /** Everything that the terminal showed. */
  readonly shown: string;
}

/**
 * Starts the executable on a terminal of its own and types Ctrl-C as soon as `ready` is fulfilled for what is shown. `script` ends
 * with the executable. To wait for the end of what the terminal shows would take for ever: the first program that wine runs
 * starts its desktop, which keeps the terminal open.
 */
async function interrupted(args: string, ready: (shown: string) => boolean): Promise<Ended> {
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
    child.stdin.write(controlC);
  }, 50);
  const [code] = await once(child, "close");
  clearInterval(look);
  return { code, shown };
}

test("Ctrl-C on a console ends the emulator with 130", async () => {
  const { code } = await interrupted("emulator", (shown) => shown.includes("REFERRAL_SECRET"));
  expect(code).toBe(130);
});

test("Ctrl-C on a console ends the emulator together with a command that does not handle it", async () => {
  const { code } = await interrupted("emulator -- cmd /d /c pause", (shown) =>
    shown.includes("Press any key"),
  );
  // Under wine, Ctrl-C is a key to `pause` as well: either of the two ends it.
  expect([0, 130]).toContain(code);
});

test("Ctrl-C on a console lets the command of the emulator decide how it ends", async () => {
  const api = await serve(() => {});
  const command = `${built} test --token value --base-url ${api.url} --timeout 50`;
  const { code, shown } = await interrupted(`emulator -- ${command}`, () => api.requests.length > 0);
  expect(code).toBe(130);
  expect(shown).toContain("interrupted: 0 accepted, 1 not checked");
});

test("Ctrl-C on a console ends a check that waits for its answer with 130", async () => {
  const api = await serve(() => {});
  const args = `test --token value --base-url ${api.url} --timeout 50`;
  expect(await interrupted(args, () => api.requests.length > 0)).toMatchObject({ code: 130 });
  expect(await api.openConnections()).toBe(0);
});
