import { hostAndPort, shownHost } from "../../http/connect.ts";
import { type Fix, fix, flag } from "../../settings/fix.ts";
import { baseUrl, type Evidence } from "./evidence.ts";

/** The other end of a connection, as sentences name it: the API's server, or a proxy. */
export interface Peer {
  readonly host: string;
  /** Its name without an address. */
  readonly name: string;
  /** The name with its port, and the address where one is known. */
  at(address: string | null): string;
  /** The same with the address of the socket, and for the API's server with the proxy on the way to it. */
  readonly inFull: string;
  /** The setting that says where it is. */
  readonly setting: Fix;
  /** What else may lead to it. */
  readonly otherWay: Fix;
}

const others = (address: string | null, host: string): readonly string[] =>
  address === null || address === host ? [] : [shownHost(address)];

const vpnOrProxy = fix`a VPN or a proxy (${flag("proxy")})`;

/** The API's server. */
export function apiPeer(evidence: Evidence): Peer {
  const { address, steps } = evidence.exchange.trace.connection;
  const { host, port } = hostAndPort(evidence.url);
  const name = shownHost(evidence.redact(host));
  const at: Peer["at"] = (known) =>
    [name, ...others(known, host).map((other) => `(${other})`), `port ${port}`].join(" ");
  return {
    host,
    name,
    at,
    inFull: steps.proxy === null ? at(address) : `${at(null)} through ${proxyPeer(evidence).inFull}`,
    setting: baseUrl,
    otherWay: vpnOrProxy,
  };
}

/** The proxy, with the place where it is set. */
export function proxyPeer({ exchange, hints, redact }: Evidence): Peer {
  const { address, peer } = exchange.trace.connection;
  const { host, port } = peer;
  const place = `set by ${hints.placeOf("proxy")}`;
  const at: Peer["at"] = (known) =>
    `the proxy ${shownHost(redact(host))}:${port} (${[...others(known, host), place].join(", ")})`;
  return {
    host,
    name: at(null),
    at,
    inFull: at(address),
    setting: fix`the proxy (${place})`,
    otherWay: fix`a VPN`,
  };
}
