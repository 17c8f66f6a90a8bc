/** A cache of values by key. Beyond the limit it drops the least recently used value. */
export class BoundedCache<Value> {
  readonly #limit: number;
  // A Map keeps the order in which keys were added.
  readonly #values = new Map<string, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The value of a key. It then counts as just used. */
  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** Keeps a value, in place of an earlier one of the same key. */
  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#limit) return;
    const [oldest = key] = this.#values.keys();
    this.#values.delete(oldest);
  }

  /** Forgets the value of a key. */
  delete(key: string): void {
    this.#values.delete(key);
  }
}
