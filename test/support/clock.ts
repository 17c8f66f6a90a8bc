import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

/** The connections of this process that are open, as clients see them. */
const connections = new Set<Socket>();
subscribe("net.client.socket", (message) => {
  const { socket } = message as { readonly socket: Socket };
  connections.add(socket);
  socket.once("close", () => connections.delete(socket));
});

// Between two requests a program reads files and goes through promises, which takes some turns of the event loop.
const quietTurns = 20;

/** The clock of one run. It passes with the system's, and leaps over the pauses of a run in which nothing else happens. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves when so many milliseconds have passed. Rejects with the signal's reason if that comes first. */
  wait(milliseconds: number, end: AbortSignal): Promise<void>;
}

interface Wait {
  readonly end: number;
  readonly over: () => void;
}

/**
 * Makes a clock. Pauses that run at the same time end in their order, each at its time: while a connection is open, none ends.
 * `time` is what it shows while nothing is waited for.
 */
export function virtualClock(time: () => number = Date.now): Clock {
  const ofOthers = new Set(connections);
  const waits = new Set<Wait>();
  let leapt = 0;
  let quiet = 0;
  let isTurning = false;
  const now = (): number => time() + leapt;
  const isBusy = (): boolean =>
    connections.size > 0 && [...connections].some((socket) => !ofOthers.has(socket));
  const turn = (): void => {
    quiet = isBusy() ? 0 : quiet + 1;
    if (quiet > quietTurns) {
      quiet = 0;
      const [first] = [...waits].sort((one, other) => one.end - other.end);
      if (first !== undefined) {
        waits.delete(first);
        leapt += Math.max(0, first.end - now());
        first.over();
      }
    }
    isTurning = waits.size > 0;
    if (isTurning) setImmediate(turn);
  };
  return {
    now,
    wait: (milliseconds, end) =>
      new Promise((resolve, reject) => {
        if (end.aborted) return reject(end.reason);
        const ended = (): void => {
          waits.delete(own);
          reject(end.reason);
        };
        const own: Wait = {
          end: now() + milliseconds,
          over: () => {
            end.removeEventListener("abort", ended);
            resolve();
          },
        };
        end.addEventListener("abort", ended, { once: true });
        waits.add(own);
        quiet = 0;
        if (isTurning) return;
        isTurning = true;
        setImmediate(turn);
      }),
  };
}
