import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";

/** Two machines in a network of their own. A command runs on one of them behind its words. */
export interface Network {
  readonly onServer: readonly string[];
  readonly onClient: readonly string[];
  /** The address of the server. */
  readonly address: string;
  remove(): void;
}

/** Makes two network namespaces with a link between them. The client knows the server by this name. Needs root and iproute2. */
export function networkOf(name: string): Network {
  const [server, client] = [`server-${process.pid}`, `client-${process.pid}`];
  const ip = (...words: readonly string[]): void => void execFileSync("ip", words);
  // RFC 5737: these addresses are for documentation.
  const addresses = { [server]: "198.51.100.1", [client]: "198.51.100.2" };
  for (const machine of [server, client]) ip("netns", "add", machine);
  ip("link", "add", "veth0", "netns", server, "type", "veth", "peer", "name", "veth0", "netns", client);
  for (const [machine, address] of Object.entries(addresses)) {
    ip("-netns", machine, "address", "add", `${address}/24`, "dev", "veth0");
    for (const link of ["lo", "veth0"]) ip("-netns", machine, "link", "set", link, "up");
  }
  // `ip netns exec` puts this file in the place of /etc/hosts.
  mkdirSync(`/etc/netns/${client}`, { recursive: true });
  writeFileSync(`/etc/netns/${client}/hosts`, `127.0.0.1 localhost\n${addresses[server]} ${name}\n`);
  const on = (machine: string): readonly string[] => ["ip", "netns", "exec", machine];
  return {
    onServer: on(server),
    onClient: on(client),
    address: addresses[server] ?? "",
    remove() {
      for (const machine of [server, client]) ip("netns", "delete", machine);
      rmSync(`/etc/netns/${client}`, { recursive: true });
    },
  };
}
