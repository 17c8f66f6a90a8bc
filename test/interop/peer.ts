import { resolve } from "node:path";
import { startProgram } from "./program.ts";

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

/** Starts a peer that knows this login. */
export async function startPeer(name: PeerName, { username, secret }: Login): Promise<Peer> {
  const { interpreter, file } = scripts[name];
  const { port, stop } = await startProgram((free) => ({
    command: interpreter,
    args: [resolve(PEERS, file), String(free), username, secret],
  }));
  return { url: `http://127.0.0.1:${port}`, stop };
}
