// The table of slips in what clients hash for a PasswordDigest: the text, and in it Nonce, Created and secret. digest-writings.ts has how
// they write the hash. Each row is data; digest-mismatch.ts tries the rows, alone and two of different tables together, and makes the
// sentences. Each character of a text stands for a byte. If several rows fit, the first one counts, so common slips stand before rare
// ones. Sources: public clients and their issues.

import * as crypto from "node:crypto";
import { orNull } from "../errors.ts";
import type { ConventionName } from "../wsse/digest.ts";
import { fromHtml, fromPercent } from "./header-slips.ts";

/**
 * A slip: what the client does, how to do the same, and what to change. Without a change of its own it has that of its table
 * (`textChange`, and the last part of `rightNonces` and the like).
 */
export type Slip<Make> = readonly [did: string, make: Make, change?: string];

/** The bytes of a text in UTF-8. */
export const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");
export const textOf = (bytes: string): string => Buffer.from(bytes, "latin1").toString();
export const base64 = (bytes: string): string => Buffer.from(bytes, "latin1").toString("base64");
const base64url = (bytes: string): string => Buffer.from(bytes, "latin1").toString("base64url");
export const hex = (bytes: string): string => Buffer.from(bytes, "latin1").toString("hex");
export const fromBase64 = (text: string): string => Buffer.from(text, "base64").toString("latin1");
/** Bytes in hexadecimal. */
export const hexPairs = /^(?:[\da-f]{2})+$/i;
const fromHex = (text: string): string | null =>
  hexPairs.test(text) ? Buffer.from(text, "hex").toString("latin1") : null;
export const inLines = (text: string, columns: number, end: string): string =>
  Array.from({ length: Math.ceil(text.length / columns) }, (_, line) =>
    text.slice(line * columns, (line + 1) * columns),
  ).join(end);
// The line lengths of MIME and PEM, after which encoders break base64 (RFC 2045, section 6.8; RFC 7468, section 2).
export const lineLengths = [76, 64];
const urlEncoded = (text: string): string => orNull(() => encodeURIComponent(text)) ?? text;

// It is missing before Node 20.12.
const oneShot: typeof crypto.hash | undefined = crypto.hash;

/** A hash in bytes; empty if this OpenSSL does not offer it. */
export function hashOf(name: string, bytes: string): string {
  // A text of ASCII, which UTF-8 does not make longer, is hashed without a copy.
  const data = Buffer.byteLength(bytes) === bytes.length ? bytes : Buffer.from(bytes, "latin1");
  const other = (): string => crypto.createHash(name).update(data).digest("binary");
  return orNull(() => oneShot?.(name, data, "binary") ?? other()) ?? "";
}

/** The hashes that clients use, with what people call them and their size in bytes. */
export const hashes = {
  md5: ["MD5", 16],
  sha1: ["SHA-1", 20],
  sha224: ["SHA-224", 28],
  sha256: ["SHA-256", 32],
  sha384: ["SHA-384", 48],
  sha512: ["SHA-512", 64],
} as const satisfies Readonly<Record<string, readonly [words: string, size: number]>>;

/** The same as a list, the shortest first. */
export const sizes = Object.entries(hashes).map(([name, [words, size]]) => ({
  ...{ name: name as keyof typeof hashes, words, size },
}));

/** An HMAC in bytes (RFC 2104). Node's own costs ten times as much for short texts. */
export function hmacOf(name: keyof typeof hashes, key: string, bytes: string): string {
  const block = hashes[name][1] > 32 ? 128 : 64;
  const whole = (key.length > block ? hashOf(name, key) : key).padEnd(block, "\0");
  const mixed = (mask: number): string =>
    Buffer.from(Buffer.from(whole, "latin1").map((byte) => byte ^ mask)).toString("latin1");
  return hashOf(name, mixed(0x5c) + hashOf(name, mixed(0x36) + bytes));
}

/** Joins the parts to what is hashed: bytes, or for an HMAC the key and the bytes. */
type Join = (
  nonce: string,
  created: string,
  secret: string,
  username: string,
  hash: keyof typeof hashes,
) => string | readonly [key: string, bytes: string];
const plainHash =
  "use a plain hash, no HMAC: sha1(…, true), not hash_hmac, in PHP; hashlib, not hmac, in Python; createHash, not createHmac, in Node.js; no -hmac for openssl";
const noSeparator =
  "join them with nothing between: `.` in PHP, `+` in Python and Node.js, printf '%s%s%s' in a shell";

