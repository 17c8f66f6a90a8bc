import type { Socket } from "node:net";
import { Client } from "undici";
import { hostAndPort, openTcp, openTls, type Progress } from "./connect.ts";
import type { Connection, Ending } from "./ending.ts";
import type { Exchange, Phase, TimelineEntry } from "./exchange.ts";
import { type Reception, receive, type Times } from "./receive.ts";
import { openTunnel } from "./tunnel.ts";

/** One GET request. `headers` are sent as they stand. */
export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly proxy: URL | null;
  /** PEM certificates to trust besides the usual roots. */
  readonly extraCertificates: readonly string[];
  /** From the first step to the last byte, in milliseconds. */
  readonly deadlineMs: number;
  /** The clock that the exchange is timed by, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends the exchange at once; `send` then rejects with its reason. */
  readonly interrupted: AbortSignal;
}

const maxHeaderBytes = 64 * 1024;

/**
 * Sends one GET over a connection of its own and resolves with how that ended. The deadline is this function's own and
 * covers everything; redirects are never followed; nothing is left open. Rejects only with the reason of `interrupted`.
 */
export async function send(request: HttpRequest): Promise<Exchange> {
  request.interrupted.throwIfAborted();
  const { url } = request;
  const began = performance.now();
  const timeline: TimelineEntry[] = [];
  const sockets: Socket[] = [];
  let phase: Phase = "lookup";
  let remoteAddress: string | null = null;
  const socketErrors: Error[] = [];
  const times: Times = { sentAt: null, repliedAt: null };
  let reception: Reception | undefined;

  const progress: Progress = {
    enter: (next) => {
      phase = next;
    },
    reached: (step) => void timeline.push({ step, at: performance.now() - began }),
    opened: (socket) => {
      sockets.push(socket);
      // Whoever waits for the socket hears of its errors; one that comes after all is over must not end the process.
      socket.on("error", (error) => void socketErrors.push(error));
    },
  };
  const connection: Connection = {
    get firstError() {
      return socketErrors[0] ?? null;
    },
    get ended() {
      return sockets.at(-1)?.readableEnded ?? false;
    },
  };

  const connect = async (): Promise<Socket> => {
    const target = hostAndPort(url);
    const socket =
      request.proxy === null
        ? await openTcp(target, progress)
        : await openTunnel(request.proxy, target, request.extraCertificates, progress);
    remoteAddress = socket.remoteAddress ?? null;
    return url.protocol === "https:"
      ? openTls(socket, target.host, request.extraCertificates, progress)
      : socket;
  };

  const client = new Client(url.origin, {
    connect: (_options, callback) => {
      connect().then(
        (socket) => {
          reception?.limit(socket);
          callback(null, socket);
        },
        (error: Error) => callback(error, null),
      );
    },
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
  });

  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  try {
    const ending = await new Promise<Ending>((resolve, reject) => {
      timer = setTimeout(() => resolve({ kind: "expired", phase }), request.deadlineMs);
      stop = () => reject(request.interrupted.reason);
      request.interrupted.addEventListener("abort", stop, { once: true });

      reception = receive({ progress, now: request.now, connection, times, settle: resolve, fail: reject });
      client.dispatch({ method: "GET", path: url.pathname, headers: request.headers }, reception.handler);
    });
    return {
      ...ending,
      trace: { durationMs: performance.now() - began, timeline, ...times, remoteAddress },
    };
  } finally {
    clearTimeout(timer);
    if (stop) request.interrupted.removeEventListener("abort", stop);
    // undici may keep a connection, or try again, unless it is destroyed.
    void client.destroy().catch(() => {});
    for (const socket of sockets) socket.destroy();
  }
}
