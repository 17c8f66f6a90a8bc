// The forms in which programs write a text. This one table serves every place: PasswordDigest, a token, a username and a whole header
// are read back by it, and what a client may hash is made by it. Each character of a text stands for a byte.

import * as crypto from "node:crypto";
import { orNull } from "../errors.ts";
import { backslashes, percent, references } from "../redaction/decode.ts";
import { characterName } from "../wsse/characters.ts";

export const toBytes = (text: string): string => Buffer.from(text).toString("latin1");
const toText = (bytes: string): string => Buffer.from(bytes, "latin1").toString();
const encoded = (bytes: string, form: BufferEncoding): string => Buffer.from(bytes, "latin1").toString(form);
const decoded = (text: string, form: BufferEncoding): string => Buffer.from(text, form).toString("latin1");
const inLines = (text: string): string => text.replace(/.{64}(?=.)/gs, "$&\n");
export const hexadecimal = /^(?:[\da-f]{2})+$/i;

/** A way to write a text. */
export interface Form {
  /** They stand behind what is written so: "in base64". */
  readonly words: string;
  readonly write: (text: string) => string;
  /** What was written so; null if a text is not in this form. A form that loses something cannot be read. */
  readonly read: (text: string) => string | null;
  /** How to leave it out, in the languages where it happens. */
  readonly change: string;
}

type Write = Form["write"];
/** A form that is read back by `read` where `seen` matches, and never without `seen`. */
const row = (words: string, change: string, write: Write, seen?: RegExp, read: Write = write): Form => ({
  ...{ words, change, write },
  read: (text) => (seen?.test(text) ? read(text) : null),
});
const behind = (name: string, sign: string, seen: RegExp, change: string): Form =>
  row(
    `with ${name} behind it`,
    change,
    (text) => text + sign,
    seen,
    (text) => text.replace(seen, ""),
  );
/** A text between two of these signs. Python's b'…' is read back too. */
const inQuotes = (name: string, sign: string, seen: RegExp): Form =>
  row(`in ${name} quotes`, changes.unquoted, (text) => sign + text + sign, seen, inside);

/** What to change, in at most one line for each operation: in the languages that met it. */
const changes = {
  base64Once: "encode it in base64 no more than this server expects",
  bytes:
    "write bytes, not hexadecimal: `true` as the last argument of sha1 or hash in PHP, .digest(), not .hexdigest(), in Python, .digest() in Node.js, openssl dgst -binary in a shell, Convert.ToBase64String, not BitConverter, in C#",
  oneLine:
    "take the end of the line away: rtrim in PHP, .rstrip() in Python, .trim() in Node.js, printf '%s', not echo, and openssl base64 -A in a shell, encode_base64($hash, \"\") in Perl",
  utf8: "hash its text in UTF-8: utf8_encode in PHP, .encode() in Python, StandardCharsets.UTF_8 in Java, Encoding.UTF8, not Encoding.Unicode, in C#, VARCHAR, not NVARCHAR, in SQL Server",
  unquoted:
    "take the quotation marks away: from the file or the variable, or by .decode() where Python shows bytes (b'…')",
  sameCase: "leave its letters as they are",
  padded:
    'keep the = at its end: base64.StdEncoding, not RawStdEncoding, in Go, encode_base64($hash, ""), not sha1_base64, in Perl',
  base64:
    'write + and /, not - and _: base64.StdEncoding in Go, b64encode in Python, "base64" in Node.js, Base64.getEncoder() in Java',
  trimmed: "take the white space around it away",
  noUrl: "leave out urlencode or encodeURIComponent",
  noHtml: "leave out htmlspecialchars, or the template that escapes",
  noCode: "send the text itself, not its form in JSON or a program",
  plus: "something decoded it as a part of a URL: send it as it is",
  once: "set it once: something appends it to a value that has it",
  alone:
    "take away what stands before or behind it, such as a scheme, or the name of the hash or of a file (openssl dgst -binary, not sha1sum, in a shell)",
  twoDigits: "write two digits for each byte: %02x",
  notText: 'keep bytes as bytes: digest("base64"), not digest("binary"), in Node.js',
} as const;

