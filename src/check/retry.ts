import { type HttpResponse, headerValue } from "../http/exchange.ts";
import { parseHttpDate } from "./http-date.ts";
import type { Outcome } from "./outcome.ts";

/**
 * The wait in Retry-After, in seconds; null if it is absent or unreadable. The field holds seconds or a date (RFC
 * 9110, section 10.2.3). `respondedAt` is in milliseconds since the epoch. The result is a safe integer.
 */
export function retryAfterSeconds(response: HttpResponse, respondedAt: number | null): number | null {
  const text = headerValue(response, "retry-after")?.trim();
  if (!text) return null;
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(text);
  // Compare with the server's own clock if possible: this machine's may be wrong.
  const now = parseHttpDate(headerValue(response, "date")) ?? respondedAt;
  return date === null || now === null ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

/** Whether another attempt can end differently. */
const isTemporary: Readonly<Record<Outcome["kind"], boolean>> = {
  accepted: false,
  rejected: false,
  unavailable: true,
  unexpected: false,
  unreachable: true,
  timeout: true,
  "not-checked": false,
  failed: false,
};

const firstPauseSeconds = 0.5;
const longestPauseSeconds = 8;

/**
 * The pause before the next attempt, in seconds; null for no further attempt. Only temporary failures are retried. The
 * pause doubles, with jitter (`random` is from 0 up to 1). It is at least Retry-After; if that exceeds the deadline of a
 * request, there is no further attempt.
 */
export function pauseBefore(
  attempt: number,
  outcome: Outcome,
  deadlineSeconds: number,
  random: number,
): number | null {
  if (!isTemporary[outcome.kind]) return null;
  const asked = outcome.kind === "unavailable" ? (outcome.retryAfterSeconds ?? 0) : 0;
  if (asked > deadlineSeconds) return null;
  const backOff = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (attempt - 1));
  return Math.max(asked, backOff * (0.5 + random / 2));
}
