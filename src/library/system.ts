// The clock, randomness and pauses of the library. A program may abort its checks, and may replace its timers.

import { randomBytes } from "node:crypto";

/** The system's clock and its secure random source. A program that replaces `Date.now` later changes this clock too. */
export const system = { now: () => Date.now(), randomBytes };

/** The controllers of the work that each signal ends. */
const workOf = new WeakMap<AbortSignal, Set<AbortController>>();

function abortWork(this: AbortSignal): void {
  for (const controller of workOf.get(this) ?? []) controller.abort(this.reason);
}

/** Runs the work with a signal of its own, which the given one aborts with its reason. Leaves no listener. */
export async function endedBy<Result>(
  given: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  if (given === undefined) return work(controller.signal);
  if (given.aborted) throw given.reason;
  const controllers = workOf.get(given) ?? new Set();
  workOf.set(given, controllers);
  // One listener for all of the work: Node 20 warns of the eleventh.
  if (controllers.size === 0) given.addEventListener("abort", abortWork);
  controllers.add(controller);
  try {
    return await work(controller.signal);
  } finally {
    controllers.delete(controller);
    if (controllers.size === 0) given.removeEventListener("abort", abortWork);
  }
}

/** Resolves after this many milliseconds; rejects with the reason of the signal. It uses the `setTimeout` that a test may have replaced. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", ended);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", ended, { once: true });
  });
}
