// Reads an X-WSSE header. One reader puts up with everything that still lets it find names and values, and records each place where it
// had to: those are the problems of the header, and the rest is judged as usual. A header without any is right.

import type { ConventionName } from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import { headerPlaceholder } from "../wsse/placeholders.ts";
import { createdSeconds } from "./created.ts";
import { formsText, readingsOf, replacementOf } from "./values.ts";

const attributes = ["Username", "PasswordDigest", "Nonce", "Created"] as const;
const longestNonce = 256;
// Nobody reads more of them; a header of 8 KiB can have 1,000.
const mostProblems = 5;

/** The attributes that are there once. */
type Parts = { readonly [Name in keyof UsernameToken]: UsernameToken[Name] | undefined };

/** A header without the words that every header has: what is left is the client's own text, which can hold a secret. */
export const ownText = (value: string): string =>
  value.replace(/\b(?:UsernameToken|Username|PasswordDigest|Nonce|Created)\b/gi, "");

const asShown = `write it as UsernameToken ${attributes.map((name) => `${name}="…"`).join(", ")}`;
const inShell = `${asShown}; in a shell, escape the quotes (\\") or put single quotes around the whole option`;
const filled =
  "set the variable that it names, in the place where the client looks for it, before the header is made";

// Node gives each byte of a field as one character, so curly quotes are three of them, or one in the code page of Windows.
const curly = "\\xe2\\x80[\\x98-\\x9f\\xb2\\xb3]|[\\x82\\x84\\x91-\\x94]";
const quoted = `"([^"]*)"|(""|["'\`]|${curly})([^"'\`]*?)(""|["'\`]|${curly}|$)`;
const pair = new RegExp(
  `(?:(?<=\\\\[nrt])|(?<![\\w:\\\\+/-]))([A-Za-z][\\w:-]*)"?(\\s*(?:=>|=|:(?=\\s*["'\`]))\\s*)(?:""([^"]+)""|${quoted}|([^\\s,;"'\`]+))?`,
  "g",
);
const isCurly = new RegExp(`^(?:${curly})`);

/** What people call the attributes of X-WSSE. */
const nearNames: Readonly<Record<(typeof attributes)[number], RegExp>> = {
  Username: /^(?:user|login|e?mail|name|userid|account)$/i,
  PasswordDigest: /^(?:digest|password|passwd|pwd|passwordtext|passwordhash|hash|signature)$/i,
  Nonce: /^(?:nounce|nonse|noonce|random|salt)$/i,
  Created: /^(?:create|creation|createdat|timestamp|time|date|datetime)$/i,
};

/** The attribute that a name means, whatever its letter case and signs; undefined for another. */
function attributeOf(name: string, value: string): (typeof attributes)[number] | undefined {
  const plain = name.replace(/^.*:|[-_]/g, "").toLowerCase();
  return (
    attributes.find((one) => one.toLowerCase() === plain) ??
    attributes.find((one) => nearNames[one].test(plain) && !value.includes(`${one}=`))
  );
}

/** The signs of a place that is not as it should be. Its words are the client's own text, so only those that every client has are shown. */
function signsOf(place: string): string {
  const known = /^(?:UsernameToken|X-WSSE|WSSE|AuthToken|profile|nrt|[nrt])$/i;
  return `"${place.replace(/[^\W_][\w-]*|[^ -~]+/g, (word) => (known.test(word) ? word : "…"))}"`;
}

/** What reading gives: the attributes, and each problem with what to change. */
interface ReadHeader {
  readonly parts: Parts;
  readonly problems: readonly string[];
  readonly changes: readonly string[];
}

/**
 * Reads an `X-WSSE` header: `UsernameToken`, then each attribute once as `name="value"`, in any order. `problems` are at most five,
 * without text of the header but the names of other attributes and placeholders, as `shown` gives them.
 */