const asBase64: Write = (text) => encoded(text, "base64");
const asHex: Write = (text) => encoded(text, "hex");
const asUpperHex: Write = (text) => asHex(text).toUpperCase();
const asGroups: Write = (text) => asUpperHex(text).replace(/..(?=.)/g, "$&-");
const asBase64url: Write = (text) => encoded(text, "base64url");
const asUnpadded: Write = (text) => asBase64(text).replace(/={1,2}$/, "");
const asShortHex: Write = (text) => asHex(text).replace(/^0+/, "");
const asCode: Write = (text) => text.replace(/["'\\/]/g, "\\$&");
const asSpaces: Write = (text) => text.replaceAll("+", " ");
const asUrl: Write = (text) => orNull(() => encodeURIComponent(toText(text))) ?? text;
const htmlSigns: Readonly<Record<string, string>> = { '"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const asHtml: Write = (text) => text.replace(/[&<>"']/g, (sign) => htmlSigns[sign] ?? "&#39;");
const asUtf16: Write = (text) => decoded(toText(text), "utf16le");
const swapped: Write = (text) => Buffer.from(asUtf16(text), "latin1").swap16().toString("latin1");
const asLatin1: Write = (text) => decoded(toText(text), "latin1");
const fromHex: Write = (text) => decoded(text.replace(/[-: ]/g, ""), "hex");
const hexSizes = [32, 40, 56, 64, 96, 128];
const fromShortHex: Write = (text) =>
  fromHex(text.padStart(hexSizes.find((size) => size >= text.length) ?? 0, "0"));
const fromSpaces: Write = (text) => text.replaceAll(" ", "+");
const fromBase64: Write = (text) => decoded(text, "base64");
const inside: Write = (text) => text.slice(text.search(/["']/) + 1, -1);
const inOneLine: Write = (text) => text.replace(/\s|\\[rn]/g, "");
const withoutZeros: Write = (text) => text.replaceAll("\0", "");
/** A text that is there twice, once; the whole text if it is not. */
function once(text: string): string {
  const half = text.slice(0, text.length / 2).replace(/,$/, "");
  return ["", ",", ", "].some((between) => text === half + between + half) ? half : text;
}
/** The longest part of a text that may be base64 or hexadecimal. */
function longestRun(text: string): string {
  const runs = text.replace(/^0x/, "").match(/[\w+/-]{16,}={0,2}/g) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}

const groups = /^(?=\S{16})[\da-f]{2,12}(?:[-: ][\da-f]{2,12})+$/i;
const shortHex = /^[1-9a-f][\da-f]{28,126}$/i;
const unpadded = /^(?!(?:.{4})*.?$)[A-Za-z\d+/]+$/;

/** The forms that conventions of WSSE use. */
const padded = /^(?=(?:.{4})+$)[A-Za-z\d+/]+={0,2}$/;
export const inBase64 = row("in base64", changes.base64Once, asBase64, padded, fromBase64);
export const inHex = row("in hexadecimal", changes.bytes, asHex, /^(?:[\da-f]{2})+$/, fromHex);
const upper = "in upper-case hexadecimal";
const inUpperHex = row(upper, changes.bytes, asUpperHex, /^(?=.*[A-F])(?:[\dA-F]{2})+$/, fromHex);

/** The forms that are tried together with a second deviation. */
export const commonForms: readonly Form[] = [
  inBase64,
  inHex,
  behind("a line feed", "\n", /\r?\n$/, changes.oneLine),
];
/** All forms that can be read back or are often met. */
export const forms: readonly Form[] = [
  ...commonForms,
  row("in lower case", changes.sameCase, (text) => toBytes(toText(text).toLowerCase())),
  row("in upper case", changes.sameCase, (text) => toBytes(toText(text).toUpperCase())),
  behind("a carriage return and line feed", "\r\n", /\r\n$/, changes.oneLine),
  inQuotes("double", '"', /^b?".*"$/s),
  inQuotes("single", "'", /^b?'.*'$/s),
  row("URL-encoded", changes.noUrl, asUrl, /%[\da-f]{2}/i, percent),
  row(
    "with a space behind it",
    changes.trimmed,
    (text) => `${text} `,
    /^\s|\s$/,
    (text) => text.trim(),
  ),
  inUpperHex,
  row("in hexadecimal with dashes or colons", changes.bytes, asGroups, groups, fromHex),
  row("in hexadecimal without its leading zeros", changes.bytes, asShortHex, shortHex, fromShortHex),
  row("in base64 without its padding (=)", changes.padded, asUnpadded, unpadded, fromBase64),
  row("in base64url", changes.base64, asBase64url, /^(?=.*[-_])[\w-]+={0,2}$/, fromBase64),
  row("in several lines", changes.oneLine, inLines, /\S(?:[\r\n]|\\[rn]| )+\S/, inOneLine),
  behind("\\n", "\\n", /(?:\\r)?\\[nr]$/, changes.oneLine),
  row("escaped for HTML", changes.noHtml, asHtml, /&(?:#\d|#x[\da-f]|[a-z]{2,4};)/i, references),
  row("with backslashes, as in JSON or code", changes.noCode, asCode, /\\["'\\/u]/, backslashes),
  row("with spaces in place of +", changes.plus, asSpaces, /^(?=.* )[ -~]+$/, fromSpaces),
  behind("a comma or semicolon", ",", /[,;]$/, "take it away"),
  row("twice, one behind the other", changes.once, (text) => text + text, /^[^ ]/, once),
  row("with other text around it", changes.alone, (text) => text, /[^\w+/-]|^0x/, longestRun),
  row("in UTF-16", changes.utf8, asUtf16, /^(?:[ -~]\0)+$/, withoutZeros),
  row("in UTF-16, with the high byte first", changes.utf8, swapped, /^(?:\0[ -~])+$/, withoutZeros),
  row("in Latin-1, not UTF-8", changes.utf8, asLatin1),
  row("as text made of its bytes, in UTF-8", changes.notText, toBytes, /[\xc2\xc3][\x80-\xbf]/, asLatin1),
];

/** The usual name of each hash, and its size in bytes: the size of a digest tells which hash made it. */
export const hashes = {
  ...{ sha1: ["SHA-1", 20], sha256: ["SHA-256", 32], sha512: ["SHA-512", 64] },
  ...{ md5: ["MD5", 16], sha224: ["SHA-224", 28], sha384: ["SHA-384", 48] },
} as const satisfies Readonly<Record<string, readonly [words: string, size: number]>>;
export type Hash = keyof typeof hashes;

// It is missing before Node 20.12.
const oneShot: typeof crypto.hash =
  crypto.hash ??
  ((name: string, data: string | Buffer) => crypto.createHash(name).update(data).digest("binary"));
const offered = new Set(crypto.getHashes());

/** A hash in bytes; empty if this OpenSSL does not offer it. */
export function hashOf(name: Hash, bytes: string): string {
  // A text of ASCII, which UTF-8 does not make longer, is hashed without a copy.
  const data = Buffer.byteLength(bytes) === bytes.length ? bytes : Buffer.from(bytes, "latin1");
  return offered.has(name) ? oneShot(name, data, "binary") : "";
}

const inBytes = row("in bytes", "", (text) => text);
/** A text as a hash of it, in each writing. */
const hashForms = [inHex, inBytes, inBase64, inUpperHex].flatMap((form) =>
  (["md5", "sha1", "sha256", "sha512"] as const).map((name) =>
    row(`as its ${hashes[name][0]} ${form.words}`, "hash once, and nothing but the text", (text) =>
      form.write(hashOf(name, text)),
    ),
  ),
);
/** What a client can make of a text before it hashes it. */
export const madeForms: readonly Form[] = [...forms, ...hashForms];
/** The forms of a secret that are tried together with a second deviation. The four hashes are those in hexadecimal. */
export const commonOfSecret: readonly Form[] = [...commonForms, ...hashForms.slice(0, 4)];

/** One digit for small bytes cannot be read: where a byte begins is lost. */
const asDigits: Write = (text) => [...Buffer.from(text, "latin1")].map((byte) => byte.toString(16)).join("");
export const oneDigit = row("in hexadecimal with one digit for bytes below 16", changes.twoDigits, asDigits);

/** Each printable character, and the usual ones that end a text. */
export const oneSign = [..."\n\t\0\r"].concat(
  Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
);

const codePoints = [
  ...Array(0x80).keys(),
  ...Array.from({ length: 0x3060 }, (_, at) => 0xa0 + at),
  ...Array.from({ length: 0x200 }, (_, at) => 0xfe00 + at),
];
/** Characters that a client may have before or behind a part: those, and all of the basic plane that nobody sees. */
export const signsAround = codePoints.flatMap((code) => {
  const sign = String.fromCharCode(code);
  if (!/[\0\t\n\r!-~\p{Z}\p{Cf}\p{DI}]/u.test(sign)) return [];
  const name = `${characterName(sign)} (U+${code.toString(16).toUpperCase().padStart(4, "0")})`;
  const isRare = !/[\0\t\n\r -~\xa0\xad\u200b\ufeff]/.test(sign);
  return [{ sign: toBytes(sign), words: /[!-~]/.test(sign) ? `"${sign}"` : name, isRare }];
});