const inUtf8 =
  "hash the text in UTF-8: Encoding.UTF8, not Encoding.Unicode, in C# and PowerShell, StandardCharsets.UTF_8 in Java, .encode() in Python, VARCHAR, not NVARCHAR, in SQL Server";
const utf16 = (text: string): string => Buffer.from(text, "utf16le").toString("latin1");
const utf16be = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("latin1");

const hashOnce = "hash once, and write the bytes of that hash in base64";

/** What the server expects of the hashed text. */
export const rightText = "Nonce, Created, secret in this order and nothing else";
/** What to change in a client that hashes another text. */
export const textChange =
  "hash Nonce, Created and secret in this order, each once, with nothing between them";

/** What stands in the hashed text. The first row is right. */
export const texts: readonly [Slip<Join>, ...Slip<Join>[]] = [
  ["hashes Nonce, Created and secret", (n, c, s) => n + c + s],
  ["hashes in the order Created, Nonce, secret", (n, c, s) => c + n + s],
  ["hashes in the order secret, Nonce, Created", (n, c, s) => s + n + c],
  ["hashes in the order Nonce, secret, Created", (n, c, s) => n + s + c],
  ["hashes in the order secret, Created, Nonce", (n, c, s) => s + c + n],
  ["hashes in the order Created, secret, Nonce", (n, c, s) => c + s + n],
  ["leaves out the Nonce", (_, c, s) => c + s],
  ["leaves out Created", (n, _, s) => n + s],
  ["hashes the Nonce twice", (n, c, s) => n + n + c + s],
  ["hashes Created twice", (n, c, s) => n + c + c + s],
  ["hashes the secret twice", (n, c, s) => n + c + s + s],
  ["hashes the username before the secret", (n, c, s, u) => n + c + u + s],
  ["hashes the username at the beginning", (n, c, s, u) => u + n + c + s],
  ["hashes the username at the end", (n, c, s, u) => n + c + s + u],
  ["hashes the username behind the Nonce", (n, c, s, u) => n + u + c + s],
  ["puts colons between the parts", (n, c, s) => `${n}:${c}:${s}`, noSeparator],
  ["makes an HMAC of Nonce and Created with the secret as its key", (n, c, s) => [s, n + c], plainHash],
  ["makes an HMAC of all three with the secret as its key", (n, c, s) => [s, n + c + s], plainHash],
  ["hashes the text in UTF-16", (n, c, s) => utf16(n + c + s), inUtf8],
];

/** Rarer slips in the hashed text. They are tried alone: each would cost a hundred more hashes if it were tried with every other slip. */
export const rareTexts: ReadonlyArray<Slip<Join>> = [
  ["hashes the hexadecimal of the hash again", (n, c, s, _, h) => hex(hashOf(h, n + c + s)), hashOnce],
  ["hashes the bytes of the hash again", (n, c, s, _, h) => hashOf(h, n + c + s), hashOnce],
  ["hashes the base64 of the hash again", (n, c, s, _, h) => base64(hashOf(h, n + c + s)), hashOnce],
  ["hashes the secret alone", (_n, _c, s) => s],
  ["leaves out Nonce and secret", (_, c) => c],
  ["leaves out Created and secret", (n) => n],
  ["puts spaces between the parts", (n, c, s) => `${n} ${c} ${s}`, noSeparator],
  ["puts line ends between the parts", (n, c, s) => `${n}\n${c}\n${s}`, noSeparator],
  ["puts commas between the parts", (n, c, s) => `${n},${c},${s}`, noSeparator],
  ...["|", "-", "_", ";", "&", ".", "+", "/", "\t", "\0", ", ", " + "].map(
    (sign): Slip<Join> => [
      "puts a sign between the parts, such as | or -",
      (n, c, s) => [n, c, s].join(sign),
      noSeparator,
    ],
  ),
  ...(
    [
      ['["', '","', '"]'],
      ['["', '", "', '"]'],
      ["['", "', '", "']"],
      ["('", "', '", "')"],
    ] as const
  ).map(
    ([start, between, end]): Slip<Join> => [
      "hashes the parts as a list of JSON or Python",
      (n, c, s) => start + [n, c, s].join(between) + end,
      noSeparator,
    ],
  ),
  ["hashes double quotes around the whole text", (n, c, s) => `"${n}${c}${s}"`, "hash the text without them"],
  ["hashes a NUL behind the text", (n, c, s) => `${n}${c}${s}\0`, "hash as many bytes as the text has"],
  ["hashes the base64 of the text", (n, c, s) => base64(n + c + s)],
  ["hashes the text in lower case", (n, c, s) => (n + c + s).toLowerCase()],
  ["hashes an empty text", () => "", "hash the text itself: a stream may be at its end, or a variable unset"],
  ...[
    ...["$nonce$created$secret", "$nonce.$created.$secret", "nonce.created.secret", "nonce+created+secret"],
    ...["noncecreatedsecret", "nonce + created + secret", "{nonce}{created}{secret}"],
    ...[`\${nonce}\${created}\${secret}`, "{{nonce}}{{created}}{{secret}}", "%s%s%s"],
  ].map(
    (names): Slip<Join> => [
      "hashes the names of its variables",
      () => names,
      'put their values into the text: with double quotes or as a template (f"…", `…`, $"…"), where the program needs them',
    ],
  ),
  ...["undefined", "null", "None"].map(
    (word): Slip<Join> => [
      "hashes the word for an empty value three times",
      () => word.repeat(3),
      "give the function that hashes its three parts: none of them has a value there",
    ],
  ),
  ...[utf16be, (text: string) => `\xfe\xff${utf16be(text)}`, (text: string) => `\xff\xfe${utf16(text)}`].map(
    (encode): Slip<Join> => ["hashes the text in UTF-16", (n, c, s) => encode(n + c + s), inUtf8],
  ),
  [
    "hashes the text in UTF-32",
    (n, c, s) => [...(n + c + s)].map((byte) => `${byte}\0\0\0`).join(""),
    inUtf8,
  ],
  ["makes an HMAC of Created and secret with the Nonce as its key", (n, c, s) => [n, c + s], plainHash],
  ["makes an HMAC of the secret with Nonce and Created as its key", (n, c, s) => [n + c, s], plainHash],
];

