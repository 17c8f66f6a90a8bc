const shape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * Seconds since the epoch of a Created attribute, `YYYY-MM-DDThh:mm:ss` with a numeric offset or `Z` (specification,
 * section 5.1); null for another shape, or for a date or time that does not exist.
 */
export function createdSeconds(created: string): number | null {
  const parts = shape.exec(created);
  if (parts === null) return null;
  const [, local = "", sign = "+", hours = "0", minutes = "0"] = parts;
  const milliseconds = Date.parse(`${local}Z`);
  // Date.parse takes 30 February for 2 March, and 24:00:00 for the next day.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(local)) return null;
  const offsetSeconds = (Number(hours) * 60 + Number(minutes)) * 60;
  return milliseconds / 1000 - (sign === "-" ? -offsetSeconds : offsetSeconds);
}
