import type { Account } from "../accounts/account.ts";
import type { Context } from "../system/context.ts";
import { type Shard, shardFilter } from "./shard.ts";

/** The accounts of a run. */
export interface Accounts {
  readonly accounts: Iterable<Account> | AsyncIterable<Account>;
  /** The accounts that are not finished. Of a stream, only those that were read. */
  readonly left: Set<Account>;
  /** Whether several were chosen, however many of them belong to the shard. */
  readonly several: boolean;
  /** The number of accounts to check; null for a stream. */
  readonly total: number | null;
  /** How many lines of `--accounts` were read, null without it; and whether all accounts were read. A stream changes both. */
  readonly reading: { readonly linesRead: number | null; readonly allRead: boolean };
}

/** How the accounts of a run are chosen. */
interface Choice {
  /** The path of `--accounts`, or null for the profiles. */
  readonly path: string | null;
  readonly profiles: readonly (string | null)[];
  readonly shard: Shard | null;
  /** Whether to tell repeated names of a stream apart. */
  readonly distinguish: boolean;
}

/** The profiles or the lines of `--accounts` that belong to the shard. Lines are read until `stop`. Rejects with InputError. */
export async function chosenAccounts(
  { path, profiles, shard, distinguish }: Choice,
  context: Context,
  stop: AbortSignal,
): Promise<Accounts> {
  const isWanted = shardFilter(shard);
  if (path !== null) {
    const { openAccounts } = await import("../accounts/open-accounts.ts");
    const accounts = await openAccounts(path, { isWanted, distinguish }, context, stop);
    return { accounts, left: accounts.left, several: true, total: null, reading: accounts };
  }
  const none = { line: null, own: null, error: null, isRepeated: false };
  const accounts = profiles
    .filter(isWanted)
    .map((profile, index): Account => ({ ...none, profile, position: index + 1 }));
  return {
    accounts,
    left: new Set(accounts),
    several: profiles.length > 1,
    total: accounts.length,
    reading: { linesRead: null, allRead: true },
  };
}
