import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { isLoopbackAddress } from "../system/loopback.ts";

/** Gives all addresses of a host name. */
export type Lookup = (
  host: string,
) => Promise<ReadonlyArray<{ readonly address: string; readonly family: number }>>;

/** The lookup of the operating system: hosts file, then DNS. */
export const systemLookup: Lookup = (host) =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/**
 * A lookup for a socket with several address families. It fails if the host has an address outside the loopback network,
 * so the socket connects to a checked address only.
 */
export function loopbackOnly(lookupAll: Lookup): LookupFunction {
  return (host, _options, callback) => {
    lookupAll(host).then(
      (addresses) => {
        const isLoopback = addresses.every(({ address }) => isLoopbackAddress(address));
        const code = isLoopback ? "ENOTFOUND" : "NOT_LOOPBACK";
        if (isLoopback && addresses.length > 0) callback(null, [...addresses]);
        else callback(Object.assign(new Error(code), { code }), []);
      },
      (error) => callback(error, []),
    );
  };
}
