const date = String.raw`(?<year>\d{4})(?<dash>-?)(?:(?<month>\d\d)\k<dash>(?<day>\d\d)|W(?<week>\d\d)\k<dash>(?<weekday>[1-7])|(?<ordinal>\d{3}))`;
const time = String.raw`(?<hours>\d\d)(?:(?<colon>:?)(?<minutes>\d\d)(?:\k<colon>(?<seconds>\d\d))?)?(?:[.,](?<fraction>\d+))?`;
const zone = String.raw`(?:Z|(?<sign>[+-])(?<zoneHours>\d\d)(?::?(?<zoneMinutes>\d\d))?)`;
const iso8601 = new RegExp(`^${date}T${time}${zone}$`);

type Parts = Readonly<Record<string, string | undefined>>;

const daySeconds = 86_400;

/**
 * Reads a Created attribute in any form of ISO 8601 with a time zone: basic or extended, with or without a fraction, by
 * day of the month, of the week or of the year. Returns whole seconds since the epoch, rounded down; null for another
 * form, or for a time that does not exist. It does not read leap seconds and 24:00, which no client's clock shows.
 */
export function createdSeconds(created: string): number | null {
  const parts: Parts | undefined = iso8601.exec(created)?.groups;
  if (parts === undefined) return null;
  const [day, second, offset] = [dayStart(parts), secondOfDay(parts), offsetSeconds(parts)];
  return day === null || second === null || offset === null ? null : day + second - offset;
}

function dayStart({ year = "", month, day, week, weekday, ordinal }: Parts): number | null {
  if (month !== undefined) return nthDay(`${year}-${month}`, Number(day));
  if (week === undefined) return nthDay(year, Number(ordinal));
  // Week 1 holds 4 January, and a week belongs to the year of its Thursday.
  const fourthOfJanuary = new Date(`${year}-01-04`).getUTCDay() || 7;
  const thursday = nthDay(year, Number(week) * 7 + 1 - fourthOfJanuary);
  return thursday === null ? null : thursday + (Number(weekday) - 4) * daySeconds;
}

/** The start of the n-th day of a year or a month, such as `2026` or `2026-11`; null if it has no such day. */
function nthDay(period: string, n: number): number | null {
  const seconds = Date.parse(period) / 1000 + (n - 1) * daySeconds;
  if (Number.isNaN(seconds)) return null;
  return new Date(seconds * 1000).toISOString().startsWith(period) ? seconds : null;
}

function secondOfDay({ hours, minutes, seconds, fraction = "0" }: Parts): number | null {
  const [h, m, s] = [Number(hours), Number(minutes ?? 0), Number(seconds ?? 0)];
  if (h > 23 || m > 59 || s > 59) return null;
  // A fraction belongs to the last unit that is written.
  const unit = minutes === undefined ? 3_600 : seconds === undefined ? 60 : 1;
  return h * 3_600 + m * 60 + s + Math.floor(Number(`0.${fraction}`) * unit);
}

function offsetSeconds({ sign, zoneHours = "0", zoneMinutes = "0" }: Parts): number | null {
  if (Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return null;
  return (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === "-" ? -60 : 60);
}
