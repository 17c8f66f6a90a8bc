import { wrongUsage } from "../errors.ts";

/** One part of the accounts: the `index`th of `count`, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads `--shard i/n`. Throws InputError for anything but 1 ≤ i ≤ n. */
export function parseShard(text: string): Shard {
  const [index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).slice(1).map(Number);
  if (index < 1 || index > count) {
    throw wrongUsage("--shard is not of the form i/n with i from 1 to n", "Write it like --shard 2/7");
  }
  return { index, count };
}

/**
 * Returns a function that tells for each next item of a list or stream whether it belongs to the shard: every nth does. All
 * items belong to `null`.
 */
export function shardFilter(shard: Shard | null): () => boolean {
  if (shard === null) return () => true;
  const { index, count } = shard;
  let position = 0;
  return () => {
    position = (position % count) + 1;
    return position === index;
  };
}
