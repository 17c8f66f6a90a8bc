import { fileURLToPath } from "node:url";
import { startProgram } from "./program.ts";

// Debian installs its libraries for these interpreters.
const interpreters = { py: "/usr/bin/python3", pl: "/usr/bin/perl" } as const;

/** The command line of a program in `peers/` that uses a library of Debian. */
export function peerCommand(file: `${string}.${keyof typeof interpreters}`): readonly [string, string] {
  const interpreter = file.endsWith(".py") ? interpreters.py : interpreters.pl;
  return [interpreter, fileURLToPath(new URL(`./peers/${file}`, import.meta.url))];
}

const servers = { httplib2: "httplib2-server.py", "XML::Atom": "xml-atom-server.pl" } as const;
/** The name of a library that verifies X-WSSE. */
export type PeerName = keyof typeof servers;

/** The one account that a peer knows. */
export interface Login {
  readonly username: string;
  readonly secret: string;
}

/** A running server. */
export interface Peer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a server that verifies X-WSSE by this library. */
export async function startPeer(name: PeerName, { username, secret }: Login): Promise<Peer> {
  const [command, script] = peerCommand(servers[name]);
  const { port, stop } = await startProgram((free) => ({
    command,
    args: [script, String(free), username, secret],
  }));
  return { url: `http://127.0.0.1:${port}`, stop };
}