export function parseWsse(value: string, shown: (text: string) => string): ReadHeader {
  const problems = new Map<string, string>();
  const problem = (text: string, change = asShown) => problems.set(`X-WSSE ${text}`, change);
  const [replaced, instead] = replacementOf(value.trim()) ?? [];
  if (replaced !== undefined) problem(replaced, instead);
  const text = replaced === undefined ? withoutForms(value, problem) : "";
  const values = new Map<string, string | undefined>();
  const unquoted: string[] = [];
  let end = 0;
  for (const found of replaced === undefined ? text.matchAll(pair) : []) {
    const [whole, name = "", equals = "", twice, exact, open = "", inOther, close, bare] = found;
    const attribute = attributeOf(name, text);
    // A name that means one of ours is a word of everybody's. Another can be a part of a digest that a wrong sign has freed.
    const isWord = /^(?:wss[eu]:)?[A-Za-z_-]{1,20}$/.test(name);
    const asWritten = !isWord ? "…" : attribute === undefined ? shown(name) : name;
    const written = attribute ?? asWritten;
    const between = text.slice(end, found.index);
    if (end === 0) {
      if (!/^UsernameToken[ \t]+$/.test(between)) problem(beginning(between));
    } else if (!/^[ \t]*,[ \t]*$/.test(between))
      problem(`has ${signsOf(between)} between its parts, where one comma belongs`);
    end = found.index + whole.length;
    const instead =
      attribute === undefined ? `it may only have ${attributes.join(", ")}` : `write ${attribute}`;
    if (attribute !== name) problem(`has an attribute ${asWritten}; ${instead}`);
    if (equals.trim() !== "=")
      problem(`has "${equals.trim()}" behind a name, where an equals sign (=) belongs`);
    if (twice !== undefined || open !== "")
      problem(quotesProblem(twice === undefined ? open : '""', close === "" ? written : ""));
    const given = twice ?? exact ?? inOther ?? bare;
    if (!given || bare !== undefined) unquoted.push(written);
    const isUnfilled = given !== undefined && headerPlaceholder.test(given);
    const visible = attribute === "PasswordDigest" ? "…" : shown(given ?? "");
    if (isUnfilled) problem(`has ${written}="${visible}", a placeholder that nothing filled in`, filled);
    if (attribute === undefined) continue;
    if (values.has(attribute)) problem(`has ${attribute} twice`);
    const isUsable = !values.has(attribute) && !isUnfilled && close !== "";
    values.set(attribute, isUsable ? given || undefined : undefined);
  }
  if (unquoted.length > 0)
    problem(`has ${unquoted.slice(0, mostProblems).join(", ")} without a value in double quotes`, inShell);
  if (replaced === undefined) {
    const behind = text.slice(end);
    if (end === 0 && !/^UsernameToken\s*$/.test(behind)) problem(beginning(behind));
    else if (end > 0 && behind.trim() !== "")
      problem(
        `has ${signsOf(behind)} behind its last value, where no comma or other sign belongs`,
        "take it away",
      );
    const missing = attributes.filter((name) => !values.has(name));
    if (missing.length > 0) problem(`has no ${missing.join(", ")}`);
  }
  const [username, passwordDigest, nonce, created] = attributes.map((name) => values.get(name));
  const isPrintable = nonce === undefined || /^[\x20-\x7e]*$/.test(nonce);
  if (!isPrintable || (nonce?.length ?? 0) > longestNonce)
    problems.set(
      `Nonce is not 1 to ${longestNonce} printable ASCII characters`,
      "send 40 hexadecimal characters, such as bin2hex(random_bytes(20)) of PHP",
    );
  const parts = { username, passwordDigest, nonce: isPrintable ? nonce : undefined, created };
  return {
    parts,
    problems: [...problems.keys()].slice(0, mostProblems),
    changes: [...new Set(problems.values())],
  };
}

const isReadable = /^[^"'=]*\b(?:Username|PasswordDigest)\s*=\s*"/;
const longestHeader = 2_000;

/** A header as it was before something wrote the whole in another form, such as URL-encoded. That is a problem. */
function withoutForms(value: string, problem: (text: string, change?: string) => void): string {
  if (isReadable.test(value)) return value;
  const { text, written } =
    readingsOf(value, 2, longestHeader).find((one) => isReadable.test(one.text)) ?? {};
  if (text === undefined || written === undefined) return value;
  problem(`is written ${formsText(written)}`, written.map(({ change }) => change).join("; "));
  return text;
}

/** What is wrong with the beginning of a header, up to its first name. */
function beginning(text: string): string {
  return /UsernameToken|WSSE/i.test(text)
    ? `begins with ${signsOf(text)}, where UsernameToken and a space belong`
    : "does not begin with UsernameToken and a space";
}

function quotesProblem(open: string, unclosed: string): string {
  if (unclosed !== "" && /^"+$/.test(open)) return `ends inside the value of ${unclosed}`;
  const sign = isCurly.test(open) ? "curly quotation marks" : open;
  return `has ${sign} around its values, where double quotes (") belong${open === "'" ? ", not single quotes" : ""}`;
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
