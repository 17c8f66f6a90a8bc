import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The verifiers of `../shared/peers`, and the interpreters Debian installs their libraries for. */
const scripts = {
  httplib2: { interpreter: "/usr/bin/python3", file: "httplib2-verifier.py" },
  "XML::Atom": { interpreter: "/usr/bin/perl", file: "xml-atom-server.pl" },
} as const;
export type PeerName = keyof typeof scripts;

/** The one login that a peer knows. */
export interface Login {
  readonly username: string;
  readonly secret: string;
}

export interface Peer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const { PEERS = "../shared/peers" } = process.env;
const readyWithinMs = 20_000;

/** Starts a peer on a free loopback port; resolves once it accepts connections, throws with its output if it never does. */
export async function startPeer(name: PeerName, { username, secret }: Login): Promise<Peer> {
  const { interpreter, file } = scripts[name];
  const port = await freePort();
  // The locale decides how Python reads the secret from its arguments.
  const child = spawn(interpreter, [resolve(PEERS, file), String(port), username, secret], {
    env: { LC_ALL: "C.UTF-8" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  child.on("error", (error) => (output += error.message));

  const deadline = Date.now() + readyWithinMs;
  while (!(await accepts(port))) {
    if (isOver(child) || Date.now() > deadline) {
      child.kill();
      throw new Error(`the peer ${name} did not start: ${output}`);
    }
    await delay(50);
  }
  return { url: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}

/** True also where the interpreter is missing: such a child has no process id. */
const isOver = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

async function stop(child: ChildProcess): Promise<void> {
  if (isOver(child)) return;
  child.kill();
  await once(child, "exit");
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
