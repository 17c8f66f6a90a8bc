import { type HttpResponse, headerValue } from "../http/exchange.ts";
import { parseHttpDate } from "./http-date.ts";
import type { Outcome } from "./outcome.ts";

/**
 * The wait that Retry-After asks for, in seconds; null where it is absent or unreadable. It holds seconds or a date
 * (RFC 9110, section 10.2.3); `repliedAt` is in milliseconds since the epoch. Always a safe integer.
 */
export function retryAfterSeconds(response: HttpResponse, repliedAt: number | null): number | null {
  const text = headerValue(response, "retry-after")?.trim();
  if (!text) return null;
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(text);
  // Read against the server's own clock where it tells the time, since this machine's may be wrong.
  const now = parseHttpDate(headerValue(response, "date")) ?? repliedAt;
  return date === null || now === null ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

const firstPauseSeconds = 0.5;
const longestPauseSeconds = 8;

/**
 * How long to wait before the next attempt, in seconds; null for no further one. Only what may pass by itself is tried
 * again. The pause doubles, with jitter (`random` is from 0 to 1, 1 excluded); a Retry-After is honoured up to the
 * deadline of a request, and a server that asks for more is left alone.
 */
export function pauseBefore(
  attempt: number,
  outcome: Outcome,
  deadlineSeconds: number,
  random: number,
): number | null {
  if (outcome.kind !== "unavailable" && outcome.kind !== "unreachable" && outcome.kind !== "timeout")
    return null;
  const asked = outcome.kind === "unavailable" ? (outcome.retryAfterSeconds ?? 0) : 0;
  if (asked > deadlineSeconds) return null;
  const backOff = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (attempt - 1));
  return Math.max(asked, backOff * (0.5 + random / 2));
}
