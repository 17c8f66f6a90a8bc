// The forms in which programs write a text. This one table serves every place: PasswordDigest, a token, a username and a whole header
// are read back by it, and what a client may hash is made by it. Each character of a text stands for a byte.

import { orNull } from "../errors.ts";
import { characterName } from "../wsse/characters.ts";

export const toBytes = (text: string): string => Buffer.from(text).toString("latin1");
const toText = (bytes: string): string => Buffer.from(bytes, "latin1").toString();
const encoded = (bytes: string, form: BufferEncoding): string => Buffer.from(bytes, "latin1").toString(form);
const decoded = (text: string, form: BufferEncoding): string => Buffer.from(text, form).toString("latin1");
const hex = (bytes: string): string => encoded(bytes, "hex");
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

const row = (
  words: string,
  write: Form["write"],
  seen: RegExp | null,
  read: Form["write"],
  change: string,
): Form => ({ words, write, read: (text) => (seen?.test(text) ? read(text) : null), change });

const lost = (text: string): string => text;
const notHex =
  "write bytes, not hexadecimal: `true` as the last argument of sha1 or hash in PHP, .digest(), not .hexdigest(), in Python, .digest() in Node.js, openssl dgst -binary in a shell, Convert.ToBase64String, not BitConverter, in C#";
const oneLine =
  "take the end of the line away: rtrim in PHP, .rstrip() in Python, .trim() in Node.js, printf '%s', not echo, and openssl base64 -A in a shell, encode_base64($hash, \"\") in Perl";
const inUtf8 =
  "hash its text in UTF-8: Encoding.UTF8, not Encoding.Unicode, in C# and PowerShell, StandardCharsets.UTF_8 in Java, VARCHAR, not NVARCHAR, in SQL Server";
const unquoted =
  "take the quotation marks away: from the file or the variable, or by .decode() where Python shows bytes (b'…')";
const sameCase = "leave its letters as they are";

/** Hexadecimal, the base64 of text and what they are made of: the forms that conventions of WSSE use. */
export const inBase64 = row(
  "in base64",
  (text) => encoded(text, "base64"),
  /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=|[A-Za-z\d+/]{4})$/,
  (text) => decoded(text, "base64"),
  "encode it in base64 no more than this server expects",
);
export const inHex = row("in hexadecimal", hex, /^(?:[\da-f]{2})+$/, (text) => decoded(text, "hex"), notHex);

