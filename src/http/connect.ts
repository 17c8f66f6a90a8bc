import { connect, isIP, type Socket } from "node:net";
import { errorCode } from "../system/error-code.ts";
import type { HostAndPort } from "./exchange.ts";
import type { Step, TransportFailure } from "./failure.ts";
import { forSocket, type Lookup } from "./lookup.ts";

/** Is called for each step of a connection. */
export interface ConnectionObserver {
  enter(step: Step): void;
  reached(what: string, peer?: HostAndPort): void;
  /** Called with each new socket, so that the exchange can destroy it at the end. */
  opened(socket: Socket): void;
}

/** A connection could not be made. `failure` holds the step and the cause. */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed";
  readonly failure: TransportFailure;
  /** Whether another attempt may succeed: TLS resumed a session, or trusted only a part of the certificates. */
  readonly again: boolean;

  constructor(failure: TransportFailure, again = false) {
    super(failure.step);
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
    host: url.hostname.replace(/[[\]]/g, ""),
    port: Number(url.port) || (url.protocol === "https:" ? 443 : 80),
  };
}

/** The code of an error, as a failure reports it; `UNKNOWN` if it has none. */
export function codeOf(error: unknown): string {
  return errorCode(error) ?? "UNKNOWN";
}

/** Opens a TCP connection. Rejects with ConnectionFailed. */
export function openTcp(
  { host, port }: HostAndPort,
  lookup: Lookup,
  progress: ConnectionObserver,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let hasAddress = isIP(host) !== 0;
    progress.enter(hasAddress ? "connect" : "lookup");
    const socket = connect({
      host,
      port,
      noDelay: true,
      lookup: forSocket(lookup),
      // Try all addresses of a name (RFC 8305), even if NODE_OPTIONS says --no-network-family-autoselection.
      autoSelectFamily: true,
    });
    progress.opened(socket);
    socket.once("lookup", (error: Error | null) => {
      if (error !== null) return;
      hasAddress = true;
      progress.reached("lookup");
      progress.enter("connect");
    });
    const failed = (error: Error): void => {
      const code = codeOf(error);
      reject(
        new ConnectionFailed(
          hasAddress ? { step: "connect", host, port, code } : { step: "lookup", host, code },
        ),
      );
    };
    socket.once("error", failed);
    socket.once("connect", () => {
      progress.reached("connect", { host: socket.remoteAddress ?? host, port });
      resolve(socket);
    });
  });
}
