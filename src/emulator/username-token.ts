import { type ConventionName, wireNonce } from "../wsse/digest.ts";
import { nonceBytes, type UsernameToken } from "../wsse/header.ts";

const attributes = ["Username", "PasswordDigest", "Nonce", "Created"] as const;

const tokenType = /^UsernameToken[ \t]/;
const anyTokenType = /(?:UsernameToken[ \t]*)?/iy;
// Clients do not escape values, so a backslash is an ordinary character. A value without quotes is read to name what else is wrong.
const pair = /([A-Za-z]+)[ \t]*=[ \t]*(?:"([^"]*)"|([^" \t,]+))?/y;
const separator = /[ \t]*,[ \t]*/y;
const whiteSpace = /[ \t]+/y;
const longestNonce = 128;

// Beyond these, nobody reads on; a header of 8 KiB can have 1,000.
const mostProblems = 5;

/** What a name means that is no attribute's: names are compared with their letter case. */
function insteadOf(meant: string | undefined): string {
  return meant === undefined ? `; it may only have ${attributes.join(", ")}` : `; write ${meant}`;
}

type Parts = { readonly [Name in keyof UsernameToken]: UsernameToken[Name] | undefined };

/**
 * Reads an `X-WSSE` header: `UsernameToken`, then each attribute once as `name="value"`, in any order. `parts` are those that are
 * there once; `problems` are at most five, without text of the header but the names of attributes.
 */
export function parseWsse(value: string): { readonly parts: Parts; readonly problems: readonly string[] } {
  let position = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(value);
    if (match !== null) position = pattern.lastIndex;
    return match;
  };

  const problems = new Set<string>();
  if (!tokenType.test(value)) problems.add("X-WSSE does not begin with UsernameToken and a space");
  take(anyTokenType);
  const values = new Map<string, string | null>();
  let goesOn = true;
  while (goesOn && problems.size < mostProblems) {
    const [match, name = "", quoted, bare] = take(pair) ?? [];
    if (match === undefined) {
      problems.add(`X-WSSE has no name="value" at character ${position + 1}`);
      break;
    }
    const attribute = attributes.find((one) => one.toLowerCase() === name.toLowerCase());
    if (attribute !== name) problems.add(`X-WSSE has an attribute ${name}${insteadOf(attribute)}`);
    if (!quoted) problems.add(`X-WSSE has ${name} without a value in double quotes`);
    if (attribute !== undefined) {
      if (values.has(attribute)) problems.add(`X-WSSE has ${attribute} twice`);
      values.set(attribute, values.has(attribute) ? null : quoted || bare || null);
    }
    if (quoted === undefined && bare === undefined) break;
    goesOn = take(separator) !== null;
    if (goesOn || position === value.length) continue;
    problems.add(`X-WSSE has no comma at character ${position + 1}`);
    goesOn = take(whiteSpace) !== null;
  }
  const missing = attributes.filter((name) => !values.has(name));
  // What follows an unreadable place may hold them.
  if (position === value.length && missing.length > 0) problems.add(`X-WSSE has no ${missing.join(", ")}`);
  const [username, passwordDigest, nonce, created] = attributes.map((name) => values.get(name) ?? undefined);
  const isPrintable = nonce === undefined || /^[\x20-\x7e]*$/.test(nonce);
  if (!isPrintable || (nonce?.length ?? 0) > longestNonce)
    problems.add("Nonce is not 1 to 128 printable ASCII characters");
  const parts = { username, passwordDigest, nonce: isPrintable ? nonce : undefined, created };
  return { parts, problems: [...problems].slice(0, mostProblems) };
}

/** RFC 9110, section 11.2: letter case and white space around `=` do not matter, and the value may be a token. */
export const wsseAuthorization = /^WSSE[ \t]+profile[ \t]*=[ \t]*("?)UsernameToken\1$/i;

/** Whether all four attributes are there. */
export function isWhole(parts: Parts): parts is UsernameToken {
  return Object.values(parts).every((value) => value !== undefined);
}

const pairs = attributes.map((name) => `${name}="[^"]+"`).join("[ \\t]*,[ \\t]*");
const documentedLayout = new RegExp(`^UsernameToken[ \\t]+${pairs}$`);
const documentedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

// The specification's nonce has 20 bytes. The last character of their base64 holds four bits.
const hex = [/^[\da-f]{40}$/i, "40 hexadecimal characters"] as const;
const base64 = [/^[A-Za-z\d+/]{26}[AEIMQUYcgkosw048]=$/, "the base64 of 20 bytes"] as const;

/** How a header differs from the specification (section 5.1), beyond its problems. Holds no text of it. */
export function unusualShapes(
  value: string,
  { problems, parts: { nonce, created } }: ReturnType<typeof parseWsse>,
  digest: ConventionName,
): readonly string[] {
  // The Nonce of the specification (section 5.1) as this digest convention writes it.
  const [shape, name] = hex[0].test(wireNonce(digest, new Uint8Array(nonceBytes))) ? hex : base64;
  const order = attributes.join(", ");
  const layout = problems.length > 0 || documentedLayout.test(value);
  const time = created === undefined || documentedTime.test(created);
  const notes: string[] = [];
  if (!layout) notes.push(`X-WSSE does not have the form name="value" in the order ${order}`);
  if (nonce !== undefined && !shape.test(nonce)) notes.push(`Nonce is not ${name}`);
  if (!time) notes.push("Created is not of the form YYYY-MM-DDThh:mm:ss+00:00");
  return notes;
}

// A calendar date and a time, basic or extended. A fraction of a second is ignored: the clocks of clients are not that exact.
const iso8601 =
  /^(\d{4})(-?)(\d\d)\2(\d\d)T(\d\d)(:?)(\d\d)(?:\6(\d\d)(?:[.,]\d+)?)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;

/** The seconds since the epoch of a real time of ISO 8601 with a time zone; null for anything else. */
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