/**
 * What a slip puts in the place of Nonce, Created or secret, in bytes; null if it cannot be done with what was sent. `at` is the time
 * of Created in seconds since the epoch; null if it cannot be read. `sent` is the PasswordDigest, and `right` is what it should be.
 */
export type Make = (material: {
  readonly nonce: string;
  readonly created: string;
  readonly secret: string;
  readonly username: string;
  readonly token: string;
  readonly at: number | null;
  readonly sent: string;
  readonly right: string;
}) => string | null;
const decodeInPython = "add .decode() to the bytes before they become text in Python";
const sameNonce =
  "make the Nonce once, and hash the same text that you send, before anything encodes or wraps it";

/** What is hashed as the Nonce. `rightNonces` says which row is right. */
export const nonces: ReadonlyArray<Slip<Make>> = [
  ["hashes the Nonce as the text that it sends", ({ nonce }) => nonce],
  ["hashes the bytes of the Nonce (decoded from base64)", ({ nonce }) => fromBase64(nonce)],
  ["hashes the bytes of the Nonce (decoded from hexadecimal)", ({ nonce }) => fromHex(nonce)],
  [
    "hashes the Nonce in base64 and sends it in hexadecimal",
    ({ nonce }) => base64(fromHex(nonce) ?? "") || null,
  ],
  ["hashes the Nonce in hexadecimal and sends it in base64", ({ nonce }) => hex(fromBase64(nonce))],
  ["hashes the Nonce in lower case", ({ nonce }) => nonce.toLowerCase()],
  ["hashes the Nonce in upper case", ({ nonce }) => nonce.toUpperCase()],
  ["hashes the Nonce once more encoded in base64", ({ nonce }) => base64(nonce)],
  ["hashes the Nonce once more encoded in hexadecimal", ({ nonce }) => hex(nonce)],
  ["hashes the Nonce decoded twice (from base64 and hexadecimal)", ({ nonce }) => fromHex(fromBase64(nonce))],
  ["hashes the Nonce decoded twice (from base64)", ({ nonce }) => fromBase64(fromBase64(nonce))],
  ["hashes a line feed behind the Nonce", ({ nonce }) => `${nonce}\n`, sameNonce],
  ["hashes a carriage return and line feed behind the Nonce", ({ nonce }) => `${nonce}\r\n`, sameNonce],
  ["hashes a line feed behind the bytes of the Nonce", ({ nonce }) => `${fromBase64(nonce)}\n`, sameNonce],
  ...lineLengths.map((columns): Slip<Make> => {
    const did = `hashes the Nonce with a line feed after ${columns} characters`;
    return [did, ({ nonce }) => `${inLines(nonce, columns, "\n")}\n`, sameNonce];
  }),
  ["hashes the Nonce without its padding (=)", ({ nonce }) => nonce.replace(/={1,2}$/, ""), sameNonce],
  ["hashes the Nonce in base64url", ({ nonce }) => base64url(fromBase64(nonce)), sameNonce],
  ["hashes the Nonce URL-encoded", ({ nonce }) => urlEncoded(nonce), sameNonce],
  ["hashes the Nonce as Python shows bytes (b'…')", ({ nonce }) => `b'${nonce}'`, decodeInPython],
];

