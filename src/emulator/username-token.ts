// Reads an X-WSSE header. What is right is read as it stands. For the rest, one reader puts up with everything that still lets it find
// names and values, and says of each place where it had to, with the sign that stands there. The values are judged as usual.

import { utf8 } from "../redaction/decode.ts";
import { masked } from "../redaction/redact.ts";
import { type ConventionName, conventions } from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import { headerPlaceholder } from "../wsse/placeholders.ts";
import { createdSeconds, isLikeTime } from "./created.ts";
import { fillIn, formsText, readingsOf, replacementOf, sharesPart } from "./values.ts";

const attributes = ["Username", "PasswordDigest", "Nonce", "Created"] as const;
type Attribute = (typeof attributes)[number];
const longestNonce = 256;
// Nobody reads more of them.
const mostProblems = 5;

/** The attributes of a header; undefined for one that is missing or cannot be used. */
export type Parts = { readonly [Name in keyof UsernameToken]: UsernameToken[Name] | undefined };

/** A header without the words that every header has: what is left is the client's own text, which can hold a secret. */
export const ownText = (value: string): string =>
  value.replace(/\b(?:UsernameToken|Username|PasswordDigest|Nonce|Created)\b/gi, "");

/** Whether a field may hold X-WSSE, and with it a digest or a secret: by its name, or by the name of one attribute in its value. */
export const mayHoldWsse = (name: string, value: string): boolean =>
  /wsse|username[-_]?token/i.test(name) || /User[-_]?Name|Passw|Digest|Nou?nce|Created/i.test(value);

const asShown = `write it as UsernameToken ${attributes.map((name) => `${name}="…"`).join(", ")}`;
const inShell = `${asShown}; in a shell, escape the quotes (\\") or put single quotes around the whole option`;
const inClear =
  "send the hash alone, as PasswordDigest, and set a new secret if this request went over a network";

/** What people call the attributes of X-WSSE, without letter case and signs. */
const nearNames: Readonly<Record<Attribute, string>> = {
  Username: "user login email name userid account",
  PasswordDigest: "digest hash passwordhash signature password passwd pwd passwordtext",
  Nonce: "nounce nonse random salt",
  Created: "create creation createdat timestamp time date datetime",
};
const isNear = (one: Attribute, plain: string): boolean =>
  one.toLowerCase() === plain || nearNames[one].split(" ").includes(plain);
const clearName = /^(?:password|passwd|pwd|passwordtext)$/;

/** The signs of a place that is not as it should be. Its words are the client's own text, so only those that every client has are shown. */
function signsOf(place: string): string {
  const known = /^(?:UsernameToken|X-WSSE|WSSE|AuthToken|profile|[nrt]{1,3})$/i;
  const signs = place.replace(/[^\W_][\w-]*|[^ -~]+/g, (word) => (known.test(word) ? word : "…"));
  return signs.includes('"') ? `'${signs}'` : `"${signs}"`;
}

/** What reading gives: the attributes, and each problem with what to change. */
export interface ReadHeader {
  readonly parts: Parts;
  readonly problems: ReadonlyMap<string, string>;
}

const exactPair = /([A-Za-z]+)[ \t]*=[ \t]*"([^"]*)"[ \t]*(?:,[ \t]*|$)/y;

/** The values of a right header: `UsernameToken`, then each attribute once as `name="value"`, in any order; null for any other. */
function exactly(text: string): ReadonlyMap<string, string> | null {
  const [start] = /^UsernameToken[ \t]+/.exec(text) ?? [];
  const values = new Map<string, string>();
  exactPair.lastIndex = start?.length ?? text.length;
  while (exactPair.lastIndex < text.length) {
    const [, name = "", value = ""] = exactPair.exec(text) ?? [];
    if (value === "" || values.has(name) || !attributes.some((one) => one === name)) return null;
    values.set(name, value);
  }
  return values.size === attributes.length && text.endsWith('"') ? values : null;
}

