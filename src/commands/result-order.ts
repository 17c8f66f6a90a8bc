/**
 * Emits the results of these accounts in their order, even if a later account finishes first. The results of any other account
 * are emitted at once.
 */
export class ResultOrder<Account, Result> {
  readonly #emit: (result: Result) => Promise<void>;
  readonly #waiting = new Map<Account, { readonly results: Result[]; finished: boolean }>();

  constructor(accounts: Iterable<Account>, emit: (result: Result) => Promise<void>) {
    this.#emit = emit;
    for (const account of accounts) this.#waiting.set(account, { results: [], finished: false });
  }

  /** Adds a result. Resolves when all results that are due have been emitted. */
  async add(account: Account, result: Result): Promise<void> {
    const entry = this.#waiting.get(account);
    if (entry === undefined) return this.#emit(result);
    entry.results.push(result);
    await this.#emitDue();
  }

  /** Marks an account as finished: it has no further results. */
  async finish(account: Account): Promise<void> {
    const entry = this.#waiting.get(account);
    if (entry !== undefined) entry.finished = true;
    await this.#emitDue();
  }

  /** Emits the results that still wait for an earlier account. */
  async flush(): Promise<void> {
    for (const entry of this.#waiting.values()) entry.finished = true;
    await this.#emitDue();
  }

  // All results are emitted before the first await, so they stay in their order.
  async #emitDue(): Promise<void> {
    const emitted: Promise<void>[] = [];
    for (const [account, { results, finished }] of this.#waiting) {
      emitted.push(...results.splice(0).map((result) => this.#emit(result)));
      if (!finished) break;
      this.#waiting.delete(account);
    }
    await Promise.all(emitted);
  }
}