const noValues = ["undefined", "null", "None", "[object Object]"];
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const undashed = (nonce: string): string => fromHex(nonce.replaceAll("-", "")) ?? "";
/** The bytes of a UUID as .NET orders them. */
const guid = (nonce: string): string =>
  undashed(nonce).replace(/^(.)(.)(.)(.)(.)(.)(.)(.)/s, "$4$3$2$1$6$5$8$7");
const padded = (text: string): string => text.padEnd(4 * Math.ceil(text.length / 4), "=");
const standardOf = (text: string): string => text.replaceAll("-", "+").replaceAll("_", "/");
const unquoted: Make = ({ nonce }) => /^b'(.*)'$/.exec(nonce)?.[1] ?? null;
export const numbersOf = (bytes: string): readonly number[] => [...Buffer.from(bytes, "latin1")];

/** Rarer slips in the Nonce, tried alone. */
export const rareNonces: ReadonlyArray<Slip<Make>> = [
  ["hashes the Nonce in double quotes", ({ nonce }) => `"${nonce}"`, sameNonce],
  ["hashes the bytes of the Nonce as a text (decoded from base64)", (m) => bytesOf(fromBase64(m.nonce))],
  [
    "hashes the bytes of the Nonce as a text (decoded from hexadecimal)",
    ({ nonce }) => bytesOf(fromHex(nonce) ?? "") || null,
  ],
  [
    "hashes the bytes of the Nonce as text of UTF-8 (from base64)",
    (m) => bytesOf(textOf(fromBase64(m.nonce))),
  ],
  [
    "hashes the bytes of the Nonce as text of UTF-8 (from hexadecimal)",
    ({ nonce }) => bytesOf(textOf(fromHex(nonce) ?? "")) || null,
  ],
  ["hashes the Nonce without its dashes", ({ nonce }) => nonce.replaceAll("-", ""), sameNonce],
  ...[undashed, guid].map(
    (bytes): Slip<Make> => [
      "hashes the bytes of the UUID that it sends as Nonce",
      ({ nonce }) => (uuid.test(nonce) ? bytes(nonce) : null),
    ],
  ),
  ["hashes the Nonce in braces", ({ nonce }) => `{${nonce}}`, sameNonce],
  ["hashes the Nonce before it is URL-encoded", ({ nonce }) => fromPercent(nonce), sameNonce],
  ["hashes the bytes of a Nonce that it sends URL-encoded", ({ nonce }) => fromBase64(fromPercent(nonce))],
  ["hashes the Nonce before it is escaped for HTML", ({ nonce }) => fromHtml(nonce), sameNonce],
  ["hashes a + where the Nonce that it sends has a space", (m) => m.nonce.replaceAll(" ", "+"), sameNonce],
  ["hashes the Nonce with a padding (=) that it does not send", ({ nonce }) => padded(nonce), sameNonce],
  [
    "hashes the Nonce in base64 and sends it in base64url",
    ({ nonce }) => padded(standardOf(nonce)),
    sameNonce,
  ],
  ["hashes the Nonce that it sends as Python shows bytes (b'…')", unquoted, decodeInPython],
  ...[",", ", ", " "].map(
    (sign): Slip<Make> => [
      "hashes the bytes of the Nonce as numbers",
      ({ nonce }) => numbersOf(fromHex(nonce) ?? fromBase64(nonce)).join(sign),
      "make a text of the Nonce first, and hash that: a list of bytes becomes numbers where it is joined to a text",
    ],
  ),
  ...(["md5", "sha1", "sha256"] as const).map(
    (name): Slip<Make> => [
      `hashes the ${hashes[name][0]} of the Nonce in hexadecimal`,
      ({ nonce }) => hex(hashOf(name, nonce)),
    ],
  ),
  ...noValues.map(
    (word): Slip<Make> => [
      `hashes the text ${word} as the Nonce`,
      () => word,
      "make the Nonce before the hash: the variable that should hold it has no value there",
    ],
  ),
];

/** The index of the row that is right, what the server expects, and what to change if another row fits. */
type Right = readonly [row: number, ours: string, change: string];
const asText: Right = [
  ...([0, "the Nonce as it is sent"] as const),
  "hash the Nonce as it stands in the header, as text, neither decoded nor encoded",
];
const asBytes: Right = [
  ...([1, "the bytes of the Nonce (decoded from base64)"] as const),
  'hash the bytes that the Nonce decodes to: base64_decode($nonce) in PHP, base64.b64decode(nonce) in Python, Buffer.from(nonce, "base64") in Node.js',
];

