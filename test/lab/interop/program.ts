import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../support/port.ts";

/** The command line of a program in `peers/`. Debian installs its libraries for these interpreters. */
export function peerCommand(file: `${string}.${"py" | "pl"}`): readonly [string, string] {
  const interpreter = file.endsWith(".py") ? "/usr/bin/python3" : "/usr/bin/perl";
  return [interpreter, fileURLToPath(new URL(`./peers/${file}`, import.meta.url))];
}

/** A program of others that listens on a loopback port. */
export interface Listening {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const readyWithinMs = 20_000;

/**
 * Starts the program of this command line on a free loopback port. Resolves once it accepts connections, throws with its
 * output if it never does.
 */
export async function startProgram(
  commandLine: (port: number) => readonly [string, ...string[]],
): Promise<Listening> {
  const port = await freePort();
  const [command, ...args] = commandLine(port);
  // The locale decides how an interpreter reads what is on its command line.
  const env = { LC_ALL: "C.UTF-8", PATH: "/usr/bin:/bin" };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  child.on("error", (error) => (output += error.message));

  const deadline = Date.now() + readyWithinMs;
  while (!(await accepts(port))) {
    if (isOver(child) || Date.now() > deadline) {
      child.kill();
      throw new Error(`${command} did not start: ${output}`);
    }
    await delay(50);
  }
  return { port, stop: () => stop(child) };
}

/** True also where the program is missing: such a child has no process id. */
const isOver = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

async function stop(child: ChildProcess): Promise<void> {
  if (isOver(child)) return;
  const exited = once(child, "exit");
  child.kill();
  // tinyproxy was once seen to go on after this signal.
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await exited;
  clearTimeout(timer);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
