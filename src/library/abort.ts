/** Lets every check that a signal can end listen to it by one listener: Node 20 warns of the eleventh. */
class SharedListener {
  readonly #signal: AbortSignal;
  readonly #actions = new Set<() => void>();
  readonly #run = (): void => {
    for (const action of this.#actions) action();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(action: () => void): void {
    if (this.#actions.size === 0) this.#signal.addEventListener("abort", this.#run);
    this.#actions.add(action);
  }

  delete(action: () => void): void {
    this.#actions.delete(action);
    if (this.#actions.size === 0) this.#signal.removeEventListener("abort", this.#run);
  }
}

const listeners = new WeakMap<AbortSignal, SharedListener>();

/** Runs the work with a signal of its own, which the given one aborts with its reason. Leaves no listener. */
export async function endedBy<Result>(
  given: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  if (given === undefined) return work(controller.signal);
  if (given.aborted) throw given.reason;
  const listener = listeners.get(given) ?? new SharedListener(given);
  listeners.set(given, listener);
  const abort = (): void => controller.abort(given.reason);
  listener.add(abort);
  try {
    return await work(controller.signal);
  } finally {
    listener.delete(abort);
  }
}

/**
 * Resolves after this many milliseconds; rejects with the reason of the signal if it is aborted first. The timer is the one of
 * the request's deadline, `globalThis.setTimeout`: a program that replaces it for a test replaces both.
 */
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
