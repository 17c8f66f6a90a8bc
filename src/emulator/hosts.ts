import { type Decision, decided } from "./decision.ts";
import type { EmulatorRequest } from "./requests.ts";

/** An address as a URL writes it. */
export function hostOf(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

/**
 * Why not to answer a request: it is for another host, or from a web page. Any page in a browser can reach a loopback port,
 * by DNS rebinding or a cross-origin request. Null if neither is so. `shown` makes text of the request fit for a log.
 */
export function sourceError(
  { hosts, headers, address, port }: Omit<EmulatorRequest, "method" | "path">,
  allowed: readonly string[],
  shown: (text: string) => string,
): Decision | null {
  const [host] = hosts;
  // RFC 9112, section 3.2: exactly one, else 400.
  if (host === undefined) return decided(400, "host: there is no Host header");
  if (hosts.length > 1) return decided(400, "host: Host was sent more than once");
  // A socket for both families shows an IPv4 address as an IPv6 one.
  const own = hostOf(address.replace(/^::ffff:(?=[\d.]+$)/, ""));
  // Clients leave out the default port of http.
  const [, name = "", sentPort = "80"] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host.toLowerCase()) ?? [];
  const isOwn = [own, "127.0.0.1", "localhost", "[::1]"].includes(name) && Number(sentPort) === port;
  if (!isOwn && !allowed.includes(name) && !allowed.includes(`${name}:${sentPort}`)) {
    const reason = `host: this server is ${own}:${port}; the request is for "${shown(host)}"; other names need --allow-host (allowHosts)`;
    return decided(421, reason);
  }
  const [origin] = headers.origin ?? [];
  if (origin === undefined) return null;
  return decided(403, `origin: web pages may not use this server; this request is from "${shown(origin)}"`);
}
