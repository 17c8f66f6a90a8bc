import { hostAndPort, shownHost } from "../../http/connect.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import type { Evidence } from "./evidence.ts";

/** The other end of a connection, as sentences name it: the API's server, or a proxy. */
export interface Peer {
  readonly host: string;
  /** Its name without an address. */
  readonly name: string;
  /** The name with its port, and the address where one is known. */
  at(address: string | null): string;
  /** The setting that says where it is. */
  readonly setting: Fix;
  /** What else may lead to it. */
  readonly otherWay: Fix;
}

const others = (address: string | null, host: string): readonly string[] =>
  address === null || address === host ? [] : [shownHost(address)];

/** The API's server. */
export function apiPeer({ url, redact }: Pick<Evidence, "url" | "redact">): Peer {
  const { host, port } = hostAndPort(url);
  const name = shownHost(redact(host));
  return {
    host,
    name,
    at: (address) => [name, ...others(address, host).map((other) => `(${other})`), `port ${port}`].join(" "),
    setting: fix`the base URL ${nowSet("baseUrl")}`,
    otherWay: fix`a VPN or a proxy (${flag("proxy")})`,
  };
}

/** The proxy, with the place where it is set. */
export function proxyPeer({ exchange, hints, redact }: Evidence): Peer {
  const { host, port } = exchange.trace.connection.peer;
  const place = `set by ${hints.placeOf("proxy")}`;
  const at: Peer["at"] = (address) =>
    `the proxy ${shownHost(redact(host))}:${port} (${[...others(address, host), place].join(", ")})`;
  return {
    host,
    name: at(null),
    at,
    setting: fix`the proxy (${place})`,
    otherWay: fix`a VPN`,
  };
}

/** The server with the address of the socket, which is the proxy's where one is used. */
export function serverOf(evidence: Evidence): string {
  const { address, steps } = evidence.exchange.trace.connection;
  const api = apiPeer(evidence);
  return steps.proxy === null
    ? api.at(address)
    : `${api.at(null)} through ${proxyPeer(evidence).at(address)}`;
}
