// The tables of what clients do to X-Auth-Token, to the X-WSSE header as a whole and to Created. Rows are data;
// credentials.ts and username-token.ts read by them. Node gives each byte of a field as one character, so curly quotes are two
// or three of them.

import { headerPlaceholder } from "../wsse/placeholders.ts";

const oneText = 'send one text: UsernameToken Username="…", PasswordDigest="…", Nonce="…", Created="…"';

/** A value that belongs into X-WSSE, whatever the field is called. */
export const wsseValues = /^["']?UsernameToken\b|\bPasswordDigest\s*=/i;

const htmlCharacters: Readonly<Record<string, string>> = {
  ...{ quot: '"', amp: "&", apos: "'", lt: "<", gt: ">", equals: "=" },
};
/** A text without the character references of HTML. */
export const fromHtml = (text: string): string =>
  text
    .replace(/&(quot|amp|apos|lt|gt|equals);/g, (_, name: string) => htmlCharacters[name] ?? "")
    .replace(/&#x([\da-f]{1,4});/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)));
/** A text without percent-encoding. */
export const fromPercent = (text: string): string =>
  text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
const fromBase64 = (text: string): string =>
  /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, "base64").toString("latin1").trim() : text;
/** A text that is there twice, once. */
function once(text: string): string {
  const half = text.slice(0, text.length / 2).replace(/,$/, "");
  return ["", ",", ", "].some((between) => text === half + between + half) ? half : text;
}

const noQuotes = "take the quotation marks away that stand around it in the file or the variable";
const noEncoding = "send it as it is, without another encoding";
const whole = "set the whole: a column may cut it, and a # or & without quotes ends it in a file or a shell";
const nothingElse = "take away what is not its own";

/** What is done to a token or a username: the words, what to change, and the text without it. */
export const alterations: ReadonlyArray<
  readonly [words: string, change: string, undo: (sent: string) => string]
> = [
  ["has a comma or semicolon behind it", "take it away", (sent) => sent.replace(/[,;]$/, "")],
  ["has white space around it", "take the white space away, with trim or strip", (sent) => sent.trim()],
  ["is in quotation marks", noQuotes, (sent) => sent.replace(/^(["'])(.*)\1$/s, "$2")],
  [
    "is URL-encoded",
    "send it as it is, without urlencode or encodeURIComponent",
    (sent) => fromPercent(sent).trim(),
  ],
  ["is escaped for HTML", "send it as it is, without htmlspecialchars or a template that escapes", fromHtml],
  [
    "has a line end behind it that is written as \\r or \\n",
    "take it away: in single quotes, PHP, Perl and shells leave it as it stands",
    (sent) => sent.replace(/(?:\\r)?\\[nr]$/, ""),
  ],
  ["is in base64", "decode it first: a Secret of Kubernetes shows its values in base64", fromBase64],
  ["is in hexadecimal", noEncoding, (sent) => Buffer.from(sent, "hex").toString("latin1").trim()],
  ["is there twice", "set it once: something appends it to a value that has it", once],
];

/**
 * What a client makes of a token or a username so that the whole cannot be had back: the words, what to change, and whether `sent` is
 * what it makes of `own`. A beginning or end must be half of it: nobody can guess a token by characters.
 */
export const likenesses: ReadonlyArray<
  readonly [words: string, change: string, fits: (sent: string, own: string) => boolean]
> = [
  [
    "is in another letter case",
    "send its letters as they are, without upper or lower",
    (sent, own) => sent.length === own.length && own.toLowerCase().startsWith(sent.toLowerCase()),
  ],
  [
    "lacks what stands from the @ on",
    "send the whole e-mail address",
    (sent, own) => own.startsWith(`${sent}@`),
  ],
  ["lacks its end", whole, (sent, own) => 2 * sent.length >= own.length && own.startsWith(sent)],
  ["lacks its beginning", whole, (sent, own) => 2 * sent.length >= own.length && own.endsWith(sent)],
  ["has more behind it", nothingElse, (sent, own) => sent.startsWith(own)],
  ["has more before it", nothingElse, (sent, own) => sent.endsWith(own)],
  ["has more around it", nothingElse, (sent, own) => own.length > 5 && sent.includes(own)],
];

/** What is sent around a token: the words, what to change, and how it is seen. */
export const aroundToken: ReadonlyArray<readonly [words: string, change: string, seen: RegExp]> = [
  ["holds what belongs into X-WSSE", "send it as the field X-WSSE", wsseValues],
  ["begins with the field's own name", "take the name out of the value", /^X-Auth-Token\s*[:=]/i],
  [
    "begins with a scheme",
    "take the scheme away: X-Auth-Token has none",
    /^(?:(?:Bearer|Token|Basic)\s|token=)/i,
  ],
  ["is in quotation marks", noQuotes, /^(["']).*\1$/],
];

/** The names of fields that look like ours, and ours. */
export const nearNames: ReadonlyArray<readonly [name: RegExp, ours: string]> = [
  [/wsse|username-?_?token/i, "X-WSSE"],
  [
    /^(?:http[-_])?(?:x[-_]?)?(?:(?:auth|authorization|api|access)[-_]?(?:tokens?|key)|token)$|^x[-_]?auth$/i,
    "X-Auth-Token",
  ],
];

/** What people call the attributes of X-WSSE, and which one is meant. */
export const nearAttributes: ReadonlyArray<readonly [name: RegExp, ours: string]> = [
  [/^(?:user|login|e?mail|name|userid|account)$/i, "Username"],
  [/^(?:digest|password|passwd|pwd|passwordtext|passwordhash|hash|signature)$/i, "PasswordDigest"],
  [/^(?:nounce|nonse|noonce|random|salt)$/i, "Nonce"],
  [/^(?:create|creation|createdat|timestamp|time|date|datetime)$/i, "Created"],
];

/**
 * What the whole value is in place of a token or an X-WSSE header: how it is seen, the words, and what to change in X-WSSE. Nothing
 * else is said of it.
 */
export const replacements: ReadonlyArray<readonly [seen: RegExp, words: string, change: string]> = [
  [
    /^(?:Array(?:\(.*\))?|\[object Object\]|HASH\(0x[\da-f]+\))$/,
    "is the name of a list or object, not its content",
    oneText,
  ],
  [/^(?:null|undefined|None|nil|NULL|false|true)$/, "is the word for an empty value", oneText],
  [
    headerPlaceholder,
    "is a placeholder that nothing filled in",
    "set the variable that it names, in the place where the client looks for it",
  ],
  [
    /^(?:[\w-]{0,8}(?:\*|\xe2\x80\xa2|\u2022){3,}[\w-]{0,8}|\w{2,20}(?:\.{3}|\xe2\x80\xa6)\w{0,12}|\[(?:\w{1,10}[-_ ])?(?:masked|redacted|filtered|hidden|secret|removed|protected)\])$/i,
    "is a mask, as a log or a page shows it",
    "send what the program made, not what a log or a page shows of it",
  ],
  [/^[[{]\s*"/, "is JSON", oneText],
  [/^<(?:\?xml|(?:\w{1,20}:)?(?:UsernameToken|Security|Envelope))\b/, "is XML, as SOAP has it", oneText],
  [
    /^UsernameToken\b.*\b(?:Username|PasswordDigest|Nonce|Created)="[^"\x80-\xff]*$/s,
    "ends inside a value",
    "close the last quotation mark; if more is missing, look for a column, a buffer or a shell that cuts the header",
  ],
  // "UsernameToken" in base64, without its last byte.
  [/^VXNlcm5hbWVUb2tl/, "is in base64", oneText],
  [
    /^WSSE\s+profile\s*=/i,
    "holds what belongs into Authorization",
    `${oneText}; WSSE profile="UsernameToken" is for Authorization`,
  ],
];

const upToLastQuote = (text: string): string => text.slice(0, text.lastIndexOf('"') + 1);

const curly = /(?:\xe2\x80[\x9c-\x9f\xb3\xb6]|\xef\xbc\x82|\xc2[\xab\xbb]|[\x84\x93\x94\u201c-\u201f])/g;
const curlySingle = /(?:\xe2\x80[\x98-\x9b]|[\x82\x91\x92\u2018-\u201b])/g;
const straight = 'write straight double quotes ("), as a plain text editor makes them';
const doubleQuotes = 'write double quotes (") around each value';
const equalsSign = 'write Username="…" with an equals sign';
const ownName = /^\s*X-WSSE\s*[:=]\s*/i;
const signBehind = /^UsernameToken\s*[:,;]\s*/i;
const withoutEscapes =
  "send the text itself, not its form in JSON or a program: without a backslash before the quotes";

/** What was done to a header: how it is seen, the words, what to change, and the header without it. Each is taken away, in this order. */
export const disguises: ReadonlyArray<
  readonly [seen: RegExp, words: string, change: string, undo: (value: string) => string]
> = [
  [
    /^\s*(["'])\s*(?:X-WSSE\s*:\s*)?UsernameToken\b.*\1[,;]?\s*$/is,
    "is in quotation marks as a whole",
    "take the quotation marks around the whole value away",
    (value) => value.trim().replace(/[,;]$/, "").slice(1, -1).trim(),
  ],
  [
    ownName,
    "begins with the field's own name",
    "take the name out of the value",
    (value) => value.replace(ownName, ""),
  ],
  [
    /^UsernameToken(?:%20|\+)|=\s*%22/i,
    "is URL-encoded",
    "send it as it is: without urlencode or encodeURIComponent",
    (value) => fromPercent(value.replaceAll("+", " ")),
  ],
  [
    /&(?:amp;)*(?:quot|#0{0,4}34|#x0{0,4}22|apos|#0{0,4}39|#x0{0,4}27);/i,
    "has quotation marks that are escaped for HTML",
    "send the text itself, without htmlspecialchars or a template that escapes",
    (value) => fromHtml(value.replace(/&(?:amp;)+/g, "&")),
  ],
  [
    /=\s*\\{1,3}(?:["']|u0022|x22)/i,
    "has backslashes before its quotation marks, as in JSON or code",
    withoutEscapes,
    (value) => value.replace(/\\{1,3}(?:u00|x)22/gi, '"').replace(/\\{1,3}(?=["'])/g, ""),
  ],
  [
    new RegExp(`=\\s*${curly.source}`),
    "has curly quotation marks",
    straight,
    (value) => value.replace(curly, '"'),
  ],
  [
    new RegExp(`=\\s*${curlySingle.source}`),
    "has curly single quotation marks",
    straight,
    (value) => value.replace(curlySingle, '"'),
  ],
  [
    /=\s*'[^'"]*'/,
    "has single quotation marks around its values",
    doubleQuotes,
    (value) => value.replace(/=\s*'([^'"]*)'/g, '="$1"'),
  ],
  [
    /=\s*`[^`"]*`/,
    "has backticks around its values",
    doubleQuotes,
    (value) => value.replace(/=\s*`([^`"]*)`/g, '="$1"'),
  ],
  [
    /=\s*""[^",\s]/,
    "has its quotation marks twice",
    'write each once: Nonce="…"',
    (value) => value.replace(/=\s*""([^"]*)""/g, '="$1"'),
  ],
  [
    /^WSSE\s+UsernameToken\s/i,
    "begins with WSSE",
    "begin it with UsernameToken",
    (value) => value.replace(/^WSSE\s+/i, ""),
  ],
  [
    /^UsernameToken\s+UsernameToken\s/i,
    "has UsernameToken twice",
    "write UsernameToken once",
    (value) => value.replace(/^(?:UsernameToken\s+)+/i, "UsernameToken "),
  ],
  [
    /\bwss[eu]:(?=Username|Password|Nonce|Created)/i,
    "has a prefix of XML before its names",
    'write Username="…", without wsse:',
    (value) => value.replace(/\bwss[eu]:(?=[A-Z])/gi, ""),
  ],
  [
    /\bPassword[-_]Digest\b/i,
    "has a sign inside PasswordDigest",
    "write PasswordDigest",
    (value) => value.replace(/\bPassword[-_]Digest\b/gi, "PasswordDigest"),
  ],
  [
    /\xc2\xa0/,
    "has a no-break space",
    "write a common space: an editor or a page made another one of it",
    (value) => value.replace(/\xc2\xa0/g, " "),
  ],
  [
    /",\s*(?:\\[nrt])+/,
    "has line ends between its parts that are written as \\n",
    "write the header in one line",
    (value) => value.replace(/",\s*(?:\\[nrt])+/g, '", '),
  ],
  [
    signBehind,
    "has a sign behind UsernameToken",
    "write a space behind UsernameToken",
    (value) => value.replace(signBehind, "UsernameToken "),
  ],
  [
    /\b(?:Username|PasswordDigest|Nonce|Created)"?\s*:\s*"/i,
    "has colons in place of equals signs",
    equalsSign,
    (value) => value.replace(/"?\b(Username|PasswordDigest|Nonce|Created)"?\s*:\s*"/gi, '$1="'),
  ],
  [/=>\s*"/, "has => in place of equals signs", equalsSign, (value) => value.replace(/=>\s*"/g, '="')],
  [
    /^[^"]*\bUsername\s*=\s*[^"\s,][^"]*$/i,
    "has no quotation marks around its values",
    'write double quotes around each value; in a shell, escape them (\\") or put single quotes around the whole option',
    (value) => value.replace(/=\s*([^\s,;"]+)/g, '="$1"'),
  ],
  [
    /"\s*;\s*(?:Username|PasswordDigest|Nonce|Created)\b/i,
    "has semicolons between its parts",
    "write commas between the parts",
    (value) => value.replace(/"\s*;/g, '",'),
  ],
  [
    /"\s*&\s*(?:Username|PasswordDigest|Nonce|Created)\b/i,
    "has & between its parts",
    "write commas between the parts",
    (value) => value.replace(/"\s*&\s*(?=[A-Z])/gi, '", '),
  ],
  [
    /"(?:\\[rn])+$/,
    "ends with a line end that is written as \\r or \\n",
    "take it away: in single quotes, PHP, Perl and shells leave it as it stands",
    upToLastQuote,
  ],
  [
    /"\s*[,;][,;\s]*$/,
    "ends with a comma or semicolon",
    "take it away: no comma behind the last part",
    upToLastQuote,
  ],
];

const invariant =
  "write it without the calendar of a country: CultureInfo.InvariantCulture in C#, Locale.ROOT in Java";
const yearsAhead = (created: Date, now: Date): number => created.getUTCFullYear() - now.getUTCFullYear();
const halfDay = 12 * 60 * 60 * 1000;

/** What a time that is too old or too new can be: whether it is so, the words, and what to change. Always a guess. */
export const wrongTimes: ReadonlyArray<
  readonly [fits: (created: Date, now: Date) => boolean, words: string, change: string]
> = [
  [
    (created) =>
      [1, 1601, 1899, 1900].includes(created.getUTCFullYear()) || Math.abs(created.getTime()) <= 2 * halfDay,
    "the zero of a program's clock",
    "set the time: new DateTime() of C#, time.Time{} of Go and a time() that failed give a zero",
  ],
  [
    (created, now) => Math.abs(created.getTime() * 1000 - now.getTime()) < halfDay,
    "seconds that were taken for milliseconds",
    "multiply Unix seconds by 1000 where milliseconds are asked for: new Date(…) in JavaScript and Java",
  ],
  [
    (created, now) => [542, 543, 544].includes(yearsAhead(created, now)),
    "the calendar of Thailand",
    invariant,
  ],
  [
    (created, now) => yearsAhead(created, now) < -570 && yearsAhead(created, now) > -630,
    "the calendar of Iran or of Islam",
    invariant,
  ],
  [
    (created, now) => {
      const next = new Date(created);
      next.setUTCMonth(next.getUTCMonth() + 1);
      return Math.abs(next.getTime() - now.getTime()) < 300_000;
    },
    "a month that counts from 0",
    "add 1 to getMonth() of JavaScript, the month of gmtime in Perl, and tm_mon of C",
  ],
  [
    (created, now) => Math.abs(now.getTime() - created.getTime() - halfDay) < 60_000,
    "12 h: a clock of twelve hours",
    "write the hours from 00 to 23: HH, not hh, in a format of Java, C# and moment; H, not h, in PHP; %H, not %I, in Python",
  ],
];

/** The forms of Created that are none of ISO 8601: how each is seen, and the words. The first that fits counts. */
export const createdForms: ReadonlyArray<readonly [seen: RegExp, words: string]> = [
  [
    /^(?:null|undefined|None|nil|NULL|false)$|NaN|^Invalid [Dd]ate/,
    "is the word for an empty value or for a date that failed",
  ],
  [/[\xd9\xdb][\xa0-\xb9]|\xe0[\xa5\xb9][\x90-\xaf]/, "has digits of another script"],
  [/\xe2(?:\x88\x92|\x80[\x90-\x95])/, "has a dash or minus sign that is none of ASCII"],
  [/^[3-6]\d{4}(?:\.\d+)?$/, "is a number of days, as Excel writes a time"],
  [/^6\d{17}$/, "is a number of ticks of .NET"],
  [/^1[34]\d{16}$/, "is a file time of Windows"],
  [/^-?\d{1,11}(?:[.,]\d+)?$/, "is Unix seconds"],
  [/^\d{13}$/, "is Unix milliseconds"],
  [/^1\d{15,18}$/, "is Unix microseconds or nanoseconds"],
  [/^\d{14}$|^2\d{16}$/, "has digits alone"],
  [/%3A|%2B|%20/i, "is URL-encoded"],
  [/^[A-Z][a-z]{2,8}, \d\d?[ -][A-Z][a-z]{2}[ -]\d{2,4} .* ?(?:GMT|UTC?|Z)$/, "is a date as HTTP writes it"],
  [/^(?:[A-Z][a-z]{2}, )?\d\d? [A-Z][a-z]{2} \d{2,4} /, "is a date of RFC 2822"],
  [/^[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}\d/, "is a date as JavaScript, C or a shell prints it"],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [+-]\d{4} [A-Z+-]/, "is a time as Go prints it"],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:UTC|[+-]\d{4})$/, "is a time as Ruby prints it"],
  [
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})?[+-]\d\d:\d\d$/,
    "has a space for the T, as Python prints a time",
  ],
  [/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)\[/, "is a time as ZonedDateTime of Java prints it"],
  [/^\/?Date\(/, "is a date as .NET writes it in JSON"],
  [/^\w+(?:\.\w+)*\(|^#?<|\bObject\b/, "is an object of a program, not its text"],
  [/^\d{4}-?W\d\d/, "is a date by its week"],
  [/^\d{4}-\d{3}(?!\d)/, "is a date by its day of the year"],
  [/^\d{4}-\d\d-\d\d$/, "is a date without a time"],
  [
    /^\d{1,4}[/.] ?\d\d?[/.] ?\d{1,4}|^[A-Z][a-z]{2,8} \d\d?, \d{4}|\xe5\xb9\xb4/,
    "is a date of a country, not of ISO 8601",
  ],
  [
    /^\d{4}-\d\d-\d\d(?:[A-Z]{2,5}|[+-]\d\d(?::?\d\d)?)\d\d:/,
    "has a time zone in place of the T, as date() of PHP gives without a backslash before it",
  ],
  [/^\d{4}-\d\d-\d{3}T/, "has the day of the year in place of the day, as DD gives in Java"],
  [/^\d{4}-\d\d-\d\dT\d\d\.\d\d/, "has dots in place of colons, as some countries write a time"],
  [/^\d\d-\d\d-\d\dT/, "has a year of two digits"],
  [/^\d{3}-/, "has a year that counts from 1900, as getYear gives it"],
  [/^\+?\d{5,6}-\d\d-/, "has a year that is far away, as milliseconds in place of seconds give it"],
  [
    /T\d\d:?\d\d(?::?\d\d)?(?:[.,]\d+)?[+-](?:\d|\d{3}|\d:\d\d|[3-9]\d{3}|\d{5})$/,
    "has a time zone that is not of the form +hh:mm",
  ],
  [
    /^\d{4}-(?:\d-|\d\d-\d[T ])|T(?:\d:|\d\d:\d(?:[:Z+-]|$)|\d\d:\d\d:\d(?:[Z+-]|$))/,
    "has numbers of one digit, where it needs a zero before them",
  ],
  [/[ap]\.?m\.?$/i, "has a clock of twelve hours"],
  [/^\s|\s$/, "has white space around it"],
  [/%[A-Za-z]|[YMDHhms]{2}/, "is the format of a time, not a time"],
  [/[+-]\d\d:?\d\dZ$/i, "has two time zones, an offset and Z"],
  [/\d\d:\d\d(?:\.\d+)? \d\d:?\d\d$/, "has a space in place of the + of its time zone, as a decoded URL has"],
  [/\d\d:\d\d(?:\.\d+)? ?(?:UTC|GMT)[+-]?\d*$/i, "has the name of a time zone in place of Z"],
  [/\d\d:\d\d(?:\.\d+)? ?\[?[A-Z][A-Za-z]+(?:\/[A-Za-z_]+)?\]?$/, "has the name of a time zone"],
  [/^\d{4}-\d\d-\d\d[ _]\d\d:\d\d(?::\d\d)?(?:\.\d+)?$/, "has a space for the T and no time zone"],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d/, "has a space for the T"],
  [/^\d{4}-?\d\d-?\d\dT\d\d:?\d\d(?::?\d\d)?(?:[.,]\d+)?$/, "has no time zone"],
  [/^\d{4}-\d\d-\d\dt|z$/, "has t or z in lower case"],
];
