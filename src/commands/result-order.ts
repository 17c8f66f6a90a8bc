/** The results of an account that have not been emitted. */
interface Entry<Result> {
  readonly results: Result[];
  finished: boolean;
}

/**
 * Emits the results of these accounts in their order, even if a later account finishes first. The results of any other account
 * are emitted at once.
 */
export class ResultOrder<Account, Result> {
  readonly #emit: (result: Result) => Promise<void>;
  readonly #entries = new Map<Account, Entry<Result>>();
  /** The entries in their order, the next one last. A loop over the Map would pass all entries that were deleted before. */
  readonly #waiting: Entry<Result>[];

  constructor(accounts: Iterable<Account>, emit: (result: Result) => Promise<void>) {
    this.#emit = emit;
    for (const account of accounts) this.#entries.set(account, { results: [], finished: false });
    this.#waiting = [...this.#entries.values()].reverse();
  }

  /** Adds a result. Resolves when all results that are due have been emitted. */
  async add(account: Account, result: Result): Promise<void> {
    const entry = this.#entries.get(account);
    if (entry === undefined) return this.#emit(result);
    entry.results.push(result);
    await this.#emitDue();
  }

  /** Marks an account as finished: it has no further results. */
  async finish(account: Account): Promise<void> {
    const entry = this.#entries.get(account);
    if (entry === undefined) return;
    entry.finished = true;
    this.#entries.delete(account);
    await this.#emitDue();
  }

  /** Emits the results that still wait for an earlier account. */
  async flush(): Promise<void> {
    for (const entry of this.#waiting) entry.finished = true;
    await this.#emitDue();
  }

  // All results are emitted before the first await, so they stay in their order.
  async #emitDue(): Promise<void> {
    const emitted: Promise<void>[] = [];
    for (let next = this.#waiting.at(-1); next !== undefined; next = this.#waiting.at(-1)) {
      emitted.push(...next.results.splice(0).map((result) => this.#emit(result)));
      if (!next.finished) break;
      this.#waiting.pop();
    }
    await Promise.all(emitted);
  }
}
