// Looks names up as curl does, and shares lookups that are under way.

import { ADDRCONFIG, type LookupAddress, lookup } from "node:dns";
import { errorCode } from "../errors.ts";
import { isLoopbackAddress } from "../system/addresses.ts";
import { noMoreFiles } from "../system/file-reading.ts";

/** Gives all addresses of a host name. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

// EAI_NODATA of getaddrinfo, as libuv numbers it: the name exists. Node gives it the code of a name that does not.
const noData = -3007;

/** Asks the operating system: its hosts file, then DNS. Rejects with `ENODATA` for a name that exists and has no address. */
function ask(host: string, hints: number): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true, hints }, (error, addresses) => {
      if (error === null) return resolve(addresses);
      if (error.errno === noData) error.code = "ENODATA";
      // Without a file descriptor, getaddrinfo can read neither hosts file nor DNS, and says that there is no such host.
      reject(noMoreFiles() ?? error);
    });
  });
}

/**
 * The lookup of the operating system, first for the families that this machine has, as node:net and curl do. Where that finds nothing, it
 * asks for all: the addresses of a name show what this machine lacks.
 */
export const systemLookup: Lookup = (host) => {
  // `localhost` keeps all its addresses: each is checked.
  if (host === "localhost" || process.platform === "win32") return ask(host, 0);
  return ask(host, ADDRCONFIG).catch((error) => {
    if (errorCode(error) !== "ENOTFOUND" && errorCode(error) !== "ENODATA") throw error;
    return ask(host, 0);
  });
};

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
 * The addresses of a host. Rejects for `localhost` with another address than loopback (RFC 6761, section 6.3): settings allow clear text to
 * it, and a hosts file or DNS can give it any address.
 */
export async function addressesFor(host: string, lookupAll: Lookup): Promise<readonly LookupAddress[]> {
  const addresses = await lookupAll(host);
  const refused = (code: string): Error => Object.assign(new Error(code), { code });
  if (addresses.length === 0) throw refused("ENOTFOUND");
  if (host === "localhost" && !addresses.every(({ address }) => isLoopbackAddress(address)))
    throw refused("NOT_LOOPBACK");
  return addresses;
}