/** What each convention expects of the Nonce. */
export const rightNonces: Readonly<Record<ConventionName, Right>> = {
  ...{ "text-nonce": asText, "hex-digest": asText, "base64-nonce": asBytes, "decoded-nonce": asBytes },
};

const timeOf = (seconds: number): string =>
  orNull(() => new Date(seconds * 1000).toISOString().slice(0, 19)) ?? "";
/**
 * The slip of hashing Created in another form. `make` gets its time in UTC, like 2026-11-21T03:31:00, and in seconds, and gives so many
 * digits of its fraction, filled up with zeros.
 */
const form = (
  words: string,
  make: (time: string, at: number, fraction: (digits: number) => string) => string,
): Slip<Make> => [
  `hashes Created ${words} but sends another form of it`,
  ({ at, created }) => {
    const sent = /[.,](\d+)/.exec(created)?.[1] ?? "";
    const fraction = (digits: number): string => sent.padEnd(digits, "0").slice(0, digits);
    return at === null ? null : make(timeOf(at), at, fraction);
  },
];
const rfc = (time: string): string => new Date(`${time}Z`).toUTCString();
/** The parts of the form of HTTP, in another order: day of the week, day, month, year. */
const asDate = (time: string, order: string): string =>
  rfc(time).replace(/^(\w+), (\d+) (\w+) (\d+) .*$/, order);

const hoursAway = [
  ...[1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 5.5, 6, -6, 7, -7, 8, -8, 9, -9, 9.5, 10, -10, 11, -11, 12, -12, 13],
  ...[3.5, 4.5, 5.75, 6.5, -3.5, 14],
];
const two = (value: number): string => String(value).padStart(2, "0");
const zoneOf = (hours: number): string =>
  `${hours < 0 ? "-" : "+"}${two(Math.trunc(Math.abs(hours)))}:${two((Math.abs(hours) % 1) * 60)}`;
const dated = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
/**
 * Created so many seconds later, with the time zone that it has. With an `ending`, its moment as the local time of that zone, which is
 * so many seconds ahead of UTC.
 */
const shifted =
  (seconds: number, ending?: string): Make =>
  ({ created, at }) => {
    const digits = Date.parse(`${dated.exec(created)?.[0]}Z`) / 1000;
    const start = ending === undefined ? digits : at;
    return start === null || Number.isNaN(start)
      ? null
      : timeOf(start + seconds) + (ending ?? created.slice(19));
  };

const madeTwice = (seconds: number): Slip<Make> => [
  `hashes a Created that is ${Math.abs(seconds)} s ${seconds < 0 ? "before" : "after"} the one it sends (it makes Created twice)`,
  shifted(seconds),
];

/** What is hashed as Created. The first row is right. */
export const times: ReadonlyArray<Slip<Make>> = [
  ["hashes Created as it sends it", ({ created }) => created],
  madeTwice(-1),
  form("with Z", (time) => `${time}Z`),
  form("with +00:00", (time) => `${time}+00:00`),
  form("with +0000", (time) => `${time}+0000`),
  form("without a time zone", (time) => time),
  form("with milliseconds and Z", (time, _, digits) => `${time}.${digits(3)}Z`),
  form("with milliseconds and +00:00", (time, _, digits) => `${time}.${digits(3)}+00:00`),
  form("in Unix seconds", (_, at) => `${at}`),
  form("in Unix milliseconds", (_, at, digits) => `${at}${digits(3)}`),
  form("with a space for T", (time) => time.replace("T", " ")),
  form("in the basic form of ISO 8601", (time) => `${time.replaceAll(/[-:]/g, "")}Z`),
  ["hashes a line feed behind Created", ({ created }) => `${created}\n`],
  ["hashes a carriage return and line feed behind Created", ({ created }) => `${created}\r\n`],
  ["hashes Created URL-encoded", ({ created }) => urlEncoded(created)],
];

