import { ADDRCONFIG, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { noMoreFiles } from "../system/file-reading.ts";
import { isLoopbackAddress } from "../system/loopback.ts";

/** Gives all addresses of a host name. */
export type Lookup = (
  host: string,
) => Promise<ReadonlyArray<{ readonly address: string; readonly family: number }>>;

/** The lookup of the operating system: hosts file, then DNS. */
export const systemLookup: Lookup = (host) =>
  new Promise((resolve, reject) => {
    // As node:net does, ask only for the families that this machine has. `localhost` keeps all its addresses: each is checked.
    const hints = host === "localhost" || process.platform === "win32" ? 0 : ADDRCONFIG;
    // Without a file descriptor, getaddrinfo can read neither hosts file nor DNS, and says that there is no such host.
    lookup(host, { all: true, hints }, (error, addresses) =>
      error ? reject(noMoreFiles() ?? error) : resolve(addresses),
    );
  });

/** Lets those who ask for the same name at the same time share one lookup. It keeps no result of a lookup that has ended. */
export function sharing(lookupAll: Lookup): Lookup {
  const underWay = new Map<string, ReturnType<Lookup>>();
  return (host) => {
    const begun = underWay.get(host) ?? lookupAll(host).finally(() => underWay.delete(host));
    underWay.set(host, begun);
    return begun;
  };
}

/**
 * A lookup for a socket that tries all addresses. `localhost` must have loopback addresses only (RFC 6761, section 6.3):
 * settings allow clear text to it, but a hosts file or DNS can give it any address.
 */
export function forSocket(lookupAll: Lookup): LookupFunction {
  return (host, _options, callback) => {
    const failed = (error: NodeJS.ErrnoException): void => callback(error, []);
    const refused = (code: string): void => failed(Object.assign(new Error(code), { code }));
    lookupAll(host).then((addresses) => {
      if (addresses.length === 0) return refused("ENOTFOUND");
      if (host === "localhost" && !addresses.every(({ address }) => isLoopbackAddress(address)))
        return refused("NOT_LOOPBACK");
      callback(null, [...addresses]);
    }, failed);
  };
}
