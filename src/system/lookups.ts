const [most, usual] = [80, 2];

/**
 * Gives each of this many host names a thread of libuv of its own, up to 80: 64 lookups can hang, and 16 more run at once. Half
 * of libuv's threads look up names, 2 of 4 by default; two dead names then make all other accounts time out. 160 threads take
 * 12 ms more processor time to start, and 1 MB. Call it before the first of them is used. A number that the user has set remains.
 */
export function allowLookupsOf(names: number): void {
  process.env.UV_THREADPOOL_SIZE ??= String(2 * Math.max(usual, Math.min(names, most)));
}
