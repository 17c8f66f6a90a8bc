import { type Exchange, headerValues } from "../http/exchange.ts";
import { cacheMark } from "./judge/cache.ts";
import type { ClockSkew } from "./result.ts";

/**
 * An HTTP date (IMF-fixdate; RFC 9110, section 5.6.7) in milliseconds since the epoch; null for anything else. The pattern
 * is needed because `Date.parse` reads "-1" as a year. It also reads 31 February as 3 March and 24:00 as the next day, so
 * the time must be written in the same way, apart from the name of the day.
 */
export function parseHttpDate(text: string | null): number | null {
  const date = text?.trim() ?? "";
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(date)) return null;
  const time = Date.parse(date);
  return new Date(time).toUTCString().slice(4) === date.slice(4) ? time : null;
}

/** The largest correction of Created, in seconds. No header is signed for a time further away. */
export const maxCorrectionSeconds = 48 * 3600;

/**
 * The difference between this machine's clock and the server's, measured from the Date field (RFC 9110, section 6.6.1)
 * and the middle of the exchange. Null without a readable Date, or with two that differ. Date has whole seconds, so at least half a second is
 * uncertain. The Date of a cache's response is old (RFC 9111, section 5.1).
 */
export function clockSkew(exchange: Exchange): ClockSkew | null {
  if (exchange.kind !== "response") return null;
  const { sentAt, respondedAt } = exchange.trace;
  const [dateField = null, ...others] = new Set(headerValues(exchange.response, "date"));
  const date = others.length > 0 ? null : parseHttpDate(dateField);
  if (sentAt === null || respondedAt === null || date === null) return null;
  if (cacheMark(exchange.response) !== null) return null;
  const serverTime = date + 500;
  return {
    skewSeconds: Math.round(((sentAt + respondedAt) / 2 - serverTime) / 1000) + 0,
    uncertaintySeconds: Math.ceil(((respondedAt - sentAt) / 2 + 500) / 1000),
  };
}

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
