// Reads an X-WSSE header as clients send it, and says everything that is wrong with its form and its time.

import type { ConventionName } from "../wsse/digest.ts";
import { createdAt, type UsernameToken } from "../wsse/header.ts";
import { headerPlaceholder } from "../wsse/placeholders.ts";
import { because, type Reason } from "./answer.ts";
import { createdForms, disguises, nearAttributes, replacements, wrongTimes } from "./header-slips.ts";

const attributes = ["Username", "PasswordDigest", "Nonce", "Created"] as const;

// Clients do not escape values, so a backslash is an ordinary character. A value without quotes is read to name what else is wrong.
const pair = /[ \t]*([A-Za-z]+)[ \t]*=(?:[ \t]*(?:"([^"]*)"|([^" \t,]+)))?(?:[ \t]*(,)[ \t]*)?/gy;
const longestNonce = 256;

// Nobody reads more of them; a header of 8 KiB can have 1,000.
const mostProblems = 5;

/** The attributes that are there once. */
type Parts = { readonly [Name in keyof UsernameToken]: UsernameToken[Name] | undefined };

/** A header without the words that every header has: what is left is the client's own text, which can hold a secret. */
export const ownText = (value: string): string =>
  value.replace(/\b(?:UsernameToken|Username|PasswordDigest|Nonce|Created)\b/gi, "");

const allParts = attributes.map((name) => `${name}="…"`).join(", ");
const asShown = `write it as UsernameToken ${allParts}`;

const filled =
  "set the variable that it names, in the place where the client looks for it, before the header is made";
const usualNonce = "send 40 hexadecimal characters, such as bin2hex(random_bytes(20)) of PHP";

/**
 * Reads an `X-WSSE` header: `UsernameToken`, then each attribute once as `name="value"`, in any order. `problems` are at most
 * five, without text of the header but the names of other attributes and placeholders, as `shown` gives them. Where something was
 * done to the whole, such as other quotation marks, that is named, and the rest is read without it.
 */
export function parseWsse(value: string, shown: (text: string) => string): ReturnType<typeof parsePairs> {
  const changes: string[] = [];
  const problems: string[] = [];
  const trimmed = value.trim();
  const replacement = replacements.find(([seen]) => seen.test(trimmed));
  if (replacement !== undefined) {
    const [, words, change] = replacement;
    return { parts: noParts, problems: [`X-WSSE ${words}`], changes: [change] };
  }
  let left = value;
  for (const [seen, words, change, undo] of disguises) {
    if (!seen.test(left)) continue;
    problems.push(`X-WSSE ${words}`);
    changes.push(change);
    left = undo(left);
  }
  const read = parsePairs(left, shown);
  return {
    parts: read.parts,
    problems: [...problems, ...read.problems].slice(0, mostProblems),
    changes: [...changes, ...read.changes],
  };
}

const noParts: Parts = {
  username: undefined,
  passwordDigest: undefined,
  nonce: undefined,
  created: undefined,
};

