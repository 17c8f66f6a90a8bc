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
