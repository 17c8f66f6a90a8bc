// Reads `Date` and `Retry-After`, and measures the clock by `Date`.

import { type HttpResponse, headerValue, headerValues, type Trace } from "../../http/exchange.ts";
import type { ClockSkew } from "../result.ts";

// The three forms of RFC 9110, section 5.6.7: IMF-fixdate, that of RFC 850, and that of asctime.
const forms = [
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

/** An HTTP date in milliseconds since the epoch; null for anything else. A year of two digits ends at most 50 years after `now`. */
export function parseHttpDate(text: string | null, now: number | null): number | null {
  const date = text?.trim() ?? "";
  // Nearly every server sends the first form, which is the one that `toUTCString` writes.
  const fixed = Date.parse(date);
  if (new Date(fixed).toUTCString() === date && !Number.isNaN(fixed)) return fixed;
  const groups = forms.find((form) => form.test(date))?.exec(date)?.groups;
  if (groups === undefined) return null;
  const { day = "", month, year = "", time } = groups;
  const latest = (now === null ? 2000 : new Date(now).getUTCFullYear()) + 50;
  const whole = year.length === 2 ? latest - ((latest - Number(year)) % 100) : year;
  const fixdate = `${day.trim()} ${month} ${whole} ${time} GMT`;
  const found = Date.parse(fixdate);
  // Date.parse reads 31 February as 3 March.
  return new Date(found).toUTCString().endsWith(fixdate) ? found : null;
}

/** The time in the Date field (RFC 9110, section 6.6.1); null without a readable one, or with two that differ. */
export function serverTime(response: HttpResponse, respondedAt: number | null): number | null {
  const [date = null, ...others] = headerValues(response, "date");
  return others.every((other) => other === date) ? parseHttpDate(date, respondedAt) : null;
}

// Nobody waits for longer (31 years), and no more than nine digits of a server's number are shown.
const longestPause = 999_999_999;

/** The pause in Retry-After in whole seconds: a number or an HTTP date (RFC 9110, section 10.2.3). Null for none, or one that cannot be read. */
export function pauseIn(response: HttpResponse, respondedAt: number | null): number | null {
  const text = headerValue(response, "retry-after")?.trim() ?? "";
  // Compare with the server's own clock if possible: this machine's may be wrong.
  const now = parseHttpDate(headerValue(response, "date"), respondedAt) ?? respondedAt;
  const date = parseHttpDate(text, now);
  if (date === null && !/^\d+(?:\.\d+)?$/.test(text)) return null;
  const pause = Math.ceil(date === null ? Number(text) : (date - (now ?? date)) / 1000);
  return pause > 0 ? Math.min(pause, longestPause) : null;
}

/**
 * The difference between this machine's clock in the middle of the exchange and the server's in the middle of the second of its Date. Null
 * without a readable Date, and for a cache's response, whose Date is old (RFC 9111, section 5.1).
 */
export function clockSkew({
  trace: { sentAt, respondedAt },
  response,
}: {
  readonly trace: Pick<Trace, "sentAt" | "respondedAt">;
  readonly response: { readonly date: number | null; readonly cacheMark: string | null } | null;
}): ClockSkew | null {
  const { date = null, cacheMark = null } = response ?? {};
  if (sentAt === null || respondedAt === null || date === null || cacheMark !== null) return null;
  const serverTime = date + 500;
  return {
    // Adding 0 makes 0 of -0.
    skewSeconds: Math.round(((sentAt + respondedAt) / 2 - serverTime) / 1000) + 0,
    uncertaintySeconds: Math.ceil(((respondedAt - sentAt) / 2 + 500) / 1000),
  };
}
