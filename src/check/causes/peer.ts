// A connection can fail at the API's server or at a proxy. This file has the words for both in every sentence about them.

import type { Failure } from "../../http/failure.ts";
import type { ConnectionRecord } from "../../http/record.ts";
import { type Fix, fix, flag, nowSet, theBaseUrl } from "../../settings/fix.ts";
import { hostAndPort, shownHost } from "../../system/addresses.ts";
import type { Cause, Evidence } from "../check-context.ts";
import type { BrokenResponse } from "../read/quotes.ts";

/** The other end of a connection, as sentences name it: the API's server, or a proxy. */
export interface Peer {
  /** Where to connect: an address, or a name to look up. */
  readonly host: string;
  /** Its name without an address. */
  readonly name: string;
  /** The name with its port, and the address where one is known. */
  at(address: string | null): string;
  /** The same with the address of the socket, and for the API's server with the proxy on the way to it. */
  readonly inFull: string;
  /** The setting that says where it is. */
  readonly setting: Fix;
  /** What else may be needed to reach it, such as a VPN. */
  readonly otherWay: Fix;
}

/** A failure, and whose it is: what its cause is read from. */
export interface Failed {
  readonly failure: Failure;
  readonly connection: ConnectionRecord;
  /** What a proxy answered that is no valid HTTP. */
  readonly broken: BrokenResponse | null;
  readonly peer: Peer;
  readonly api: Peer;
}

/** Gives the sentence and the fix for the failures of a step. */
export type FailureRow = (failed: Failed) => Cause;

const others = (address: string | null, host: string): readonly string[] =>
  address === null || address === host ? [] : [shownHost(address)];

function proxyOf({ exchange, hints, redact }: Evidence): Peer | null {
  const { address, proxy } = exchange.trace.connection;
  if (proxy === null) return null;
  const { host, port } = hostAndPort(new URL(proxy));
  const place = `set by ${hints.placeOf("proxy")}`;
  const at: Peer["at"] = (known) =>
    `the proxy ${shownHost(redact(host))}:${port} (${[...others(known, host), place].join(", ")})`;
  return {
    host,
    name: at(null),
    at,
    inFull: at(address),
    setting: fix`the proxy ${nowSet("proxy")}`,
    otherWay: fix`a VPN`,
  };
}

/** A failure with its peers in words. */
export function failedAt(failure: Failure, evidence: Evidence): Failed {
  const { connection } = evidence.exchange.trace;
  const proxy = proxyOf(evidence);
  const { host, port } = hostAndPort(evidence.baseUrl);
  const name = shownHost(evidence.redact(host));
  const at: Peer["at"] = (known) =>
    [name, ...others(known, host).map((other) => `(${other})`), `port ${port}`].join(" ");
  const inFull = proxy === null ? at(connection.address) : `${at(null)} through ${proxy.inFull}`;
  const api: Peer = {
    host: evidence.address ?? host,
    name,
    at,
    inFull,
    setting:
      evidence.address === null ? theBaseUrl : fix`${theBaseUrl}, and the address that --resolve gives`,
    otherWay: fix`a VPN or a proxy (${flag("proxy")})`,
  };
  const { broken } = evidence.exchange;
  return { failure, connection, broken, api, peer: failure.at === "proxy" && proxy !== null ? proxy : api };
}
