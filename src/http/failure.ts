// Transport failures as values: the step, whose end it was, and what is known of it.

import { errorCode } from "../errors.ts";

/** The steps of one exchange, in their order. */
export type Step = "lookup" | "connect" | "proxy" | "tls" | "request" | "response";

/** A host in the form that a socket expects: an IPv6 address has no brackets. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** The content of a refused certificate; times in ISO 8601. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly names: readonly string[];
  /** Whether the server's own certificate is for the host that was asked for. */
  readonly fitsHost: boolean;
  readonly validFrom: string;
  readonly validTo: string;
  /** Whether it is the server's own, and not one above it in the chain. */
  readonly isServers: boolean;
  /** Whether the server sent no other certificate. */
  readonly cameAlone: boolean;
  /** What gave it to this program as trusted; null if the server did, or this machine's store. */
  readonly givenBy: "extraCertificates" | "SSL_CERT_FILE" | null;
  /** How many certificates count where SSL_CERT_FILE replaces the usual roots; null where it is not set. */
  readonly onlyStored: number | null;
}

/** What came back: nothing, a TLS alert alone (RFC 8446, section 6), a part of a head, or a part of a handshake or of a body. */
export type Received = "nothing" | "alert" | "head" | "part";

/** How a proxy answered CONNECT. */
export interface ProxyAnswer {
  readonly status: number;
  /** Its reason phrase, and what Squid's own field or that of RFC 9209 says, as they were sent. */
  readonly reason: string;
  /** Its Location field as it was sent; null without one. */
  readonly location: string | null;
  /** Each Proxy-Authenticate field as it was sent. */
  readonly challenges: readonly string[];
  /** Whether it was sent a user or a password. */
  readonly hadCredentials: boolean;
}

/** Why there is no response. It is made where it happens (record.ts). */
export interface Failure {
  /** The step that failed, on the way to the API or to a proxy; `proxy` if no TLS came through its tunnel. */
  readonly step: Step;
  /** Whether it is the API's or the proxy's. */
  readonly at: "api" | "proxy";
  /** The name that the operating system, OpenSSL or Node gives the cause; null if the deadline passed. */
  readonly code: string | null;
  /** OpenSSL's sentence, or that of what keeps this process from connecting; empty if there is none. */
  readonly reason: string;
  readonly peer: HostAndPort;
  /** What came back in the handshake, or of the response; null before them. */
  readonly received: Received | null;
  readonly certificate: CertificateFacts | null;
  /** How many bytes of a body came, and its Content-Length as it was sent; null without one, or before the body. */
  readonly body: { readonly came: number; readonly announced: string } | null;
  /** Null if no proxy answered. */
  readonly answer: ProxyAnswer | null;
}

/** A response that breaks a rule of HTTP, or whose head was cut. */
export interface BrokenHttp {
  /** The rule, in the parser's words; empty for a head that was cut. */
  readonly problem: string;
  /** What had arrived, 4 KiB at most. */
  readonly bytes: Uint8Array;
}

/** A connection could not be made. It is thrown and is no Error: nobody reads its stack. */
export class ConnectionFailed {
  readonly failure: Failure;
  /** Whether another attempt may succeed: TLS resumed a session, or trusted only a part of the certificates. */
  readonly again: boolean;
  /** What a proxy answered that is no valid HTTP. */
  readonly broken: BrokenHttp | null;

  constructor(failure: Failure, again = false, broken: BrokenHttp | null = null) {
    this.failure = failure;
    this.again = again;
    this.broken = broken;
  }
}

/** The code of an error, as a failure reports it; `UNKNOWN` if it has none. */
export function codeOf(error: unknown): string {
  return errorCode(error) ?? "UNKNOWN";
}

/** The message of an error with a code of Node's, or that a call threw, as a test's guard of the network does; else an empty text. */
export function wordsOf(error: unknown, isThrown = false): string {
  const isNodes = codeOf(error).startsWith("ERR_");
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return (isThrown || isNodes) && typeof message === "string" ? message : "";
}

/** The codes of OpenSSL for an answer that is no TLS. */
export const noTls = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/;

/** Whether this process cannot run WebAssembly, which undici parses responses with. That is no fault of the server. */
export function lacksWebAssembly(error: unknown): boolean {
  if (errorCode(error) === "ERR_WEBASSEMBLY_NOT_SUPPORTED") return true;
  // V8's error for want of memory has no code. Its message begins with the function.
  return error instanceof Error && error.message.startsWith("WebAssembly.");
}
