import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type PeerCertificate, type TLSSocket } from "node:tls";
import { errorCode } from "../error-code.ts";
import type { Phase } from "./exchange.ts";
import type { CertificateFacts, TransportFailure } from "./failure.ts";
import { trustedRoots } from "./roots.ts";

/** A host as a socket takes it: an IPv6 address stands without its brackets. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** What the steps of a connection report, and to whom. */
export interface Progress {
  enter(phase: Phase): void;
  reached(step: string): void;
  /** Each socket as it is made, so that whoever ends the exchange can destroy it. */
  opened(socket: Socket): void;
}

/** A connection that could not be made; the failure says at which step and why. */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed";
  readonly failure: TransportFailure;

  constructor(failure: TransportFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Where a URL leads: its host without the brackets of IPv6, and its port or that of its scheme. */
export function hostAndPort(url: URL): HostAndPort {
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (url.protocol === "https:" ? 443 : 80),
  };
}

/** An error's name, as a failure reports it; `UNKNOWN` where it has none. */
export function codeOf(error: unknown): string {
  return errorCode(error) ?? "UNKNOWN";
}

const lookupCodes = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "ENODATA",
  "ESERVFAIL",
]);

/** A TCP connection. Rejects with ConnectionFailed. */
export function openTcp({ host, port }: HostAndPort, progress: Progress): Promise<Socket> {
  return new Promise((resolve, reject) => {
    progress.enter(isIP(host) === 0 ? "lookup" : "connect");
    const socket = connectTcp({ host, port, autoSelectFamily: true, noDelay: true });
    progress.opened(socket);
    socket.once("lookup", () => {
      progress.reached("lookup");
      progress.enter("connect");
    });
    const failed = (error: Error): void => {
      const code = codeOf(error);
      reject(
        new ConnectionFailed(
          lookupCodes.has(code) ? { kind: "lookup", host, code } : { kind: "connect", host, port, code },
        ),
      );
    };
    socket.once("error", failed);
    socket.once("connect", () => {
      socket.off("error", failed);
      progress.reached(`connect ${socket.remoteAddress ?? host} port ${port}`);
      resolve(socket);
    });
  });
}

function factsOf(certificate: PeerCertificate | null): CertificateFacts | null {
  if (certificate?.valid_to === undefined) return null;
  const nameOf = (part: PeerCertificate["subject"] | undefined): string => {
    const name = part?.CN ?? part?.O;
    return (Array.isArray(name) ? name[0] : name) ?? "no name";
  };
  return {
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    names: (certificate.subjectaltname ?? "").split(", ").filter((name) => name !== ""),
    validFrom: certificate.valid_from,
    validTo: certificate.valid_to,
  };
}

/**
 * TLS over a connection, with the server's chain and name verified whatever the environment says
 * (NODE_TLS_REJECT_UNAUTHORIZED). Rejects with ConnectionFailed.
 */
export function openTls(
  socket: Socket,
  host: string,
  extraCertificates: readonly string[],
  progress: Progress,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    progress.enter("tls");
    const secured = connectTls({
      socket,
      host,
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
      ...(isIP(host) === 0 && { servername: host }),
      ca: trustedRoots(extraCertificates),
    });
    progress.opened(secured);
    // Node drops the peer's certificate together with the connection that it refuses: it has to be read before that.
    let certificate: PeerCertificate | null = null;
    secured.prependListener("secure", () => {
      certificate = secured.getPeerCertificate();
    });
    const failed = (error: Error): void =>
      reject(new ConnectionFailed({ kind: "tls", code: codeOf(error), certificate: factsOf(certificate) }));
    secured.once("error", failed);
    secured.once("secureConnect", () => {
      secured.off("error", failed);
      progress.reached(`tls ${secured.getProtocol() ?? ""}`);
      resolve(secured);
    });
  });
}
