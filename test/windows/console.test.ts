import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/run.ts";
import { serve } from "../support/serve.ts";

const { REFERRAL_AUTH_ON_TERMINAL: program } = process.env;
const controlC = "\u0003";

/** Starts the executable on a terminal of its own and types Ctrl-C as soon as `ready` is fulfilled for what is shown. */
async function interrupted(args: string, ready: (shown: string) => boolean): Promise<number> {
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
  return code;
}

test("Ctrl-C on a console ends the emulator with 130", async () => {
  expect(await interrupted("emulator", (shown) => shown.includes("REFERRAL_SECRET"))).toBe(130);
});

test("Ctrl-C on a console ends a check that waits for its answer with 130", async () => {
  const api = await serve(() => {});
  const args = `test --token value --base-url ${api.url} --timeout 50`;
  expect(await interrupted(args, () => api.requests.length > 0)).toBe(130);
  expect(await api.openConnections()).toBe(0);
});
