import { durationInWords } from "./duration.ts";
import { type Outcome, outcomes } from "./outcome.ts";

/** Whether to make another attempt: after which pause, or why not although one was allowed. */
export type NextAttempt =
  | { readonly kind: "after"; readonly seconds: number }
  | { readonly kind: "none"; readonly because: string | null };

const firstPauseSeconds = 0.5;
const longestPauseSeconds = 8;

/**
 * Decides about another attempt after those that were made; the server may ask for the longest pause. Only temporary failures are retried. The pause doubles, with jitter (`random` gives a number from 0 up
 * to 1). It is at least Retry-After; if that exceeds the longest pause, there is no further attempt.
 */
export function nextAttempt(
  { made, retries, maxWaitSeconds }: Readonly<Record<"made" | "retries" | "maxWaitSeconds", number>>,
  outcome: Outcome,
  random: () => number,
): NextAttempt {
  if (made > retries || !outcomes[outcome.kind].mayChange) return { kind: "none", because: null };
  const asked = outcome.kind === "unavailable" ? (outcome.response?.retryAfterSeconds ?? 0) : 0;
  if (asked > maxWaitSeconds) {
    const because = `not retried: Retry-After is ${durationInWords(asked)}, the longest pause ${durationInWords(maxWaitSeconds)}`;
    return { kind: "none", because };
  }
  const backOff = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (made - 1));
  return { kind: "after", seconds: Math.max(asked, backOff * (0.5 + random() / 2)) };
}
