import type { ConnectionRecord } from "../http/connection-record.ts";
import type { TransportFailure } from "../http/failure.ts";
import type { Redactor } from "../redaction/redact.ts";
import { endpointPath } from "../settings/base-url.ts";
import type { ShownConnection } from "./result.ts";

/** A transport failure without secrets. The host comes from a setting, and a certificate's text from the server. */
export function shownFailure(failure: TransportFailure, redact: Redactor): TransportFailure {
  if (failure.step === "proxy") {
    const { host, reason, schemes } = failure;
    return { ...failure, host: redact(host), reason: redact(reason), schemes: schemes.map(redact) };
  }
  if (failure.step !== "tls") return "host" in failure ? { ...failure, host: redact(failure.host) } : failure;
  const { certificate } = failure;
  if (certificate === null) return failure;
  const { subject, issuer, names, validFrom, validTo } = certificate;
  return {
    ...failure,
    certificate: {
      ...certificate,
      subject: redact(subject),
      issuer: redact(issuer),
      names: names.map(redact),
      validFrom: redact(validFrom),
      validTo: redact(validTo),
    },
  };
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
  const whole = (time: number | null): number | null => time && Math.round(time);
  const { address, peer, tried, steps } = connection;
  const expiry = certificateExpiry(connection);
  const { lookup, connect, proxy: way, tls, request, response } = steps;
  return {
    address,
    port: peer.port,
    proxy: proxy && `${proxy.protocol}//${redact(proxy.host)}`,
    tried: tried.map((one) => ({ ...one, ms: Math.round(one.ms) })),
    steps: {
      lookup: whole(lookup),
      connect: whole(connect),
      proxy: whole(way),
      tls: whole(tls),
      request: whole(request),
      response: whole(response),
    },
    certificateExpiresAt: expiry === null ? null : new Date(expiry).toISOString(),
  };
}