// Curly ones, primes, and those of the code page of Windows, which are no UTF-8.
const quote = "[\"'`\\\\\u2018-\u201f\u2032\u2033\u0082\u0084\u0091-\u0094]";
const isQuote = new RegExp(`^${quote}$`);
const opening = new RegExp(`^${quote}*`);
const isCurly = /[^ -~]/;
const isBehindValue = /[\s,;&]/;
const nameAndSign = /([A-Za-z][A-Za-z:_-]{1,24})(["'\\]{0,2}\s{0,9}(?:=>|[=:])\s{0,9})/g;

/**
 * A place that may be an attribute, from its name to the next name. `plain` is the name without a prefix, signs and letter case, and
 * the value begins at `to`.
 */
type Place = Readonly<Record<"name" | "plain" | "equals", string> & Record<"from" | "to", number>>;

/** The places of names that mean one of ours, and of any others that stand where a name does. */
function placesOf(text: string): readonly Place[] {
  return [...text.matchAll(nameAndSign)].flatMap(
    ({ 0: whole, 1: word = "", 2: equals = "", index: start }) => {
      const sign = text.charAt(start - 1);
      // A line end as text, or a missing space.
      const [before = ""] = (sign === "\\" ? /^[nrt]/ : /^UsernameToken:?/i).exec(word) ?? [];
      const name = word.slice(before.length);
      const plain = name.replace(/^.*:|[-_]/g, "").toLowerCase();
      const to = start + whole.length;
      // The end of a hash in base64 looks like a name too.
      const isName = attributes.some((one) => isNear(one, plain))
        ? !/[\w+/]/.test(sign)
        : isBehindValue.test(sign) && isQuote.test(text.charAt(to));
      return isName ? [{ name, plain, equals: equals.trim(), from: start + before.length, to }] : [];
    },
  );
}

/** A text without such signs at its end. */
function withoutEnd(text: string, sign: RegExp): string {
  let end = text.length;
  while (end > 0 && sign.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The quotation marks around a value, the value, and what stands behind it. */
function cutValue(text: string): Readonly<Record<"open" | "value" | "close" | "behind", string>> {
  const [open = ""] = opening.exec(text) ?? [];
  const rest = text.slice(open.length);
  const isCloser = (sign: string): boolean => (isCurly.test(open) ? isQuote.test(sign) : sign === open);
  const at = open.length === 1 ? rest.split("").findLastIndex(isCloser) : -1;
  if (at >= 0) return { open, value: rest.slice(0, at), close: rest.charAt(at), behind: rest.slice(at + 1) };
  const kept = withoutEnd(rest, isBehindValue);
  const value = withoutEnd(kept, isQuote);
  return { open, value, close: kept.slice(value.length), behind: rest.slice(kept.length) };
}

function partsOf(values: ReadonlyMap<string, string>): Parts {
  const [username, passwordDigest, nonce, created] = attributes.map((name) => values.get(name));
  return { username, passwordDigest, nonce, created };
}

/**
 * Reads an `X-WSSE` header. `problems` are at most five, without text of the header but near names of the attributes, and
 * placeholders as `shown` gives them. A Nonce may look like a placeholder where `isRight` says that its digest matches.
 */
export function parseWsse(
  value: string,
  shown: (text: string) => string,
  isRight: (token: Parts) => boolean = () => false,
): ReadHeader {
  const problems = new Map<string, string>();
  const problem = (text: string, change = asShown) => problems.set(`X-WSSE ${text}`, change);
  const exact = exactly(value);
  const values = exact ?? tolerantly(value, problem);
  const isFilled = isRight(partsOf(values));
  const usable = new Map<string, string>();
  for (const [name, text] of values) {
    const visible = name === "PasswordDigest" || exact === null ? "…" : shown(text);
    if (!isFilled && headerPlaceholder.test(utf8(text)))
      problem(`has ${name}="${visible}", a placeholder that nothing filled in`, fillIn);
    // A quotation mark inside shows that another value was taken for a part of this one.
    else if (text !== "" && !text.includes('"')) usable.set(name, text);
  }
  const nonce = usable.get("Nonce") ?? "x";
  const isPrintable = /^[ -~]*$/.test(nonce);
  if (!isPrintable) usable.delete("Nonce");
  if (!isPrintable || nonce.length > longestNonce)
    problems.set(
      `Nonce is not 1 to ${longestNonce} printable ASCII characters`,
      "send 40 hexadecimal characters, such as bin2hex(random_bytes(20)) of PHP",
    );
  return { parts: partsOf(usable), problems: new Map([...problems].slice(0, mostProblems)) };
}

/**
 * The attributes as a log may show them. Of a header that is not right nothing is shown: a part of the digest, or of a secret, may
 * stand in any place of it. A Created that is no text of a time may be a secret.
 */
export function shownParts({ parts, problems }: ReadHeader, shown: (text: string) => string): UsernameToken {
  const { username, passwordDigest = "", nonce, created = "" } = parts;
  const visible = (text = ""): string =>
    problems.size > 0 || sharesPart(text, passwordDigest) ? "…" : shown(text);
  const time = isLikeTime(created) ? visible(created) : "…";
  return { username: visible(username), passwordDigest: masked, nonce: visible(nonce), created: time };
}

type Problem = (text: string, change?: string) => void;
const longestHeader = 2_000;

/** The values of a header that is not right, as far as they can be found. */
function tolerantly(sent: string, problem: Problem): ReadonlyMap<string, string> {
  const replaced = placesOf(sent).length > 0 ? undefined : replacementOf(sent.trim());
  if (replaced !== undefined) {
    problem(replaced, fillIn);
    return new Map();
  }
  // Something may have written the whole in another form. Then that is all that is wrong with it, if the rest is right.
  const readings = readingsOf(sent, 2, longestHeader);
  const { text, written } = readings.find(
    (one) => !sent.startsWith(one.text) && exactly(one.text) !== null,
  ) ??
    readings.find((one) => placesOf(one.text).length > 1) ?? { text: sent, written: [] };
  if (written.length > 0)
    problem(`is written ${formsText(written)}`, written.map(({ change }) => change).join("; "));
  // Node gives each byte of a field as one character.
  return exactly(text) ?? inPlaces(utf8(text), problem);
}

function inPlaces(text: string, problem: Problem): ReadonlyMap<string, string> {
  const places = placesOf(text);
  const [{ from: start } = { from: text.length }] = places;
  if (!/^UsernameToken[ \t]+$/.test(text.slice(0, start))) problem(beginning(text.slice(0, start)));
  const given = new Set(places.map(({ plain }) => plain));
  // A near name counts where ours is missing.
  const isMeant = (one: Attribute, plain: string): boolean =>
    one.toLowerCase() === plain || (!given.has(one.toLowerCase()) && isNear(one, plain));
  const values = new Map<string, string>();
  const unquoted: string[] = [];
  for (const [index, { name, plain, equals, to }] of places.entries()) {
    const next = places[index + 1];
    const { open, value, close, behind } = cutValue(text.slice(to, next?.from));
    // Before its colon may stand anything: a part of the digest, too.
    const shownName = name.replace(/^(?!wss[eu]:).*:/, "…:");
    const attribute = attributes.find((one) => isMeant(one, plain));
    const isClear = clearName.test(plain);
    if (isClear || value.endsWith("PasswordText"))
      problem(`has ${isClear ? shownName : "Type"}, which is for a password in clear text`, inClear);
    else if (attribute === undefined) problem(`has an attribute that is none of ${attributes.join(", ")}`);
    else if (attribute !== name) problem(`has ${shownName}, where ${attribute} belongs`);
    if (equals !== "=") problem(`has ${signsOf(equals)} behind a name, where an equals sign (=) belongs`);
    const own = attribute ?? "another value";
    if (value === "") problem(`has no value of ${own}`, inShell);
    else if (open === "" && close === "") unquoted.push(own);
    else if (value.includes('"')) problem(`has a double quote inside the value of ${own}`, "leave it out");
    else if (open !== '"' || close !== '"') problem(quotesProblem(open, close, own, next === undefined));
    if (next === undefined && behind.trim() !== "")
      problem(`has ${signsOf(behind)} behind its last value, where nothing belongs`, "take it away");
    if (next !== undefined && !/^[ \t]*,[ \t]*$/.test(behind) && close !== "")
      problem(`has ${signsOf(behind)} between its parts, where one comma belongs`);
    if (attribute === undefined) continue;
    if (values.has(attribute)) problem(`has ${attribute} twice`);
    // Of two, nobody knows which one counts, and of a value that is cut, nobody knows the rest.
    const isCut = next === undefined && open !== "" && close === "";
    values.set(attribute, values.has(attribute) || isCut ? "" : value);
  }
  if (unquoted.length > 0)
    problem(`has ${unquoted.slice(0, mostProblems).join(", ")} without a value in double quotes`, inShell);
  const missing = attributes.filter((name) => !values.has(name));
  if (missing.length > 0) problem(`has no ${missing.join(", ")}`);
  return values;
}

/** What is wrong with the beginning of a header, up to its first name. */
function beginning(text: string): string {
  return /UsernameToken|WSSE/i.test(text)
    ? `begins with ${signsOf(text)}, where UsernameToken and a space belong`
    : "does not begin with UsernameToken and a space";
}

function quotesProblem(open: string, close: string, name: string, isLast: boolean): string {
  if (close === "")
    return isLast ? `ends inside the value of ${name}` : `has no double quote behind the value of ${name}`;
  if (open === "") return `has no double quote before the value of ${name}`;
  const sign = isCurly.test(open) ? "curly quotation marks" : open;
  return `has ${sign} around its values, where double quotes (") belong`;
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
  { problems, parts: { nonce, created } }: ReadHeader,
  digest: ConventionName,
): readonly string[] {
  const [shape, name] = conventions[digest].wire === "base64" ? base64Nonce : hexNonce;
  const order = attributes.join(", ");
  const layout = problems.size > 0 || documentedLayout.test(value);
  // What cannot be read as a time is named as such.
  const time = created === undefined || createdSeconds(created) === null || documentedTime.test(created);
  return [
    ...(layout ? [] : [`X-WSSE does not have the form name="value" in the order ${order}`]),
    ...(nonce === undefined || shape.test(nonce) ? [] : [`Nonce is not ${name}`]),
    ...(time ? [] : ["Created is not of the form YYYY-MM-DDThh:mm:ss+00:00"]),
  ];
}
