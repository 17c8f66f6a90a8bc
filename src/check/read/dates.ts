import { type HttpResponse, headerValue, headerValues } from "../../http/exchange.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
// The three forms of RFC 9110, section 5.6.7: IMF-fixdate, that of RFC 850, and that of asctime.
const forms = [
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2}) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2}) (?<year>\d{4})$/,
];

/**
 * An HTTP date in milliseconds since the epoch; null for anything else. `Date.parse` would read "-1" as a year, and 31 February
 * as 3 March. A year of two digits is the nearest one at or before 50 years after `now`.
 */
export function parseHttpDate(text: string | null, now: number | null): number | null {
  const date = text?.trim() ?? "";
  const groups = forms.find((form) => form.test(date))?.exec(date)?.groups;
  if (groups === undefined) return null;
  const [year = 0, day, hour, minute, second] = ["year", "day", "hour", "minute", "second"].map((name) =>
    Number(groups[name]),
  );
  const century = (now === null ? 2000 : new Date(now).getUTCFullYear()) + 50;
  const whole = groups.year?.length === 2 ? century - ((((century - year) % 100) + 100) % 100) : year;
  const month = months.indexOf(groups.month ?? "");
  const found = new Date(0);
  found.setUTCFullYear(whole, month, day);
  found.setUTCHours(hour ?? 0, minute, second);
  const read = [found.getUTCMonth(), found.getUTCDate(), found.getUTCHours(), found.getUTCMinutes()];
  const isSame = [month, day, hour, minute].every((value, index) => value === read[index]);
  return isSame && found.getUTCSeconds() === second ? found.getTime() : null;
}

/** The time in the Date field (RFC 9110, section 6.6.1); null without a readable one, or with two that differ. */
export function serverTime(response: HttpResponse, respondedAt: number | null): number | null {
  const [date = null, ...others] = new Set(headerValues(response, "date"));
  return others.length > 0 ? null : parseHttpDate(date, respondedAt);
}

/**
 * The pause in Retry-After, in seconds; null if the field is absent or unreadable, or asks for none. It holds seconds or a
 * date (RFC 9110, section 10.2.3). `respondedAt` is in milliseconds since the epoch. The result is a safe integer.
 */
export function pauseIn(response: HttpResponse, respondedAt: number | null): number | null {
  const text = headerValue(response, "retry-after")?.trim() ?? "";
  if (text === "") return null;
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER) || null;
  // Compare with the server's own clock if possible: this machine's may be wrong.
  const now = parseHttpDate(headerValue(response, "date"), respondedAt) ?? respondedAt;
  const date = parseHttpDate(text, now);
  if (date === null || now === null || date <= now) return null;
  return Math.ceil((date - now) / 1000);
}
