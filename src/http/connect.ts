import { connect, isIP, type Socket } from "node:net";
import { errorCode } from "../system/error-code.ts";
import type { Phase } from "./exchange.ts";
import type { TransportFailure } from "./failure.ts";
import { type Lookup, loopbackOnly, notLoopback } from "./lookup.ts";

/** A host as a socket takes it: an IPv6 address stands without its brackets. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** What the steps of a connection report, and to whom. */
export interface ConnectionObserver {
  enter(phase: Phase): void;
  reached(step: string): void;
  /** Each socket as it is made, so that whoever ends the exchange can destroy it. */
  opened(socket: Socket): void;
}

/** A connection that could not be made; the failure says at which step and why. */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed";
  readonly failure: TransportFailure;
  /** Whether another connection may succeed: TLS failed with a session or with a part of the trusted certificates. */
  readonly again: boolean;

  constructor(failure: TransportFailure, again = false) {
    super(failure.kind);
    this.failure = failure;
    this.again = again;
  }
}

/** A host as URLs and people write it: an IPv6 address has brackets. */
export function shownHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
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
  notLoopback,
]);

/**
 * A TCP connection. Rejects with ConnectionFailed. `localhost` leads to this machine or nowhere (RFC 6761, section 6.3):
 * settings allow clear text to it, and a hosts file or DNS can give it any address.
 */
export function openTcp(
  { host, port }: HostAndPort,
  lookup: Lookup,
  progress: ConnectionObserver,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    progress.enter(isIP(host) === 0 ? "lookup" : "connect");
    const socket = connect({
      host,
      port,
      autoSelectFamily: true,
      noDelay: true,
      ...(host === "localhost" && { lookup: loopbackOnly(lookup) }),
    });
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
      progress.reached(`connect ${shownHost(socket.remoteAddress ?? host)} port ${port}`);
      resolve(socket);
    });
  });
}