function parsePairs(
  value: string,
  shown: (text: string) => string,
): Readonly<{ parts: Parts } & Record<"problems" | "changes", readonly string[]>> {
  const problems = new Map<string, string>();
  const problem = (text: string, change = asShown) => problems.set(`X-WSSE ${text}`, change);
  if (!/^UsernameToken[ \t]/.test(value)) problem("does not begin with UsernameToken and a space");
  const values = new Map<string, string | undefined>();
  let end = /^(?:UsernameToken[ \t]*)?/i.exec(value)?.[0].length ?? 0;
  let isOpen = true;
  pair.lastIndex = end;
  for (const [text, name = "", quoted, bare, comma] of value.matchAll(pair)) {
    end += text.length;
    isOpen = comma !== undefined;
    // The attribute that is meant, in whatever letter case; another name than ours is a problem below.
    const near = nearAttributes.find(([pattern, ours]) => pattern.test(name) && !value.includes(`${ours}=`));
    const attribute = attributes.find((one) => one.toLowerCase() === (near?.[1] ?? name).toLowerCase());
    const instead =
      attribute === undefined ? `it may only have ${attributes.join(", ")}` : `write ${attribute}`;
    const written = attribute === undefined ? shown(name) : name;
    if (attribute !== name) problem(`has an attribute ${written}; ${instead}`);
    if (!quoted) problem(`has ${written} without a value in double quotes`);
    const isUnfilled = quoted !== undefined && headerPlaceholder.test(quoted);
    const visible = attribute === "PasswordDigest" ? "…" : shown(quoted ?? "");
    if (isUnfilled) problem(`has ${written}="${visible}", a placeholder that nothing filled in`, filled);
    if (attribute !== undefined) {
      if (values.has(attribute)) problem(`has ${attribute} twice`);
      const known = isUnfilled ? undefined : quoted || bare || undefined;
      values.set(attribute, values.has(attribute) ? undefined : known);
    }
    if (!isOpen && end < value.length && (quoted ?? bare) !== undefined)
      problem(`has no comma at character ${end + 1}`);
  }
  if (isOpen) problem(`has no name="value" at character ${end + 1}`);
  const missing = attributes.filter((name) => !values.has(name));
  // They may stand behind a place that could not be read.
  if (end === value.length && missing.length > 0) problem(`has no ${missing.join(", ")}`);
  const [username, passwordDigest, nonce, created] = attributes.map((name) => values.get(name));
  const isPrintable = nonce === undefined || /^[\x20-\x7e]*$/.test(nonce);
  if (!isPrintable || (nonce?.length ?? 0) > longestNonce)
    problems.set(`Nonce is not 1 to ${longestNonce} printable ASCII characters`, usualNonce);
  const parts = { username, passwordDigest, nonce: isPrintable ? nonce : undefined, created };
  return { parts, problems: [...problems.keys()], changes: [...new Set(problems.values())] };
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

// The specification's nonce (section 5.1) has 20 bytes. The last character of their base64 holds four bits.
const hexNonce = [/^[\da-f]{40}$/i, "40 hexadecimal characters"] as const;
const base64Nonce = [/^[A-Za-z\d+/]{26}[AEIMQUYcgkosw048]=$/, "the base64 of 20 bytes"] as const;

/** How a header differs from the specification (section 5.1), beyond its problems. Holds no text of it. */
export function unusualShapes(
  value: string,
  { problems, parts: { nonce, created } }: ReturnType<typeof parseWsse>,
  digest: ConventionName,
): readonly string[] {
  const [shape, name] = digest === "base64-nonce" ? base64Nonce : hexNonce;
  const order = attributes.join(", ");
  const layout = problems.length > 0 || documentedLayout.test(value);
  // What cannot be read as a time is named as such.
  const time = created === undefined || createdSeconds(created) === null || documentedTime.test(created);
  return [
    ...(layout ? [] : [`X-WSSE does not have the form name="value" in the order ${order}`]),
    ...(nonce === undefined || shape.test(nonce) ? [] : [`Nonce is not ${name}`]),
    ...(time ? [] : ["Created is not of the form YYYY-MM-DDThh:mm:ss+00:00"]),
  ];
}

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

/** What is wrong with Created on the server's clock; null if nothing is. */
export function timeProblem(created: string, nowSeconds: number): Reason | null {
  const at = createdSeconds(created);
  if (at !== null)
    return Math.abs(nowSeconds - at) <= windowSeconds ? null : staleness(created, at, nowSeconds);
  const [, words] = createdForms.find(([seen]) => seen.test(created)) ?? [];
  const usual = iso8601.test(created) ? "is no real time" : "is no time of ISO 8601 with a time zone";
  const example = createdAt(nowSeconds * 1000);
  const found = `Created ${words ?? usual}; this server expects a time like ${example}`;
  return because("malformed", found, inUtc);
}

/** The seconds that the time zone of Created is ahead of UTC; 0 if it has none. */
function zoneSeconds(created: string): number {
  const [, sign, hours = "0", minutes = "0"] = /([+-])(\d\d):?(\d\d)?$/.exec(created) ?? [];
  return (sign === "-" ? -60 : 60) * (60 * Number(hours) + Number(minutes));
}

/** How far Created is off, and what to change. If it is off by about whole quarters of an hour, it is the time of another zone. */
function staleness(created: string, at: number, nowSeconds: number): Reason {
  const [off, place] = at < nowSeconds ? [nowSeconds - at, "behind"] : [at - nowSeconds, "ahead of"];
  const quarters = Math.round(off / 900);
  const isZone = Math.abs(off - quarters * 900) <= 60 && quarters > 0 && quarters <= 14 * 4;
  const [hours, minutes] = [Math.floor(quarters / 4), (quarters % 4) * 15];
  const words = [hours > 0 ? `${hours} h` : "", minutes > 0 ? `${minutes} min` : ""]
    .filter(Boolean)
    .join(" ");
  const isMarkedUtc = zoneSeconds(created) === 0;
  const marked = isMarkedUtc
    ? "local time that is marked as UTC"
    : "a time of one zone that is marked as another";
  const ofZone = isZone ? ([`${words}: ${marked}`, inUtc] as const) : [];
  const [sent, now] = [new Date(at * 1000), new Date(nowSeconds * 1000)];
  const [, ...other] = wrongTimes.find(([fits]) => fits(sent, now)) ?? [null, ...ofZone];
  const [guess, change = "set the clock of the client's machine, and make a new header for every request"] =
    other;
  const likely = guess === undefined ? "" : ` (${guess}?)`;
  return because(
    "stale",
    `Created is ${off} s ${place} this server${likely}; ${windowSeconds} s are allowed`,
    change,
  );
}
