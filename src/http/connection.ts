import type { Socket } from "node:net";
import { ConnectionFailed, type ConnectionObserver, hostAndPort, openTcp } from "./connect.ts";
import type { Lookup } from "./lookup.ts";
import { openTls } from "./tls.ts";
import type { TlsCache, TrustedCertificates } from "./trusted-certificates.ts";
import { openTunnel } from "./tunnel.ts";

/** Where a connection leads, through which proxy, and which certificates it trusts. */
export interface Route {
  readonly url: URL;
  readonly proxy: URL | null;
  /** PEM certificates to trust besides the usual roots. */
  readonly extraCertificates: readonly string[];
}

// The second attempt has no TLS session, and the third also trusts the system's certificates.
const maxAttempts = 3;

/** The connection of one exchange. No other exchange uses it. */
export class Connection {
  readonly #route: Route;
  readonly #progress: ConnectionObserver;
  readonly #sockets: Socket[] = [];
  #firstError: Error | null = null;
  #destroyed = false;

  constructor(route: Route, progress: Omit<ConnectionObserver, "opened">) {
    this.#route = route;
    this.#progress = { ...progress, opened: (socket) => this.#opened(socket) };
  }

  /** The first error of the sockets. undici does not report it. */
  get firstError(): Error | null {
    return this.#firstError;
  }

  /** Whether the peer closed its side without an error. */
  get ended(): boolean {
    return this.#sockets.at(-1)?.readableEnded ?? false;
  }

  /** Connects. Rejects with ConnectionFailed. */
  async open(cache: TlsCache, lookup: Lookup): Promise<Socket> {
    const trust = cache.trusting(this.#route.extraCertificates);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#connect(trust, lookup);
      } catch (error) {
        // No request has been sent yet.
        if (!(error instanceof ConnectionFailed && error.again && attempt < maxAttempts)) throw error;
        this.#progress.reached(`${error.failure.code}: connecting again`);
        this.#closeSockets();
        this.#firstError = null;
      }
    }
  }

  /** Destroys all sockets at once. */
  destroy(): void {
    this.#destroyed = true;
    this.#closeSockets();
  }

  #closeSockets(): void {
    // Destroy TLS before the TCP connection that it uses.
    for (const socket of this.#sockets.splice(0).reverse()) socket.destroy();
  }

  #opened(socket: Socket): void {
    this.#sockets.push(socket);
    // Without a listener, a late error would end the process.
    socket.on("error", (error) => {
      this.#firstError ??= error;
    });
    if (this.#destroyed) this.#closeSockets();
  }

  async #connect(trust: TrustedCertificates, lookup: Lookup): Promise<Socket> {
    const { url, proxy } = this.#route;
    const target = hostAndPort(url);
    const tunnel = proxy && (await openTunnel(proxy, target, { trust, lookup }, this.#progress));
    const socket = tunnel?.socket ?? (await openTcp(target, lookup, this.#progress));
    if (url.protocol !== "https:") return socket;
    const sessionKey = proxy === null ? url.origin : `${url.origin} through ${proxy.href}`;
    return openTls(socket, { host: target.host, sessionKey, trust }, this.#progress).catch((error) => {
      throw tunnel?.failed(error) ?? error;
    });
  }
}
