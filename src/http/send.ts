// Sends one GET on a connection of its own and resolves with how that ended. It follows no redirect, retries nothing and leaves
// nothing open.

import type { Socket } from "node:net";
import { hostAndPort } from "../system/addresses.ts";
import { clientFor } from "./client.ts";
import { type Opening, openTcp } from "./connect.ts";
import { type Exchange, type ExchangeEnd, pathBelow } from "./exchange.ts";
import { ConnectionFailed } from "./failure.ts";
import type { Lookup } from "./lookup.ts";
import { receive } from "./receive.ts";
import { ConnectionRecorder } from "./record.ts";
import { openTls } from "./tls.ts";
import type { TlsCache, TrustedCertificates } from "./trusted-certificates.ts";
import { openTunnel } from "./tunnel.ts";

/** Where requests go, by which way, and how long each may take. */
export interface Route {
  /** Without a slash at the end of a path. */
  readonly baseUrl: URL;
  /** The address to connect to, instead of looking the host up: without brackets. Null for a lookup, and with a proxy. */
  readonly address: string | null;
  readonly proxy: URL | null;
  /** PEM certificates to trust besides the usual roots. */
  readonly extraCertificates: readonly string[];
  /** The deadline for everything from the first step to the last byte. */
  readonly timeoutSeconds: number;
}

/** What the requests of one run share. */
export interface Network {
  /** The clock that exchanges are timed by, in milliseconds since the epoch. */
  now(): number;
  /** Ends an exchange at once; `send` then rejects with its reason. */
  readonly interrupted: AbortSignal;
  readonly tls: TlsCache;
  readonly lookup: Lookup;
}

// The second attempt has no TLS session, and the third also trusts the system's certificates.
const maxAttempts = 3;

/** Opens the way to the server. Rejects with ConnectionFailed. */
async function connectTo(
  { baseUrl, address, proxy }: Route,
  trust: TrustedCertificates,
  opening: Opening,
): Promise<Socket> {
  const target = hostAndPort(baseUrl);
  const socket =
    proxy === null
      ? await openTcp({ ...target, host: address ?? target.host }, opening)
      : await openTunnel(proxy, target, trust, opening);
  if (baseUrl.protocol !== "https:") return socket;
  const sessionKey = proxy === null ? baseUrl.origin : `${baseUrl.origin} through ${proxy.href}`;
  return openTls(socket, target.host, sessionKey, trust, opening);
}

/**
 * Sends one GET of a path below the base URL on a connection of its own, and resolves with how it ended. Rejects with the reason of
 * `interrupted`.
 */
export async function send(
  route: Route,
  request: { readonly path: string; readonly headers: Readonly<Record<string, string>> },
  { now, interrupted, tls, lookup }: Network,
): Promise<Exchange> {
  const { baseUrl } = route;
  interrupted.throwIfAborted();
  const record = new ConnectionRecorder(route);
  const sockets: Socket[] = [];
  let isOver = false;
  // Destroy TLS before the TCP connection that it uses.
  const closeSockets = (): void => {
    for (const socket of sockets.splice(0).reverse()) socket.destroy();
  };
  const opened = (socket: Socket): void => {
    sockets.push(socket);
    // Without a listener, a late error would end the process.
    socket.on("error", () => {});
    if (isOver) closeSockets();
  };
  const opening: Opening = { record, lookup, opened, isOver: () => isOver };

  const open = async (): Promise<Socket> => {
    const trust = tls.trusting(route.extraCertificates);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await connectTo(route, trust, opening);
      } catch (error) {
        // No request has been sent yet.
        if (!(error instanceof ConnectionFailed && error.again && attempt < maxAttempts)) throw error;
        closeSockets();
      }
    }
  };

  let atDeadline = (): ExchangeEnd => ({ kind: "failed", failure: record.failure(null) });
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  try {
    const ending = await new Promise<ExchangeEnd>((resolve, reject) => {
      timer = setTimeout(() => resolve(atDeadline()), route.timeoutSeconds * 1000);
      stop = () => reject(interrupted.reason);
      interrupted.addEventListener("abort", stop, { once: true });

      const exchange = async (): Promise<void> => {
        const socket = await open();
        record.enter("request");
        const receiving = receive(socket, record, now, resolve, reject);
        ({ atDeadline } = receiving);
        const path = pathBelow(baseUrl, request.path);
        clientFor(socket, baseUrl.origin).dispatch(
          { method: "GET", path, headers: request.headers },
          receiving.handler,
        );
      };
      exchange().catch((error) => {
        if (error instanceof ConnectionFailed)
          resolve({ kind: "failed", failure: error.failure, broken: error.broken });
        else reject(error);
      });
    });
    return { ...ending, trace: record.end() };
  } finally {
    clearTimeout(timer);
    if (stop) interrupted.removeEventListener("abort", stop);
    isOver = true;
    closeSockets();
  }
}
