import type { StreamedAccount } from "../accounts/account-stream.ts";
import { InputError } from "../errors.ts";
import { standardInput } from "../settings/inputs.ts";
import type { Context } from "../system/context.ts";
import type { Account, RunSettings } from "./run-settings.ts";
import { type Shard, shardFilter } from "./shard.ts";

/** The accounts of a run, read as they are needed. */
export interface Accounts {
  /** All accounts, in groups: those that can be read without waiting. */
  readonly groups: Iterable<Iterable<Account>> | AsyncIterable<Iterable<Account>>;
  /** The number of accounts; null for a stream. */
  readonly total: number | null;
  /** Marks an account as finished. */
  finish(account: Account): void;
  /** The accounts that are not finished. Of a stream, only those that were read. */
  left(): readonly Account[];
  /** How many lines of `--accounts` were read; null without it. */
  linesRead(): number | null;
}

/** The profiles that were chosen, or their shard. */
export function profileAccounts({ sources }: RunSettings, shard: Shard | null): Accounts {
  const isInShard = shardFilter(shard);
  const items = sources.profiles
    .filter(isInShard)
    .map((profile): Account => ({ profile, line: null, own: null, error: null }));
  const unfinished = new Set(items);
  return {
    groups: [items],
    total: items.length,
    finish: (account) => void unfinished.delete(account),
    left: () => [...unfinished],
    linesRead: () => null,
  };
}

/** The accounts of `--accounts`, or their shard, until `stop`. Rejects with InputError if the file cannot be read. */
export async function streamedAccounts(
  path: string,
  shard: Shard | null,
  context: Context,
  stop: AbortSignal,
): Promise<Accounts> {
  const { openAccounts } = await import("../accounts/account-stream.ts");
  const stream = await openAccounts(path, context, stop);
  const isInShard = shardFilter(shard);
  const unfinished = new Set<Account>();
  let isEmpty = true;
  function* chosenIn(group: Iterable<StreamedAccount>): Generator<Account> {
    for (const { line, profile, own } of group) {
      isEmpty = false;
      if (!isInShard()) continue;
      const error = own instanceof InputError ? own : null;
      const account: Account = { profile, line, own: own instanceof InputError ? null : own, error };
      unfinished.add(account);
      yield account;
    }
  }
  async function* groups(): AsyncGenerator<Iterable<Account>> {
    for await (const group of stream.groups) yield chosenIn(group);
    if (isEmpty)
      throw new InputError("settings", "--accounts has no account", "Write one JSON object per line");
  }
  return {
    groups: groups(),
    total: null,
    finish: (account) => void unfinished.delete(account),
    left: () => [...unfinished],
    linesRead: stream.linesRead,
  };
}

/** A context that refuses to read a secret from standard input, if `path` says that the accounts come from there. */
export function withoutStandardInput(path: string | null, context: Context): Context {
  if (path !== standardInput) return context;
  const taken = new InputError(
    "settings",
    "Standard input gives the accounts, so no secret can be read from it",
    "Put the secret into a file, or name a file with --accounts",
  );
  return { ...context, readStdin: () => Promise.reject(taken) };
}
