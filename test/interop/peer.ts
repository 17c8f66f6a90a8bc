import { fileURLToPath } from "node:url";
import { startProgram } from "./program.ts";

/** The servers in `peers/`, whose verifiers are of others, and the interpreters Debian installs their libraries for. */
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

/** Starts a peer that knows this login. */
export async function startPeer(name: PeerName, { username, secret }: Login): Promise<Peer> {
  const { interpreter, file } = scripts[name];
  const { port, stop } = await startProgram((free) => ({
    command: interpreter,
    args: [fileURLToPath(new URL(`peers/${file}`, import.meta.url)), String(free), username, secret],
  }));
  return { url: `http://127.0.0.1:${port}`, stop };
}
