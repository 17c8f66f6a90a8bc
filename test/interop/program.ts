import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A program of others that listens on a loopback port. */
export interface Listening {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** How a program is started that is to listen on this port. */
export type CommandLine = (port: number) => { readonly command: string; readonly args: readonly string[] };

const readyWithinMs = 20_000;

/** Starts a program on a free loopback port; resolves once it accepts connections, throws with its output if it never does. */
export async function startProgram(commandLine: CommandLine): Promise<Listening> {
  const port = await freePort();
  const { command, args } = commandLine(port);
  // The locale decides how an interpreter reads what is on its command line.
  const child = spawn(command, args, {
    env: { LC_ALL: "C.UTF-8", PATH: "/usr/bin:/bin" },
    stdio: ["ignore", "pipe", "pipe"],
  });
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
