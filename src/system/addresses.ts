// Hosts and addresses as texts: how they are written, and which are of the loopback network. Nothing here looks a name up.

/** Whether an IP address without brackets belongs to the loopback network (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address);
}

/** A host as URLs and people write it: an IPv6 address has brackets. */
export function shownHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Where a URL leads: its host without the brackets of IPv6, and its port or that of its scheme. */
export const hostAndPort = ({ hostname, port, protocol }: Pick<URL, "hostname" | "port" | "protocol">) => ({
  host: hostname.replace(/[[\]]/g, ""),
  port: Number(port) || (protocol === "https:" ? 443 : 80),
});
