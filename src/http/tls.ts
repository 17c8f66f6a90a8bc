import { X509Certificate } from "node:crypto";
import { isIP, type Socket } from "node:net";
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from "node:tls";
import { type Chain, chainOf, factsOf, isoDate } from "./certificate.ts";
import type { Opening } from "./connect.ts";
import { ConnectionFailed, codeOf, type Received } from "./failure.ts";
import type { TrustedCertificates } from "./trusted-certificates.ts";

/** OpenSSL's own sentence for an error. Node appends advice for its own command line to some. */
export function opensslReason(error: Error & { readonly reason?: unknown }, isVerification: boolean): string {
  if (isVerification) return error.message.replace(/;.*/s, "");
  return typeof error.reason === "string" ? error.reason : "";
}

/** Some releases of Node 22 to 26, among them 22.23, match no IPv6 address (nodejs/node#64144). OpenSSL does. */
function checkAddress(address: string, certificate: PeerCertificate): Error | undefined {
  const matches = new X509Certificate(certificate.raw).checkIP(address) !== undefined;
  return matches ? undefined : checkServerIdentity(address, certificate);
}

/** The server of a TLS connection, and the certificates to trust. */
export interface Peer {
  /** The name or address that the certificate must contain. */
  readonly host: string;
  /** The origin and the proxy. Sessions are kept under this key. */
  readonly sessionKey: string;
  readonly trust: TrustedCertificates;
}

// An alert is a record of seven bytes (RFC 8446, sections 5.1 and 6).
const alertBytes = 7;

/** Gives what has come back since this call. */
function receivedFrom(socket: Socket): () => Received {
  const before = socket.bytesRead;
  return () => {
    const bytes = socket.bytesRead - before;
    return bytes === 0 ? "nothing" : bytes <= alertBytes ? "alert" : "part";
  };
}

/**
 * Opens TLS over a connection. It always verifies the server's chain and name, even if NODE_TLS_REJECT_UNAUTHORIZED is set,
 * and resumes a session if there is one. Rejects with ConnectionFailed.
 */
export function openTls(
  socket: Socket,
  { host, sessionKey, trust }: Peer,
  { record, opened }: Opening,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    record.enter("tls");
    record.received = receivedFrom(socket);
    const { sessions } = trust;
    const context = trust.context();
    const identify = isIP(host) === 0 ? checkServerIdentity : checkAddress;
    const resumed = sessions.get(sessionKey);
    const secured = connect({
      socket,
      host,
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
      // The name has no dot at its end (RFC 6066, section 3).
      ...(isIP(host) === 0 && { servername: host.replace(/\.$/, "") }),
      checkServerIdentity: identify,
      secureContext: context,
      session: resumed?.ticket,
    });
    opened(secured);
    // Read the peer's certificate now: Node drops it when it refuses the connection. A resumed session is not verified again.
    let chain: Chain | null = null;
    secured.prependListener("secure", () => {
      if (!secured.isSessionReused()) chain = chainOf(secured.getPeerCertificate(true));
    });
    // A resumed handshake brings no certificate.
    const expiresAt = (): string | null =>
      chain ? isoDate(chain[0].valid_to) : (resumed?.expiresAt ?? null);
    // Resuming a session verifies nothing, so keep one only after verification. With TLS 1.3 it can arrive later than that.
    let ticket: Buffer | null = null;
    const keep = (): void => {
      if (ticket !== null && secured.authorized) sessions.set(sessionKey, { ticket, expiresAt: expiresAt() });
    };
    secured.on("session", (fresh) => {
      ticket = fresh;
      keep();
    });
    const failed = (error: Error): void => {
      const code = codeOf(error);
      const isForOthers = code === "ERR_TLS_CERT_ALTNAME_INVALID";
      const unverified = Boolean(secured.authorizationError) && !isForOthers;
      // The server may have failed because of the resumed session, so drop it.
      sessions.delete(sessionKey);
      reject(
        new ConnectionFailed(
          record.failure(code, {
            reason: isForOthers ? "" : opensslReason(error, unverified),
            certificate: chain && factsOf(code, chain, identify(host, chain[0]) === undefined),
          }),
          resumed !== undefined || (unverified && trust.widen(context)),
        ),
      );
    };
    secured.once("error", failed);
    secured.once("secureConnect", () => {
      secured.off("error", failed);
      keep();
      const version = secured.getProtocol() ?? "";
      record.tls = { version, isResumed: secured.isSessionReused(), expiresAt: expiresAt() };
      resolve(secured);
    });
  });
}
