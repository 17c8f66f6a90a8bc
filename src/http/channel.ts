import type { Socket } from "node:net";
import { Client } from "undici";
import { hostAndPort, openTcp, openTls, type Progress } from "./connect.ts";
import { openTunnel } from "./tunnel.ts";

/** Where a connection leads, and by which way. */
export interface Route {
  readonly url: URL;
  readonly proxy: URL | null;
  /** PEM certificates to trust besides the usual roots. */
  readonly extraCertificates: readonly string[];
}

/** Who follows the exchange that is under way on a channel. */
export interface Follower extends Omit<Progress, "opened"> {
  /** Called when there is a connection to send on. */
  connected(socket: Socket): void;
}

// What Node itself takes; four times as much lets tiny fields cost 20 MB more.
const maxHeaderBytes = 16 * 1024;

/** One connection to an origin, made at the first request. One exchange at a time. */
export class Channel {
  readonly client: Client;
  readonly #sockets: Socket[] = [];
  readonly #errors: Error[] = [];
  #follower: Follower | null = null;

  constructor(route: Route) {
    this.client = new Client(route.url.origin, {
      connect: (_options, callback) => {
        this.#connect(route).then(
          (socket) => {
            this.#follower?.connected(socket);
            callback(null, socket);
          },
          (error: Error) => callback(error, null),
        );
      },
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeaderBytes,
    });
  }

  /** Makes this the exchange that is under way. */
  follow(follower: Follower): void {
    this.#follower = follower;
    const socket = this.#sockets.at(-1);
    if (socket !== undefined) follower.connected(socket);
  }

  /** The first error of the sockets, which undici does not tell. */
  get firstError(): Error | null {
    return this.#errors[0] ?? null;
  }

  /** The peer ended its side in an orderly way. */
  get ended(): boolean {
    return this.#sockets.at(-1)?.readableEnded ?? false;
  }

  /** Whether another request can be sent on the connection. */
  get isOpen(): boolean {
    const socket = this.#sockets.at(-1);
    return (
      socket !== undefined &&
      !socket.destroyed &&
      socket.readable &&
      socket.writable &&
      this.#errors.length === 0
    );
  }

  /** Ends everything at once. */
  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
    // undici may try again unless it is destroyed.
    void this.client.destroy().catch(() => {});
  }

  async #connect({ url, proxy, extraCertificates }: Route): Promise<Socket> {
    const progress: Progress = {
      enter: (phase) => this.#follower?.enter(phase),
      reached: (step) => this.#follower?.reached(step),
      opened: (socket) => {
        this.#sockets.push(socket);
        // Whoever waits for the socket hears of its errors; a later one must not end the process.
        socket.on("error", (error) => void this.#errors.push(error));
      },
    };
    const target = hostAndPort(url);
    const socket =
      proxy === null
        ? await openTcp(target, progress)
        : await openTunnel(proxy, target, extraCertificates, progress);
    return url.protocol === "https:" ? openTls(socket, target.host, extraCertificates, progress) : socket;
  }
}

/** The channels of a run that can serve another request, by route. */
export class Channels {
  readonly #idle = new Map<string, Channel[]>();

  /** An open channel of the route that nobody uses, or null. */
  take(route: Route): Channel | null {
    const idle = this.#idle.get(keyOf(route));
    for (let channel = idle?.pop(); channel !== undefined; channel = idle?.pop()) {
      if (channel.isOpen) return channel;
      channel.destroy();
    }
    return null;
  }

  /** Keeps a channel for the next request of its route. */
  give(route: Route, channel: Channel): void {
    const key = keyOf(route);
    const idle = this.#idle.get(key);
    if (idle === undefined) this.#idle.set(key, [channel]);
    else idle.push(channel);
  }

  /** Ends all that are not in use. */
  close(): void {
    for (const channel of [...this.#idle.values()].flat()) channel.destroy();
    this.#idle.clear();
  }
}

// Certificates decide whom a connection trusts, so they are part of what it is.
function keyOf({ url, proxy, extraCertificates }: Route): string {
  return JSON.stringify([url.origin, proxy?.href ?? null, extraCertificates]);
}
