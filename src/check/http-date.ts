/**
 * An HTTP date (IMF-fixdate; RFC 9110, section 5.6.7) in milliseconds since the epoch; null for anything else. The pattern
 * is needed because `Date.parse` reads "-1" as a year.
 */
export function parseHttpDate(text: string | null): number | null {
  if (text === null || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text.trim()))
    return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
