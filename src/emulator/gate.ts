import { endpointPath } from "./answers.ts";

/** What is known of a request before its credentials are looked at. */
export interface RequestHead {
  readonly method: string;
  /** The port of this server that it came to. */
  readonly port: number;
  /** The request target as it was sent, without its query. */
  readonly path: string;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

/** Why a request goes no further, with the status that says so. */
export interface Turned {
  readonly status: number;
  readonly reason: string;
}

/**
 * Whether a request came to this server by one of its own names, and from no web page: against DNS rebinding and
 * cross-origin requests, since any page in a browser can reach a loopback port. Null lets it pass; `shown` makes
 * request text fit for a log.
 */
export function turnedAway(
  { hosts, origins, port }: RequestHead,
  shown: (text: string) => string,
): Turned | null {
  const [host] = hosts;
  // RFC 9112, section 3.2: exactly one, else 400.
  if (host === undefined) return { status: 400, reason: "host: there is no Host header" };
  if (hosts.length > 1) return { status: 400, reason: "host: Host was sent more than once" };
  if (!isOwnHost(host, port)) {
    return {
      status: 421,
      reason: `host: this server is 127.0.0.1:${port}; the request is for "${shown(host)}"`,
    };
  }
  const [origin] = origins;
  if (origin !== undefined) {
    return {
      status: 403,
      reason: `origin: web pages may not use this server; this request is from "${shown(origin)}"`,
    };
  }
  return null;
}

function isOwnHost(host: string, port: number): boolean {
  const written = host.toLowerCase();
  return ["127.0.0.1", "localhost", "[::1]"].some(
    // Clients leave out the default port of http.
    (name) => written === `${name}:${port}` || (port === 80 && written === name),
  );
}

/** Whether path and method are those of the specification (section 4). Null lets the request pass. */
export function notOffered({ method, path }: RequestHead): Turned | null {
  if (path !== endpointPath) {
    const hint = path.endsWith(endpointPath) ? "; the base URL has no path here" : "";
    return { status: 404, reason: `path: only ${endpointPath} exists${hint}` };
  }
  if (method !== "GET" && method !== "OPTIONS") {
    return { status: 405, reason: "method: only GET and OPTIONS are offered" };
  }
  return null;
}
