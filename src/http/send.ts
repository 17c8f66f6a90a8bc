import { clientFor } from "./client.ts";
import { ConnectionFailed } from "./connect.ts";
import { Connection, type Route } from "./connection.ts";
import { ConnectionRecorder, milliseconds } from "./connection-record.ts";
import type { Exchange } from "./exchange.ts";
import type { ExchangeEnd } from "./exchange-end.ts";
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
  readonly lookup: Lookup;
}

/**
 * Sends one GET once, on a connection of its own, and resolves with how it ended. It follows no redirects and leaves nothing
 * open. Rejects with the reason of `interrupted`.
 */
export async function send(request: HttpRequest): Promise<Exchange> {
  const { url, headers, interrupted, lookup, deadlineMs } = request;
  interrupted.throwIfAborted();
  const began = milliseconds();
  const times: Times = { sentAt: null, respondedAt: null };
  const record = new ConnectionRecorder();
  const connection = new Connection(request, { record, lookup });

  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  try {
    const ending = await new Promise<ExchangeEnd>((resolve, reject) => {
      timer = setTimeout(() => resolve({ kind: "expired" }), deadlineMs);
      stop = () => reject(interrupted.reason);
      interrupted.addEventListener("abort", stop, { once: true });

      const exchange = async (): Promise<void> => {
        const socket = await connection.open(request.tls);
        record.enter("request");
        const { now } = request;
        const handler = receive(socket, { record, now, times, settle: resolve, fail: reject });
        clientFor(socket, url.origin).dispatch({ method: "GET", path: url.pathname, headers }, handler);
      };
      exchange().catch((error) => {
        if (error instanceof ConnectionFailed) resolve({ kind: "failed", failure: error.failure });
        else reject(error);
      });
    });
    const trace = { durationMs: milliseconds() - began, connection: record.end(), ...times };
    return { ...ending, trace };
  } finally {
    clearTimeout(timer);
    if (stop) interrupted.removeEventListener("abort", stop);
    connection.destroy();
  }
}
