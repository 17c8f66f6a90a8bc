import type { Context } from "../system/context.ts";

/** The pauses that servers asked for. While one lasts, no request goes to its origin; accounts of other origins go on. */
export class Pauses {
  readonly #now: Context["now"];
  /** The end of each origin's pause, in milliseconds since the epoch. */
  readonly #ends = new Map<string, number>();

  constructor({ now }: Pick<Context, "now">) {
    this.#now = now;
  }

  /** Begins a pause, or makes the one that lasts longer. */
  begin(origin: string, milliseconds: number): void {
    const now = this.#now();
    for (const [other, end] of this.#ends) if (end <= now) this.#ends.delete(other);
    this.#ends.set(origin, Math.max(this.#ends.get(origin) ?? 0, now + milliseconds));
  }

  /** How many milliseconds the pause of an origin still lasts; 0 or less if it is over. */
  rest(origin: string): number {
    return (this.#ends.get(origin) ?? 0) - this.#now();
  }
}
