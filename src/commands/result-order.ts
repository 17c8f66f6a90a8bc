/**
 * Hands the results of accounts on in the order of the accounts, whichever is finished first. An account keeps its place
 * from the time when it is expected.
 */
export class ResultOrder<Account, Result> {
  readonly #emit: (result: Result) => Promise<void>;
  readonly #waiting = new Map<Account, { readonly results: Result[]; finished: boolean }>();

  constructor(accounts: Iterable<Account>, emit: (result: Result) => Promise<void>) {
    this.#emit = emit;
    for (const account of accounts) this.#waiting.set(account, { results: [], finished: false });
  }

  /** Takes a result, and resolves when all that can be handed on now was taken. */
  async add(account: Account, result: Result): Promise<void> {
    this.#waiting.get(account)?.results.push(result);
    await this.#handOn();
  }

  /** Says that an account has no further results. */
  async finish(account: Account): Promise<void> {
    const entry = this.#waiting.get(account);
    if (entry !== undefined) entry.finished = true;
    await this.#handOn();
  }

  /** Hands on the results that still wait for an account before them. */
  async flush(): Promise<void> {
    for (const entry of this.#waiting.values()) entry.finished = true;
    await this.#handOn();
  }

  // All results are emitted before the first await, so they stay in their order.
  async #handOn(): Promise<void> {
    const emitted: Promise<void>[] = [];
    for (const [account, { results, finished }] of this.#waiting) {
      emitted.push(...results.splice(0).map((result) => this.#emit(result)));
      if (!finished) break;
      this.#waiting.delete(account);
    }
    await Promise.all(emitted);
  }
}
