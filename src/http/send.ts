import type { Socket } from "node:net";
import { Channel, type Channels, type Route } from "./channel.ts";
import type { Ending } from "./ending.ts";
import type { Exchange, Phase, TimelineEntry } from "./exchange.ts";
import { receive, type Times } from "./receive.ts";

/** One GET request. `headers` are sent as they stand. */
export interface HttpRequest extends Route {
  readonly headers: Readonly<Record<string, string>>;
  /** From the first step to the last byte, in milliseconds. */
  readonly deadlineMs: number;
  /** The clock that the exchange is timed by, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends the exchange at once; `send` then rejects with its reason. */
  readonly interrupted: AbortSignal;
  /** Where connections are kept for further requests; null for one of this request's own. */
  readonly channels: Channels | null;
}

/** Milliseconds of a clock that only goes forward. `performance.now()` would load node:perf_hooks (1.5 ms). */
const milliseconds = (): number => Number(process.hrtime.bigint()) / 1e6;

/**
 * Sends one GET and resolves with how that ended. The deadline is this function's own and covers everything; redirects
 * are never followed; nothing is left open but a connection that `channels` keeps. Rejects only with the reason of
 * `interrupted`.
 */
export async function send(request: HttpRequest): Promise<Exchange> {
  const { url, channels, interrupted } = request;
  interrupted.throwIfAborted();
  const began = milliseconds();
  const timeline: TimelineEntry[] = [];
  const times: Times = { sentAt: null, repliedAt: null };
  const reused = channels?.take(request) ?? null;
  const channel = reused ?? new Channel(request);
  let phase: Phase = reused === null ? "lookup" : "request";
  let kept = false;

  const progress = {
    enter: (next: Phase): void => {
      phase = next;
    },
    reached: (step: string): void => void timeline.push({ step, at: milliseconds() - began }),
  };

  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  let release: (() => void) | undefined;
  try {
    const ending = await new Promise<Ending>((resolve, reject) => {
      timer = setTimeout(() => resolve({ kind: "expired", phase }), request.deadlineMs);
      stop = () => reject(interrupted.reason);
      interrupted.addEventListener("abort", stop, { once: true });

      const reception = receive({
        progress,
        now: request.now,
        connection: channel,
        times,
        settle: resolve,
        fail: reject,
      });
      channel.follow({
        ...progress,
        connected: (socket: Socket) => {
          release = reception.limit(socket);
        },
      });
      channel.client.dispatch(
        { method: "GET", path: url.pathname, headers: request.headers },
        reception.handler,
      );
    });
    kept = channels !== null && ending.kind === "reply" && !ending.reply.truncated;
    const durationMs = milliseconds() - began;
    return { ...ending, trace: { durationMs, timeline, ...times, reused: reused !== null } };
  } finally {
    clearTimeout(timer);
    if (stop) interrupted.removeEventListener("abort", stop);
    release?.();
    if (kept) channels?.give(request, channel);
    else channel.destroy();
  }
}
