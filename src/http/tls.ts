// Opens TLS and verifies the server, and says which certificate of the chain a refusal is about.

import { X509Certificate } from "node:crypto";
import { isIP, type Socket } from "node:net";
import { Duplex } from "node:stream";
import {
  checkServerIdentity,
  connect,
  type DetailedPeerCertificate,
  type PeerCertificate,
  type TLSSocket,
} from "node:tls";
import type { Opening } from "./connect.ts";
import { type CertificateFacts, ConnectionFailed, codeOf, noTls, type Received } from "./failure.ts";
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

/** The certificates that a server sent, its own first, and those that this machine adds up to the root. */
type Chain = readonly [PeerCertificate, ...PeerCertificate[]];

/** The chain of a certificate; null if the server sent none. A root is its own issuer. */
function chainOf(first: Partial<DetailedPeerCertificate>): Chain | null {
  const chain = new Set<PeerCertificate>();
  let next: DetailedPeerCertificate | undefined = first as DetailedPeerCertificate;
  for (; next?.valid_to !== undefined && !chain.has(next); next = next.issuerCertificate) chain.add(next);
  const [own, ...issuers] = chain;
  return own === undefined ? null : [own, ...issuers];
}

/** The certificate of a chain that a verification error is about. Node does not tell, so it is looked for; else the server's own. */
function refusedOf(code: string, chain: Chain): PeerCertificate | undefined {
  const now = Date.now();
  if (code === "CERT_HAS_EXPIRED") return chain.find(({ valid_to }) => Date.parse(valid_to) < now);
  if (code === "CERT_NOT_YET_VALID") return chain.find(({ valid_from }) => Date.parse(valid_from) > now);
  // The codes that are about the last certificate: its issuer is not known, or not trusted.
  const isLast = /^(?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?)$/.test(code);
  return chain.at(isLast ? -1 : 0);
}

/** A date of a certificate (RFC 5280, 4.1.2.5) in ISO 8601, as reports write times; null if it cannot be read. */
function isoDate(text: string): string | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

// No more names are kept. A report shows the first three.
const mostNames = 100;

/** The content of the certificate that an error of this code is about. `fitsHost`: whether the first of the chain is for the host. */
export function factsOf(
  code: string,
  chain: Chain,
  known: Pick<CertificateFacts, "fitsHost" | "cameAlone">,
  trust: Pick<TrustedCertificates, "givenBy" | "onlyStored">,
): CertificateFacts {
  const refused = refusedOf(code, chain) ?? chain[0];
  const nameOf = (part: PeerCertificate["subject"] | undefined): string => {
    const name = part?.CN ?? part?.O;
    return (Array.isArray(name) ? name[0] : name) ?? "no name";
  };
  return {
    subject: nameOf(refused.subject),
    issuer: nameOf(refused.issuer),
    names: (refused.subjectaltname ?? "").split(", ", mostNames).filter((name) => name !== ""),
    ...known,
    validFrom: isoDate(refused.valid_from) ?? refused.valid_from,
    validTo: isoDate(refused.valid_to) ?? refused.valid_to,
    isServers: refused === chain[0],
    givenBy: trust.givenBy(refused),
    onlyStored: trust.onlyStored,
  };
}

// An alert is a record of seven bytes (RFC 8446, sections 5.1 and 6).
const alertBytes = 7;

/** Gives what has come back since this call. What came with the answer of a proxy and was not read yet counts. */
function receivedFrom(socket: Socket): () => Received {
  const before = socket.bytesRead - socket.readableLength;
  return () => {
    const bytes = socket.bytesRead - before;
    return bytes === 0 ? "nothing" : bytes === alertBytes ? "alert" : "part";
  };
}

// The longest text that a report quotes of it is shorter.
const keptBytes = 4 * 1024;

/** A connection whose first bytes are kept, to quote a port that does not speak TLS. TLS reads a plain socket below JavaScript. */
function watched(socket: Socket): { readonly stream: Duplex; readonly arrived: () => Uint8Array } {
  let kept = Buffer.alloc(0);
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, encoding, done) => void socket.write(chunk, encoding, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on("data", (chunk: Buffer) => {
    if (kept.length < keptBytes) kept = Buffer.concat([kept, chunk.subarray(0, keptBytes - kept.length)]);
    if (!stream.push(chunk)) socket.pause();
  });
  socket.on("end", () => stream.push(null));
  socket.on("error", (error) => stream.destroy(error));
  socket.on("close", () => stream.destroy());
  return { stream, arrived: () => kept };
}

/**
 * Opens TLS to this host over a connection, or resumes the session under this key. It always verifies chain and name, whatever
 * NODE_TLS_REJECT_UNAUTHORIZED says. Rejects with ConnectionFailed.
 */
export function openTls(
  socket: Socket,
  host: string,
  sessionKey: string,
  trust: TrustedCertificates,
  { record, opened }: Opening,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    record.enter("tls");
    record.received = receivedFrom(socket);
    const { sessions } = trust;
    const context = trust.context();
    const identify = isIP(host) === 0 ? checkServerIdentity : checkAddress;
    const resumed = sessions.get(sessionKey);
    // The first bytes are kept to quote a server that does not speak TLS. One that gave a session does.
    const through = resumed === undefined ? watched(socket) : null;
    const secured = connect({
      // Its type asks for a socket; any stream will do (tls, "tls.connect").
      socket: (through?.stream as Socket | undefined) ?? socket,
      host,
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
      // The name has no dot at its end (RFC 6066, section 3).
      ...(isIP(host) === 0 && { servername: host.replace(/\.$/, "") }),
      // The certificate that was read below: up to Node 24, Node has none left once `isAlone` has looked.
      checkServerIdentity: (name, certificate) => identify(name, chain?.[0] ?? certificate),
      secureContext: context,
      session: resumed?.ticket,
    });
    opened(secured);
    // Read the peer's certificate now: Node drops it when it refuses the connection. A resumed session is not verified again.
    let chain: Chain | null = null;
    let cameAlone = false;
    secured.prependListener("secure", () => {
      if (secured.isSessionReused()) return;
      chain = chainOf(secured.getPeerCertificate(true));
      // A chain is linked by issuers. This other list has all that came, in their order.
      if (chain?.length === 1) cameAlone = secured.getPeerX509Certificate()?.issuerCertificate === undefined;
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
      const failure = record.failure(code, {
        reason: isForOthers ? "" : opensslReason(error, unverified),
        certificate:
          chain &&
          factsOf(code, chain, { fitsHost: identify(host, chain[0]) === undefined, cameAlone }, trust),
      });
      const again = resumed !== undefined || (unverified && trust.widen(context));
      const broken = through && noTls.test(code) ? { problem: code, bytes: through.arrived() } : null;
      reject(new ConnectionFailed(failure, again, broken));
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