/** Rarer slips in Created, tried alone. */
export const rareTimes: ReadonlyArray<Slip<Make>> = [
  form("with microseconds and Z", (time, _, digits) => `${time}.${digits(6)}Z`),
  form("with microseconds and +00:00", (time, _, digits) => `${time}.${digits(6)}+00:00`),
  form("with seven digits of a fraction and Z", (time, _, digits) => `${time}.${digits(7)}Z`),
  form("with nanoseconds and Z", (time, _, digits) => `${time}.${digits(9)}Z`),
  form("as Python prints it", (time) => `${time.replace("T", " ")}+00:00`),
  form(
    "as Python prints it, with microseconds,",
    (time, _, digits) => `${time.replace("T", " ")}.${digits(6)}+00:00`,
  ),
  form("as Ruby prints it", (time) => `${time.replace("T", " ")} UTC`),
  form("as Go prints it", (time) => `${time.replace("T", " ")} +0000 UTC`),
  form(
    "as JavaScript prints it",
    (time) => `${asDate(time, "$1 $3 $2 $4")} ${time.slice(11)} GMT+0000 (Coordinated Universal Time)`,
  ),
  form(
    "as date prints it in a shell",
    (time) =>
      `${asDate(time, "$1 $3 $2").replace(/ 0(?=\d$)/, "  ")} ${time.slice(11)} UTC ${time.slice(0, 4)}`,
  ),
  form("in Unix seconds with a fraction", (_, at, digits) => `${at}.${digits(6)}`),
  form("as RFC 2822 writes it", (time) => rfc(time).replace("GMT", "+0000")),
  form("as HTTP writes dates", rfc),
  ["hashes Created in double quotes", ({ created }) => `"${created}"`],
  [
    "hashes Created with a + where it sends a space",
    ({ created }) => created.replace(/ (?=\d\d:?\d\d$)/, "+"),
    "put Created into the header as it is: something decoded it as a part of a URL or form",
  ],
  ...noValues.map(
    (word): Slip<Make> => [
      `hashes the text ${word} as Created`,
      () => word,
      "make Created before the hash: the variable that should hold it has no value there",
    ],
  ),
  ...[1, -2, 2].map(madeTwice),
  ...hoursAway.flatMap((hours): ReadonlyArray<Slip<Make>> => {
    const did = `hashes Created in local time (${zoneOf(hours)}) but sends another`;
    const opposite = `hashes a Created that is ${zoneOf(hours)} from the one it sends (one of them is local time)`;
    return [
      [did, shifted(hours * 3600, zoneOf(hours))],
      [opposite, shifted(hours * 3600)],
    ];
  }),
];

/** What every convention expects of Created. */
export const rightTime: Right = [
  ...([0, "Created as it is sent"] as const),
  "make Created once, and use the same text in the hash and in the header",
];

const trimmed =
  'take the end of the line away: rtrim($secret, "\\r\\n") in PHP, .rstrip("\\r\\n") in Python, .trimEnd() in Node.js, printf \'%s\', not echo, in a shell';
const notSet =
  "read the secret from where it is set: getenv() gives false in PHP, and a shell an empty text, where a variable is not set or not exported";
const notQuoted = "take the quotes away that stand around it in the file or the variable";
const unset = (where: string): string => `set the variable that ${where} reads the secret from`;
const inForms = (name: "md5" | "sha1" | "sha256"): ReadonlyArray<Slip<Make>> => {
  const [words] = hashes[name];
  const change = `hash the secret itself, not its ${words}`;
  return [
    [`hashes the ${words} of the secret in hexadecimal`, ({ secret }) => hex(hashOf(name, secret)), change],
    [`hashes the ${words} of the secret in bytes`, ({ secret }) => hashOf(name, secret), change],
    [`hashes the ${words} of the secret in base64`, ({ secret }) => base64(hashOf(name, secret)), change],
  ];
};

