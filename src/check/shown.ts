import type { ConnectionRecord } from "../http/connection-record.ts";
import type { Redactor } from "../redaction/redact.ts";
import { endpointPath } from "../settings/base-url.ts";
import type { ShownConnection } from "./result.ts";

// Of these fields of a failure, the texts are this program's own and the system's.
const ownFields: readonly string[] = ["step", "failed", "code", "received"];

/** A transport failure without secrets. The host comes from a setting, and other texts from the server or the proxy. */
export function shownFailure<Part extends object>(failure: Part, redact: Redactor): Part {
  const shown = { ...failure } as Record<string, unknown>;
  for (const [name, value] of Object.entries(failure)) {
    if (typeof value === "string" && !ownFields.includes(name)) shown[name] = redact(value);
    else if (Array.isArray(value)) shown[name] = value.map(redact);
    else if (typeof value === "object" && value !== null) shown[name] = shownFailure(value, redact);
  }
  return shown as Part;
}

/** The URL of a request without secrets. The scheme and `/test-authentication` are never secret, so they stay. */
export function shownUrl({ protocol, host, pathname }: URL, redact: Redactor): string {
  return `${protocol}//${redact(host + pathname.slice(0, -endpointPath.length))}${endpointPath}`;
}

/** When the server's own certificate expires, in milliseconds since the epoch; null if no request reached a server by TLS. */
export function certificateExpiry({ tls, steps }: Pick<ConnectionRecord, "tls" | "steps">): number | null {
  // Before that, the handshake may be a proxy's.
  const expiry = steps.request === null ? Number.NaN : Date.parse(tls?.validTo ?? "");
  return Number.isNaN(expiry) ? null : expiry;
}

/** A connection without secrets. */
export function shownConnection(
  connection: ConnectionRecord,
  proxy: URL | null,
  redact: Redactor,
): ShownConnection {
  const { address, peer, tried, steps } = connection;
  const expiry = certificateExpiry(connection);
  return {
    address,
    port: peer.port,
    proxy: proxy && `${proxy.protocol}//${redact(proxy.host)}`,
    tried,
    steps,
    certificateExpiresAt: expiry === null ? null : new Date(expiry).toISOString(),
  };
}
