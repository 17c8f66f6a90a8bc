// Limits of memory and threads.

import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

// V8 begins with 2 MB and would take 32. With 16, collecting garbage takes a sixth less processor time than with 2, for 10 MB.
const youngBytes = 16_000_000;
const pauseMs = 5;

/**
 * Keeps the heap small in a run with very many checks: 68 MB less for 15,000 accounts. Young objects get 16 MB, and old ones are collected
 * earlier. The space grows only once the program waits for something: while it reads a long rc file, most objects stay.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1 --heap-growing-percent=60");
  const timer = setInterval(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    const isLarge = young === undefined || young.space_size >= youngBytes;
    // V8 reads its option for the largest size only when it starts, so stop the growth instead.
    setFlagsFromString(`--semi-space-growth-factor=${isLarge ? 1 : 2}`);
    if (isLarge) clearInterval(timer);
  }, pauseMs);
  timer.unref();
}

const [most, usual] = [80, 2];

/**
 * Gives each of this many host names a thread of libuv of its own, up to 80: 64 lookups can hang, and 16 more run at once. Half of
 * libuv's threads look up names, 2 of 4 by default: two dead names would make all other accounts time out. 160 threads cost 12 ms and 1
 * MB. Call it before the first lookup. A number that the user has set remains.
 */
export function allowLookupsOf(names: number): void {
  process.env.UV_THREADPOOL_SIZE ??= String(2 * Math.max(usual, Math.min(names, most)));
}