/** All forms. The first `common` of them are tried together with a second deviation. */
export const forms: readonly Form[] = [
  inBase64,
  inHex,
  row(
    "with a line feed behind it",
    (text) => `${text}\n`,
    /\n$/,
    (text) => text.replace(/\r?\n$/, ""),
    oneLine,
  ),
  row("in lower case", (text) => toBytes(toText(text).toLowerCase()), null, lost, sameCase),
  row("in upper case", (text) => toBytes(toText(text).toUpperCase()), null, lost, sameCase),
  row("with a carriage return and line feed behind it", (text) => `${text}\r\n`, null, lost, oneLine),
  row(
    "in double quotes",
    (text) => `"${text}"`,
    /^b?".*"$/s,
    (text) => text.slice(text.indexOf('"') + 1, -1),
    unquoted,
  ),
  row(
    "URL-encoded",
    (text) => orNull(() => encodeURIComponent(toText(text))) ?? text,
    /%[\da-f]{2}/i,
    (text) => text.replace(/%([\da-f]{2})/gi, (_, code: string) => decoded(code, "hex")),
    "leave out urlencode or encodeURIComponent",
  ),
  row(
    "in single quotes",
    (text) => `'${text}'`,
    /^b?'.*'$/s,
    (text) => text.slice(text.indexOf("'") + 1, -1),
    unquoted,
  ),
  row(
    "with a space behind it",
    (text) => `${text} `,
    /^\s|\s$/,
    (text) => text.trim(),
    "take the white space around it away, with trim or strip",
  ),
  row(
    "in upper-case hexadecimal",
    (text) => hex(text).toUpperCase(),
    /^(?=.*[A-F])(?:[\dA-F]{2})+$/,
    (text) => decoded(text, "hex"),
    notHex,
  ),
  row(
    "in hexadecimal with dashes or colons",
    (text) =>
      hex(text)
        .toUpperCase()
        .replace(/..(?=.)/g, "$&-"),
    /^(?=[^\s]{16})[\da-f]{2,12}(?:[-: ][\da-f]{2,12})+$/i,
    (text) => decoded(text.replace(/[-: ]/g, ""), "hex"),
    notHex,
  ),
  row(
    "in hexadecimal without its leading zeros",
    (text) => hex(text).replace(/^0+/, ""),
    /^[1-9a-f][\da-f]{28,126}$/i,
    (text) =>
      decoded(text.padStart([32, 40, 56, 64, 96, 128].find((size) => size > text.length) ?? 0, "0"), "hex"),
    notHex,
  ),
  row(
    "in base64 without its padding (=)",
    (text) => encoded(text, "base64").replace(/={1,2}$/, ""),
    /^(?:[A-Za-z\d+/]{4})*[A-Za-z\d+/]{2,3}$/,
    (text) => decoded(text, "base64"),
    'keep the = at its end: base64.StdEncoding, not RawStdEncoding, in Go, encode_base64($hash, ""), not sha1_base64, in Perl',
  ),
  row(
    "in base64url",
    (text) => encoded(text, "base64url"),
    /^(?=.*[-_])[\w-]+={0,2}$/,
    (text) => decoded(text, "base64url"),
    'write + and /, not - and _: base64.StdEncoding in Go, b64encode in Python, "base64" in Node.js, Base64.getEncoder() in Java',
  ),
  row(
    "in several lines",
    inLines,
    /\S(?:[\r\n]|\\[rn]| )+\S/,
    (text) => text.replace(/\s|\\[rn]/g, ""),
    oneLine,
  ),
  row(
    "with \\n behind it",
    (text) => `${text}\\n`,
    /\\[nr]$/,
    (text) => text.replace(/(?:\\r)?\\[nr]$/, ""),
    oneLine,
  ),
  row(
    "escaped for HTML",
    (text) => text.replace(/[&<>"']/g, (sign) => htmlSigns[sign] ?? "&#39;"),
    /&(?:#\d|#x[\da-f]|[a-z]{2,6};)/i,
    fromHtml,
    "leave out htmlspecialchars, or the template that escapes",
  ),
  row(
    "with backslashes, as in JSON or code",
    (text) => text.replace(/["'\\/]/g, "\\$&"),
    /\\["'\\/u]/,
    (text) =>
      text
        .replace(/\\{1,3}u00([\da-f]{2})/gi, (_, code: string) => decoded(code, "hex"))
        .replace(/\\{1,3}(["'\\/])/g, "$1"),
    "send the text itself, not its form in JSON or a program",
  ),
  row(
    "with spaces in place of +",
    (text) => text.replaceAll("+", " "),
    / /,
    (text) => text.replaceAll(" ", "+"),
    "something decoded it as a part of a URL: send it as it is",
  ),
  row(
    "with a comma or semicolon behind it",
    (text) => `${text},`,
    /[,;]$/,
    (text) => text.slice(0, -1),
    "take it away",
  ),
  row(
    "twice, one behind the other",
    (text) => text + text,
    /^[^ ]/,
    once,
    "set it once: something appends it to a value that has it",
  ),
  row(
    "with other text around it",
    lost,
    /[^\w+/-]|^0x/,
    (text) => longestRun(text.replace(/^0x/, "")),
    "take away what stands around it, such as the name of the hash or of the file: openssl dgst -binary, not sha1sum, in a shell",
  ),
  row("in UTF-16", (text) => decoded(toText(text), "utf16le"), null, lost, inUtf8),
  row(
    "in UTF-16, with the high byte first",
    (text) => Buffer.from(toText(text), "utf16le").swap16().toString("latin1"),
    null,
    lost,
    inUtf8,
  ),
  row(
    "in Latin-1, not UTF-8",
    (text) => decoded(toText(text), "latin1"),
    null,
    lost,
    "hash its text in UTF-8: utf8_encode in PHP, .encode() in Python, StandardCharsets.UTF_8 in Java",
  ),
  row(
    "as text made of its bytes, in UTF-8",
    toBytes,
    /[\xc2\xc3][\x80-\xbf]/,
    (text) => decoded(toText(text), "latin1"),
    'keep bytes as bytes: digest("base64"), not digest("binary"), in Node.js',
  ),
];
/** So many of the first forms are tried together with a second deviation. */
export const common = 5;

/** One digit for small bytes cannot be read: where a byte begins is lost. */
export const oneDigit = row(
  "in hexadecimal with one digit for bytes below 16",
  (text) => [...Buffer.from(text, "latin1")].map((byte) => byte.toString(16)).join(""),
  null,
  lost,
  "write two digits for each byte: %02x",
);

/** Each printable character, and the usual ones that end a text. */
export const oneSign = [..."\n\t\0\r"].concat(
  Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
);

const codes = [
  ...Array(0x80).keys(),
  ...Array.from({ length: 0x3060 }, (_, at) => 0xa0 + at),
  ...Array.from({ length: 0x200 }, (_, at) => 0xfe00 + at),
];
/** Characters that a client may have before or behind a part: those, and all of the basic plane that nobody sees. */
export const signsAround = codes.flatMap((code) => {
  const sign = String.fromCharCode(code);
  if (!/[!-~\p{Z}\p{Cc}\p{Cf}\p{DI}]/u.test(sign)) return [];
  const name = `${characterName(sign)} (U+${code.toString(16).toUpperCase().padStart(4, "0")})`;
  const words = /[!-~]/.test(sign) ? `"${sign}"` : name;
  return [{ sign: toBytes(sign), words }];
});

const htmlSigns: Readonly<Record<string, string>> = { '"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const htmlNames: Readonly<Record<string, string>> = {
  quot: '"',
  amp: "&",
  apos: "'",
  lt: "<",
  gt: ">",
  equals: "=",
};
function fromHtml(text: string): string {
  return text
    .replace(/&(?:amp;)+/g, "&")
    .replace(/&(quot|amp|apos|lt|gt|equals);/g, (_, name: string) => htmlNames[name] ?? "")
    .replace(/&#(?:x([\da-f]{1,2})|(\d{1,3}));/gi, (_, inHex: string, code: string) =>
      String.fromCharCode(inHex ? Number.parseInt(inHex, 16) : Number(code)),
    );
}

/** A text that is there twice, once; the whole text if it is not. */
function once(text: string): string {
  const half = text.slice(0, text.length / 2).replace(/,$/, "");
  return ["", ",", ", "].some((between) => text === half + between + half) ? half : text;
}

/** The longest part of a text that may be base64 or hexadecimal. */
function longestRun(text: string): string {
  const runs = text.match(/[\w+/-]{16,}={0,2}/g) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}
