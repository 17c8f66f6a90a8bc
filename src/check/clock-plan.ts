import { maxCorrectionSeconds } from "./clock.ts";
import { durationInWords } from "./duration.ts";
import type { ClockSkew } from "./outcome.ts";

// A server may accept no Created that is ahead of its own clock, and Date is precise to about a second.
const earlierSeconds = 3;

/**
 * The corrections of Created to try, in seconds to add to this clock: the measured difference, if the clocks differ, then
 * 3 seconds earlier. The last one is kept for later experiments: servers that tolerate no future time accept it, and the
 * others accept it as well. Empty if the difference exceeds 48 hours. Pure.
 */
export function clockCorrections(clock: ClockSkew | null): readonly number[] {
  // A smaller difference can come from the precision of Date and the time of the exchange.
  if (clock === null || Math.abs(clock.skewSeconds) <= clock.uncertaintySeconds + 1) return [-earlierSeconds];
  const { skewSeconds } = clock;
  if (Math.abs(skewSeconds) > maxCorrectionSeconds) return [];
  return [...new Set([-skewSeconds, Math.max(-skewSeconds - earlierSeconds, -maxCorrectionSeconds)])];
}

/** A correction of Created in words: "3 s earlier". */
export function shiftInWords(seconds: number): string {
  return `${durationInWords(Math.abs(seconds))} ${seconds < 0 ? "earlier" : "later"}`;
}
