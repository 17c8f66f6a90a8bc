import { clientFor } from "./client.ts";
import { ConnectionFailed } from "./connect.ts";
import { Connection, type Route } from "./connection.ts";
import type { Exchange, HostAndPort, TimelineEntry } from "./exchange.ts";
import type { ExchangeEnd } from "./exchange-end.ts";
import type { Step } from "./failure.ts";
import type { Lookup } from "./lookup.ts";
import { receive, type Times } from "./receive.ts";
import type { TlsCache } from "./trusted-certificates.ts";

/** One GET request. `headers` are sent unchanged. */
export interface HttpRequest extends Route {
  readonly headers: Readonly<Record<string, string>>;
  /** The deadline for everything from the first step to the last byte, in milliseconds. */
  readonly deadlineMs: number;
  /** The clock that the exchange is timed by, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends the exchange at once; `send` then rejects with its reason. */
  readonly interrupted: AbortSignal;
  /** The TLS sessions that requests of the same run share. */
  readonly tls: TlsCache;
  /** Looks up every host name. */
  readonly lookup: Lookup;
}

/** Milliseconds of a clock that only goes forward. `performance.now()` would load node:perf_hooks (1.5 ms). */
const milliseconds = (): number => Number(process.hrtime.bigint()) / 1e6;

/**
 * Sends one GET once, on a connection of its own, and resolves with how it ended. It follows no redirects and leaves nothing
 * open. Rejects with the reason of `interrupted`.
 */
export async function send(request: HttpRequest): Promise<Exchange> {
  const { url, headers, interrupted } = request;
  interrupted.throwIfAborted();
  const began = milliseconds();
  const timeline: TimelineEntry[] = [];
  const times: Times = { sentAt: null, respondedAt: null };
  let step: Step = "lookup";
  const progress = {
    enter: (next: Step): void => {
      step = next;
    },
    reached: (reached: string, peer: HostAndPort | null = null): void =>
      void timeline.push({ reached, peer, at: milliseconds() - began }),
  };
  const connection = new Connection(request, progress);

  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  try {
    const ending = await new Promise<ExchangeEnd>((resolve, reject) => {
      timer = setTimeout(() => resolve({ kind: "expired", step }), request.deadlineMs);
      stop = () => reject(interrupted.reason);
      interrupted.addEventListener("abort", stop, { once: true });

      const exchange = async (): Promise<void> => {
        const socket = await connection.open(request.tls, request.lookup);
        const handler = receive(socket, {
          progress,
          now: request.now,
          connection,
          times,
          settle: resolve,
          fail: reject,
        });
        clientFor(socket, url.origin).dispatch({ method: "GET", path: url.pathname, headers }, handler);
      };
      exchange().catch((error) => {
        if (error instanceof ConnectionFailed) resolve({ kind: "failed", failure: error.failure });
        else reject(error);
      });
    });
    return { ...ending, trace: { durationMs: milliseconds() - began, timeline, ...times } };
  } finally {
    clearTimeout(timer);
    if (stop) interrupted.removeEventListener("abort", stop);
    connection.destroy();
  }
}
