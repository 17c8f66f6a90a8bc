/** Lets a number of callers in at once. The others wait and enter in their order. */
class Places {
  #free: number;
  readonly #waiting: Array<() => void> = [];

  constructor(count: number) {
    this.#free = count;
  }

  async enter(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Lets the caller out. The one that has waited longest then enters. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

// Items that are read and not finished, for each place: so many can wait for a pause to end.
const openForEach = 16;

/** Waits for something. Meanwhile the job does not count as running, so another can run. */
export type Aside = (wait: () => Promise<void>) => Promise<void>;

/**
 * Reads the items as they are needed and runs a job for each, at most `limit` at once. A job that waits `aside` leaves its
 * place to the next item, until 16 times `limit` items are open. Otherwise one origin that asks for a pause would stop all
 * others, and 200 accounts of a server that is down would take 29 s instead of 3 with `--retry 2`. If a job or the source
 * fails, `stop` is aborted with the error; it may end the source. Resolves when no job runs any more, and rejects with the
 * reason of `stop`.
 */
export async function runAtOnce<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  stop: AbortController,
  job: (item: Item, aside: Aside) => Promise<void>,
): Promise<void> {
  const most = openForEach * limit;
  const open = new Places(most);
  const running = new Places(limit);
  const aside: Aside = async (wait) => {
    running.leave();
    await wait().finally(() => running.enter());
    stop.signal.throwIfAborted();
  };
  const run = async (item: Item): Promise<void> => {
    try {
      if (!stop.signal.aborted) await job(item, aside);
    } catch (error) {
      stop.abort(error);
    }
    running.leave();
    open.leave();
  };
  // Take a place for the next item before it is read.
  await open.enter();
  try {
    for await (const item of items) {
      await running.enter();
      void run(item);
      await open.enter();
      if (stop.signal.aborted) break;
    }
  } catch (error) {
    stop.abort(error);
  }
  open.leave();
  // When every place is free, no job runs.
  for (let count = 0; count < most; count += 1) await open.enter();
  stop.signal.throwIfAborted();
}
