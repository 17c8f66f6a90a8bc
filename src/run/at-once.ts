// Runs a job for each account, a limited number at once. It reads an account when a place is free.

import { Places } from "../check/turns.ts";

// How many items may wait at once for pauses to end.
const mostWaiting = 4_096;

/**
 * Reads the items as they are needed and runs a job for each in one of the places. A job that waits leaves its place to the next item,
 * until 4,096 wait: one origin that limits requests must not stop the others, and 200 accounts of a dead server take 3 s instead of 29
 * with `--retry 2`. If a job or the source fails, `stop` is aborted with the error. Resolves when no job runs any more, and rejects with
 * the reason of `stop`.
 */
export async function runAtOnce<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  places: Places,
  stop: AbortController,
  job: (item: Item) => Promise<void>,
): Promise<void> {
  const open = new Places(mostWaiting + places.count);
  const run = async (item: Item): Promise<void> => {
    try {
      if (!stop.signal.aborted) await job(item);
    } catch (error) {
      stop.abort(error);
    }
    places.leave();
    open.leave();
  };
  // Take a place for the next item before it is read.
  await open.enter();
  try {
    for await (const item of items) {
      await places.enter();
      void run(item);
      await open.enter();
      if (stop.signal.aborted) break;
    }
  } catch (error) {
    stop.abort(error);
  }
  open.leave();
  // When every place is free, no job runs.
  await open.enterAll();
  stop.signal.throwIfAborted();
}