/** What is hashed as the secret. The first row is right. */
export const secrets: ReadonlyArray<Slip<Make>> = [
  ["hashes the secret itself", ({ secret }) => secret],
  ["hashes an empty secret or none", () => "", notSet],
  ["hashes a line feed behind the secret", ({ secret }) => `${secret}\n`, trimmed],
  ["hashes a carriage return and line feed (Windows) behind the secret", (m) => `${m.secret}\r\n`, trimmed],
  ["hashes a space behind the secret", ({ secret }) => `${secret} `],
  ["hashes a space before the secret", ({ secret }) => ` ${secret}`],
  ["hashes the token as the secret", ({ token }) => token],
  ["hashes the username as the secret", ({ username }) => username],
  ["hashes double quotes around the secret", ({ secret }) => `"${secret}"`, notQuoted],
  ["hashes single quotes around the secret", ({ secret }) => `'${secret}'`, notQuoted],
  ["hashes the text undefined as the secret", () => "undefined", unset("process.env.NAME of Node.js")],
  ["hashes the text None as the secret", () => "None", unset("os.environ.get() of Python")],
  ["hashes the text null as the secret", () => "null", unset("the program (JavaScript, Java, a template)")],
  ...inForms("sha1"),
  ...inForms("md5"),
  ...inForms("sha256"),
  ["hashes the secret in lower case", ({ secret }) => bytesOf(textOf(secret).toLowerCase())],
  ["hashes the secret in upper case", ({ secret }) => bytesOf(textOf(secret).toUpperCase())],
  [
    "hashes the secret with an empty salt ({})",
    ({ secret }) => `${secret}{}`,
    "hash the secret itself: Symfony's encoders add {salt}",
  ],
  ["hashes the secret in base64", ({ secret }) => base64(secret)],
  ["hashes what the secret decodes to from base64", ({ secret }) => fromBase64(secret)],
  ["hashes the bytes of the secret (decoded from hexadecimal)", ({ secret }) => fromHex(secret)],
  ["hashes the secret URL-encoded", ({ secret }) => urlEncoded(textOf(secret))],
  [
    "hashes the secret in Latin-1 (not UTF-8)",
    ({ secret }) => Buffer.from(textOf(secret), "latin1").toString("latin1"),
    "hash its text in UTF-8: utf8_encode in PHP, .encode() in Python, Encoding.UTF8 in C#, StandardCharsets.UTF_8 in Java",
  ],
  ["hashes the secret as Python shows bytes (b'…')", ({ secret }) => `b'${secret}'`, decodeInPython],
];

const whole = "give the client the whole secret";
const quoteIt =
  "put the secret into single quotes in a shell or file: in double quotes or without any, some of its signs mean something else";
const variables = [
  ...["REFERRAL_SECRET", "$REFERRAL_SECRET", `\${REFERRAL_SECRET}`, "$env:REFERRAL_SECRET"],
  ...["%REFERRAL_SECRET%", "{{REFERRAL_SECRET}}", "process.env.REFERRAL_SECRET", "env.REFERRAL_SECRET"],
];
/** What logs and pages show in place of a secret, whose length some of them keep. */
export const masksOf: ReadonlyArray<Make> = [
  ...["[secret]", "[MASKED]", "[REDACTED]", "[FILTERED]", "<redacted>"].map((mask) => () => mask),
  ...["*", bytesOf("\u2022")].flatMap((sign): readonly Make[] => [
    ...[3, 4, 5, 6, 8, 10, 12, 16].map((length) => () => sign.repeat(length)),
    ({ secret }) => sign.repeat(textOf(secret).length),
  ]),
];
const htmlEscape = (sign: string): string =>
  ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? "&#39;";

