import type { Context } from "../system/context.ts";

/** The pauses that servers asked for. While one lasts, no request goes to its origin; accounts of other origins go on. */
export function pausesOf({ now }: Pick<Context, "now">) {
  // The end of each origin's pause, in milliseconds since the epoch.
  const ends = new Map<string, number>();
  return {
    /** Begins a pause, or makes the one that lasts longer. */
    begin(origin: string, milliseconds: number): void {
      const time = now();
      for (const [other, end] of ends) if (end <= time) ends.delete(other);
      ends.set(origin, Math.max(ends.get(origin) ?? 0, time + milliseconds));
    },
    /** How many milliseconds the pause of an origin still lasts; 0 or less if it is over. */
    rest: (origin: string): number => (ends.get(origin) ?? 0) - now(),
  };
}
