import type { Socket } from "node:net";
import { ConnectionFailed, hostAndPort, type Opening, openTcp } from "./connect.ts";
import { openTls } from "./tls.ts";
import type { TlsCache, TrustedCertificates } from "./trusted-certificates.ts";
import { openTunnel, type Way } from "./tunnel.ts";

/** Where a connection leads, through which proxy, and which certificates it trusts. */
export interface Route {
  readonly url: URL;
  readonly proxy: URL | null;
  /** PEM certificates to trust besides the usual roots. */
  readonly extraCertificates: readonly string[];
}

// The second attempt has no TLS session, and the third also trusts the system's certificates.
const maxAttempts = 3;

/** Makes the connection of one exchange, which no other exchange uses. */
export class Connection {
  readonly #route: Route;
  readonly #opening: Opening;
  readonly #sockets: Socket[] = [];
  #destroyed = false;

  constructor(route: Route, opening: Omit<Opening, "opened" | "isOver">) {
    this.#route = route;
    this.#opening = {
      ...opening,
      opened: (socket) => this.#opened(socket),
      isOver: () => this.#destroyed,
    };
  }

  /** Connects. Rejects with ConnectionFailed. */
  async open(cache: TlsCache): Promise<Socket> {
    const trust = cache.trusting(this.#route.extraCertificates);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#connect(trust);
      } catch (error) {
        // No request has been sent yet.
        if (!(error instanceof ConnectionFailed && error.again && attempt < maxAttempts)) throw error;
        this.#closeSockets();
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
    socket.on("error", () => {});
    if (this.#destroyed) this.#closeSockets();
  }

  async #connect(trust: TrustedCertificates): Promise<Socket> {
    const { url, proxy } = this.#route;
    const target = hostAndPort(url);
    const { socket, blame }: Way =
      proxy === null
        ? { socket: await openTcp(target, this.#opening) }
        : await openTunnel(proxy, target, trust, this.#opening);
    if (url.protocol !== "https:") return socket;
    const sessionKey = proxy === null ? url.origin : `${url.origin} through ${proxy.href}`;
    return openTls(socket, { host: target.host, sessionKey, trust }, this.#opening).catch((error) => {
      throw blame?.(error) ?? error;
    });
  }
}