/** Rarer slips in the secret, tried alone. */
export const rareSecrets: ReadonlyArray<Slip<Make>> = [
  ["hashes a carriage return (Windows) behind the secret", ({ secret }) => `${secret}\r`, trimmed],
  ["hashes spaces around the secret", ({ secret }) => ` ${secret} `],
  ["hashes the text false as the secret", () => "false", unset("the program")],
  ["hashes the text true as the secret", () => "true", unset("the program")],
  [
    "hashes the text NaN as the secret",
    () => "NaN",
    "use the secret as a text: the program makes a number of it",
  ],
  [
    "hashes the text [object Object] as the secret",
    () => "[object Object]",
    "use the text inside the object: JavaScript wrote the object itself as text",
  ],
  [
    "hashes the text Array as the secret",
    () => "Array",
    "use the text inside the list: PHP wrote the list as text",
  ],
  ["hashes the text (null) as the secret", () => "(null)", unset("the program (C, Objective-C, Swift)")],
  ["hashes the text NULL as the secret", () => "NULL", unset("the program or database")],
  ["hashes the text nil as the secret", () => "nil", unset("ENV of Ruby, or Go,")],
  ...variables.map(
    (text): Slip<Make> => [
      "hashes the name of the variable REFERRAL_SECRET as the secret",
      () => text,
      'read the variable: "$REFERRAL_SECRET" in double quotes in a shell, getenv("REFERRAL_SECRET") in PHP, os.environ["REFERRAL_SECRET"] in Python',
    ],
  ),
  ...["secret", "password", "changeme", "your-secret", "your_secret", "YOUR_SECRET", "SECRET"].map(
    (word): Slip<Make> => [
      "hashes a word of an example, such as password, as the secret",
      () => word,
      "set the secret of the account in the place of the example",
    ],
  ),
  ...masksOf.map(
    (make): Slip<Make> => [
      "hashes a mask such as *** as the secret",
      make,
      "copy the secret from where it is shown in full: a page or a log hides it",
    ],
  ),
  ...[..."$#&;%! \\'\"|=:@"].map(
    (sign): Slip<Make> => [
      "hashes the secret up to a sign in it, such as $, # or &",
      ({ secret }) => secret.slice(0, Math.max(0, secret.indexOf(sign))),
      quoteIt,
    ],
  ),
  [
    "hashes the secret as a shell changes it in double quotes ($ and the name behind it is gone)",
    ({ secret }) => secret.replace(/\$\w*/g, ""),
    quoteIt,
  ],
  ...[1, 2, 3].flatMap((count): ReadonlyArray<Slip<Make>> => {
    const words = count === 1 ? "character" : `${count} characters`;
    return [
      [`hashes the secret without its last ${words}`, ({ secret }) => secret.slice(0, -count), whole],
      [`hashes the secret without its first ${words}`, ({ secret }) => secret.slice(count), whole],
    ];
  }),
  ...[8, 10, 12, 16, 20, 24, 30, 32, 40, 50, 64].map(
    (size): Slip<Make> => [
      `hashes the first ${size} characters of the secret alone`,
      ({ secret }) => secret.slice(0, size),
      `${whole}: a column or a buffer may be too short`,
    ],
  ),
  ["hashes the secret without its backslashes", ({ secret }) => secret.replaceAll("\\", ""), quoteIt],
  ["hashes the secret with each of its backslashes twice", ({ secret }) => secret.replaceAll("\\", "\\\\")],
  [
    "hashes the secret with $ in place of $$",
    ({ secret }) => secret.replaceAll("$$", () => "$"),
    "write $$$$ in the file of Compose or make: they read $$ as $",
  ],
  ["hashes the secret with $$ in place of $", ({ secret }) => secret.replaceAll("$", () => "$$")],
  ["hashes the secret escaped for HTML", ({ secret }) => secret.replace(/[&<>"']/g, htmlEscape)],
  ["hashes what the secret decodes to from a URL", ({ secret }) => fromPercent(secret)],
  ["hashes the secret with spaces in place of +", ({ secret }) => secret.replaceAll("+", " ")],
  ["hashes the base64 of the secret and a line feed", ({ secret }) => base64(`${secret}\n`), trimmed],
  ...["\ufeff", "\u200b", "\u00a0"].flatMap((unseen): ReadonlyArray<Slip<Make>> => {
    const did = "hashes a character around the secret that nobody sees (byte order mark, no-break space)";
    const change =
      "save the file in UTF-8 without a byte order mark, and write the secret into it again, by hand at its ends";
    return [
      [did, ({ secret }) => bytesOf(unseen) + secret, change],
      [did, ({ secret }) => secret + bytesOf(unseen), change],
    ];
  }),
  ["hashes a tab behind the secret", ({ secret }) => `${secret}\t`],
  ...[",", ";"].map(
    (sign): Slip<Make> => ["hashes a comma or semicolon behind the secret", ({ secret }) => secret + sign],
  ),
  ["hashes a backslash and n behind the secret", ({ secret }) => `${secret}\\n`, trimmed],
  ...["REFERRAL_SECRET=", "SECRET=", "secret=", "secret: "].map(
    (name): Slip<Make> => [
      "hashes the name of the secret before it (as in NAME=…)",
      ({ secret }) => name + secret,
    ],
  ),
  ["hashes username, colon and secret as the secret", ({ secret, username }) => `${username}:${secret}`],
  ...(["md5", "sha1", "sha256"] as const).map(
    (name): Slip<Make> => [
      `hashes the ${hashes[name][0]} of the secret in upper-case hexadecimal`,
      ({ secret }) => hex(hashOf(name, secret)).toUpperCase(),
    ],
  ),
  ["hashes the SHA-512 of the secret in hexadecimal", ({ secret }) => hex(hashOf("sha512", secret))],
  ["hashes the SHA-512 of the secret in base64", ({ secret }) => base64(hashOf("sha512", secret))],
  ...(["sha1", "md5", "sha256", "sha512"] as const).map(
    (name): Slip<Make> => [
      `hashes the ${hashes[name][0]} of the secret with an empty salt ({})`,
      ({ secret }) => hex(hashOf(name, `${secret}{}`)),
      "hash the secret itself: Symfony's encoders hash it with {salt}",
    ],
  ),
  ["hashes the secret encoded in UTF-8 twice", ({ secret }) => bytesOf(secret)],
  ...(["NFC", "NFD"] as const).map(
    (form): Slip<Make> => [
      "hashes the secret in another form of Unicode",
      ({ secret }) => bytesOf(textOf(secret).normalize(form)),
    ],
  ),
];

/** What every convention expects of the secret. */
export const rightSecret: Right = [0, "the secret itself", "hash the secret itself, with nothing around it"];
