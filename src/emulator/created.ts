// A calendar date and a time, basic or extended. A fraction of a second is ignored: the clocks of clients are not that exact.
const iso8601 =
  /^(\d{4})(-?)(\d\d)\2(\d\d)T(\d\d)(:?)(\d\d)(?:\6(\d\d)(?:[.,]\d+)?)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;

/**
 * Reads a Created attribute: a calendar date and time of ISO 8601 with a time zone. Returns whole seconds since the epoch,
 * or null for another form or for a time that does not exist.
 */
export function createdSeconds(created: string): number | null {
  const [match, year, , month, day, hours, , minutes, seconds = "00", sign, ...zone] =
    iso8601.exec(created) ?? [];
  if (match === undefined) return null;
  const text = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.000Z`;
  const time = new Date(text);
  // Date turns 30 February into 2 March, and 24:00 into the next day.
  if (Number.isNaN(time.getTime()) || time.toISOString() !== text) return null;
  const [zoneHours = 0, zoneMinutes = 0] = zone.map((digits = "0") => Number(digits));
  const offset = (zoneHours * 60 + zoneMinutes) * 60;
  return time.getTime() / 1000 + (sign === "-" ? offset : -offset);
}
