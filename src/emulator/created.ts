// Reads Created, and says what is wrong with it on the server's clock. It shows what came beside what is expected, so it needs no words
// for each form of a date.

import { durationInWords } from "../words.ts";
import { createdAt } from "../wsse/header.ts";
import { because, type Reason } from "./answer.ts";
import { fillIn, replacementOf } from "./values.ts";

// A calendar date and a time, basic or extended. A fraction of a second is ignored: the clocks of clients are not that exact.
const iso8601 =
  /^(\d{4})(-?)(\d\d)\2(\d\d)T(\d\d)(:?)(\d\d)(?:\6(\d\d)(?:[.,]\d+)?)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;

/** The seconds since the epoch of a real time of ISO 8601 with a time zone; null for anything else. */
export function createdSeconds(created: string): number | null {
  const [match, year, , month, day, hours, , minutes, seconds = "00", sign = "+", ...zone] =
    iso8601.exec(created) ?? [];
  if (match === undefined) return null;
  const local = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.000`;
  const time = new Date(`${local}Z`);
  // Date turns 30 February into 2 March, and 24:00 into the next day.
  if (Number.isNaN(time.getTime()) || time.toISOString() !== `${local}Z`) return null;
  const [zoneHours = "00", zoneMinutes = "00"] = zone;
  return Date.parse(`${local}${sign}${zoneHours}:${zoneMinutes}`) / 1000;
}

/** How many seconds Created may be before or after the server's clock. The specification does not show it (section 5.1, rule 4). */
const windowSeconds = 300;

const inUtc =
  'write it in UTC: gmdate(\'Y-m-d\\TH:i:sP\') in PHP, datetime.now(timezone.utc).isoformat(timespec="seconds") in Python, new Date().toISOString() in Node.js, Instant.now() in Java, DateTime.UtcNow.ToString("s") + "Z" in C#, date -u +%Y-%m-%dT%H:%M:%SZ in a shell';

/** Whether a text has the words of a time alone: numbers, and names of days, months and zones. Others may be a digest or a secret. */
export const isLikeTime = (text: string): boolean =>
  text.split(/[^A-Za-z\d]+/).every((word) => /^(?:[a-z]{0,12}|\d{1,20}[a-z]{0,2}|\d*[TW]\d+Z?)$/i.test(word));

/** What is wrong with Created on the server's clock; null if nothing is. `shown` is its text for a log. */
export function timeProblem(created: string, shown: string, nowSeconds: number): Reason | null {
  const at = createdSeconds(created);
  if (at !== null)
    return Math.abs(nowSeconds - at) <= windowSeconds ? null : staleness(created, at, nowSeconds);
  const replaced = replacementOf(created);
  const what = replaced === undefined ? "" : `, which ${replaced}`;
  const expected = `a date, T, a time and a time zone (ISO 8601), like ${createdAt(nowSeconds * 1000)}`;
  const change = replaced === undefined ? inUtc : fillIn;
  return because(
    "malformed",
    `Created is "${shown.replace(/[^ -~]+/g, "…")}"${what}; this server expects ${expected}`,
    change,
  );
}

/** How far Created is off, beside this server's time. If it is whole quarters of an hour, it is the time of another zone. */
function staleness(created: string, at: number, nowSeconds: number): Reason {
  const [off, place] = at < nowSeconds ? [nowSeconds - at, "behind"] : [at - nowSeconds, "ahead of"];
  const quarters = Math.round(off / 900);
  const isZone = Math.abs(off - quarters * 900) <= 30 && quarters > 0 && quarters <= 14 * 4;
  const marked = /(?:Z|[+-]00:?(?:00)?)$/.test(created)
    ? "local time that is marked as UTC"
    : "a time of one zone that is marked as another";
  const likely = isZone ? ` (${durationInWords(quarters * 900)}: ${marked})` : "";
  const [sent, now] = [at, nowSeconds].map((seconds) => createdAt(seconds * 1000));
  return because(
    "stale",
    `Created is ${off} s ${place} this server${likely}: it says ${sent}, this server ${now}; ${windowSeconds} s are allowed`,
    isZone ? inUtc : "set the clock of the client's machine, and make a new header for every request",
  );
}
