import { maxCorrectionSeconds } from "./clock.ts";
import { durationInWords } from "./duration.ts";
import type { ClockSkew } from "./outcome.ts";

/** Which corrections of Created a diagnosis tries, in seconds to add to this clock. */
export interface ClockPlan {
  readonly corrections: readonly number[];
  /** The correction that is kept for later experiments. */
  readonly kept: number;
  /** Whether the clocks agree as far as Date can tell, or nothing is known of the server's. */
  readonly clocksAgree: boolean;
}

// A server may accept no Created that is ahead of its own clock, and Date is precise to about a second.
const earlierSeconds = 3;

/**
 * The corrections for a measured clock difference: the difference itself, then 3 seconds earlier. The earlier time is
 * kept: servers that tolerate no future time accept it, and the others accept it as well. Nothing is tried beyond 48
 * hours. Pure.
 */
export function clockPlan(clock: ClockSkew | null): ClockPlan {
  // A smaller difference can come from the precision of Date and the time of the exchange.
  const clocksAgree = clock === null || Math.abs(clock.skewSeconds) <= clock.uncertaintySeconds + 1;
  if (clocksAgree) return { corrections: [-earlierSeconds], kept: -earlierSeconds, clocksAgree };
  const { skewSeconds } = clock;
  if (Math.abs(skewSeconds) > maxCorrectionSeconds) return { corrections: [], kept: 0, clocksAgree };
  const kept = Math.max(-skewSeconds - earlierSeconds, -maxCorrectionSeconds);
  return { corrections: [...new Set([-skewSeconds, kept])], kept, clocksAgree };
}

/** A correction of Created in words: "3 s earlier". */
export function shiftInWords(seconds: number): string {
  return `${durationInWords(Math.abs(seconds))} ${seconds < 0 ? "earlier" : "later"}`;
}
