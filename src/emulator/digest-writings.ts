// The second table of slips in a PasswordDigest: how clients write the hash, what they do to that then, and what they send that is no
// hash. slips.ts has what they hash.

import type { ConventionName, HashName } from "../wsse/digest.ts";
import { fromHtml, fromPercent } from "./header-slips.ts";
import {
  base64,
  bytesOf,
  fromBase64,
  hashes,
  hashOf,
  hex,
  hexPairs,
  inLines,
  lineLengths,
  type Make,
  masksOf,
  numbersOf,
  type Slip,
  sizes,
  textChange,
  textOf,
} from "./slips.ts";

/** Hashes that people confuse with ours. Each has the size of one of ours. */
const relatives = [
  ...([
    ["sha3-256", "SHA3-256"],
    ["sha3-512", "SHA3-512"],
    ["sha512-256", "SHA-512/256"],
  ] as const),
  ...([
    ["ripemd160", "RIPEMD-160"],
    ["blake2b512", "BLAKE2b"],
    ["blake2s256", "BLAKE2s"],
  ] as const),
] as const;
const asItIs = "send base64 with its letters as they are, without lower or upper";
const twoDigits =
  'encode the bytes in base64; in hexadecimal each has two digits: .toString(16).padStart(2, "0")';
/** Hexadecimal in which small bytes have one digit; empty where a zero at its beginning alone would go. */
const oneDigit = (right: string): string => {
  const digits = numbersOf(fromBase64(right)).map((byte) => byte.toString(16));
  return digits.slice(1).some(({ length }) => length === 1) ? digits.join("") : "";
};
const signedHex = (byte: number): string => (byte > 127 ? "ffffff" : "") + byte.toString(16);
/** The slip of sending something of a form in place of PasswordDigest. */
const sendsForm = (words: string, seen: RegExp, change: string): Slip<Make> => [
  `sends ${words} as PasswordDigest`,
  ({ sent }) => (seen.test(sent) ? sent : null),
  change,
];

/**
 * What is sent as PasswordDigest that is no hash, or a hash that cannot be read back. It is compared as it was sent, before any search.
 */
export const noHashes: ReadonlyArray<Slip<Make>> = [
  ["sends the secret itself as PasswordDigest (PasswordText)", ({ secret }) => secret],
  ["sends the base64 of the secret as PasswordDigest", ({ secret }) => base64(secret)],
  ["sends the token as PasswordDigest", ({ token }) => token],
  ["sends the Nonce as PasswordDigest", ({ nonce }) => nonce],
  ["sends the text that it should hash", (m) => m.nonce + m.created + m.secret],
  ["sends the base64 of the text that it should hash", (m) => base64(m.nonce + m.created + m.secret)],
  ...relatives.map(
    ([name, words]): Slip<Make> => [
      `hashes with ${words}`,
      (m) => base64(hashOf(name, m.nonce + m.created + m.secret)),
      'hash with what --hash of this server names: hash("sha1", …) in PHP, hashlib.sha1 in Python and createHash("sha1") in Node.js are SHA-1',
    ],
  ),
  ["writes base64 in lower case", ({ right }) => right.toLowerCase(), asItIs],
  ["writes base64 in upper case", ({ right }) => right.toUpperCase(), asItIs],
  ...[oneDigit, (right: string) => base64(oneDigit(right))].map(
    (write): Slip<Make> => [
      "writes hexadecimal in which a byte below 16 has one digit",
      ({ right }) => write(right),
      twoDigits,
    ],
  ),
  [
    "writes hexadecimal of signed bytes, with ffffff before the half of them",
    ({ right }) => numbersOf(fromBase64(right)).map(signedHex).join(""),
    "encode the bytes in base64: Base64.getEncoder().encodeToString(hash) in Java",
  ],
  [
    "writes the hash as one number",
    ({ right }) => `${BigInt(`0x0${hex(fromBase64(right))}`)}`,
    "encode the bytes in base64: Base64.getEncoder().encodeToString(hash) in Java, without BigInteger",
  ],
  [
    "makes a text of the bytes of the hash, which loses most of them (U+FFFD)",
    ({ right }) => base64(bytesOf(textOf(fromBase64(right)))),
    'encode the bytes of the hash: digest("base64") in Node.js, Base64.getEncoder().encodeToString(hash) in Java, without new String or toString',
  ],
  [
    "sends a part of PasswordDigest",
    ({ right, sent }) => {
      const digits = hex(fromBase64(right));
      const isPart = (whole: string): boolean =>
        2 * sent.length >= whole.length && whole.replace(/.={0,2}$/, "").startsWith(sent);
      return [right, digits, base64(digits)].some(isPart) ? sent : null;
    },
    "send the whole: a column or a buffer may be too short",
  ],
  sendsForm(
    "a hash for storing passwords (bcrypt, Argon2, crypt)",
    /^\$(?:2[abxy]?|argon2\w*|[156y]|P)\$/,
    "hash with SHA-1 or what --hash says: sha1 or hash in PHP, not password_hash",
  ),
  sendsForm("a JWT", /^eyJ[\w-]+\.[\w-]+\./, `this API has none: ${textChange}`),
  sendsForm(
    "the name of an object (not its text)",
    /^(?:\[(?:B@|object )|System\.|Blob\[|<(?:Buffer|memory)\b|#<|<[^<>]* object |b'.*\\x|Array\b|HASH\(|Resource )/,
    "make a text in base64 of the bytes: Convert.ToBase64String(hash) in C#, Base64.getEncoder().encodeToString(hash) in Java, EncodingUtil.base64Encode(hash) in Apex, b64encode(….digest()).decode() in Python",
  ),
  sendsForm(
    "the word for an empty value",
    /^(?:undefined|null|None|nil|NaN|NULL|false|True|true|False|\(null\))$/,
    "make the hash before the header: the variable that should hold it has no value",
  ),
  ...masksOf.map(
    (make): Slip<Make> => [
      "sends a mask as PasswordDigest, as a log shows it",
      make,
      "send the header that the program made: a log hides the digest",
    ],
  ),
];
const padding =
  'keep the = at its end: Go base64.StdEncoding, not RawStdEncoding; Perl encode_base64($hash, ""), not sha1_base64';
const standard =
  'write + and /, not - and _: Go base64.StdEncoding, b64encode in Python, digest("base64") in Node.js, Base64.getEncoder() in Java';
const noEnd =
  "take the line end away before base64: sha1sum and openssl print one; printf '%s' or tr -d '\\n' in a shell, encode_base64($hash, \"\") in Perl";
const inShell = "openssl dgst -binary | openssl base64 -A in a shell";
const once = "encode it in base64 once";
const notEncoded =
  "put the base64 into the header as it is: without urlencode, encodeURIComponent or htmlspecialchars";
const convert = "Convert.ToBase64String(hash), not BitConverter.ToString, in C#";
const inDatabase =
  "encode the bytes in base64 in the database: encode(…, 'base64') in PostgreSQL, TO_BASE64(UNHEX(SHA1(…))) in MySQL, xs:base64Binary(…) of XML in SQL Server";
const noNumbers =
  'encode the bytes themselves: [Convert]::ToBase64String($hash) in PowerShell, Buffer.from(bytes).toString("base64") in Node.js, btoa(String.fromCharCode(...new Uint8Array(bytes))) in a browser, Base64.getEncoder() in Java';
/** The lists in which programs show bytes; Java has them from -128 to 127. */
const listsOf = (hash: string): readonly string[] => {
  const bytes = Buffer.from(hash, "latin1");
  return [[...bytes], [...new Int8Array(bytes)]].flatMap((numbers) =>
    [" ", ",", ", "].flatMap((sign) => [numbers.join(sign), `[${numbers.join(sign)}]`]),
  );
};
const inPairs = (hash: string, sign: string): string => inLines(hex(hash), 2, sign);

/** How a hash is written as PasswordDigest, in all texts that the slip can give. `rightWriting` says which row is right. */
export const writings: ReadonlyArray<Slip<(hash: string) => readonly string[]>> = [
  ["writes the hash in base64", (hash) => [base64(hash)]],
  ["writes the base64 of the hash in hexadecimal", (hash) => [base64(hex(hash))]],
  ["writes the base64 of the hash in upper-case hexadecimal", (hash) => [base64(hex(hash).toUpperCase())]],
  ["writes the hash in hexadecimal without base64", (hash) => [hex(hash)]],
  ["writes the hash in upper-case hexadecimal without base64", (hash) => [hex(hash).toUpperCase()]],
  [
    "writes the base64 of hexadecimal with a line end behind it",
    (hash) => [base64(`${hex(hash)}\n`), base64(`${hex(hash)}\r\n`)],
    `${inShell}, not sha1sum; elsewhere, ${noEnd}`,
  ],
  [
    "writes the base64 of the whole line that sha1sum or openssl prints",
    (hash) => printedBy(hash).flatMap((line) => [base64(line), base64(`${line}\n`)]),
    inShell,
  ],
  ["writes the whole line that sha1sum or openssl prints", (hash) => printedBy(hash), inShell],
  ["writes the base64 of the hash with a line end behind it", (hash) => [base64(`${hash}\n`)], noEnd],
  [
    "writes hexadecimal with 0x or \\x before it",
    (hash) => ["0x", "\\x"].flatMap((sign) => [`${sign}${hex(hash)}`, sign + hex(hash).toUpperCase()]),
    inDatabase,
  ],
  [
    "writes the base64 of hexadecimal with 0x or \\x before it",
    (hash) =>
      ["0x", "\\x"].flatMap((sign) => [base64(sign + hex(hash)), base64(sign + hex(hash).toUpperCase())]),
    inDatabase,
  ],
  ["writes the bytes of the hash as numbers", (hash) => listsOf(hash), noNumbers],
  [
    "writes the base64 of numbers, not of the bytes of the hash",
    (hash) => listsOf(hash).map((list) => base64(list)),
    noNumbers,
  ],
  ["writes the hexadecimal of base64", (hash) => [hex(base64(hash)), hex(base64(hash)).toUpperCase()], once],
  ["encodes base64 twice", (hash) => [base64(base64(hash)), base64(`${base64(hash)}\n`)], once],
  [
    "encodes hexadecimal in base64 twice",
    (hash) => [base64(base64(hex(hash))), base64(`${base64(hex(hash))}\n`)],
    once,
  ],
  [
    "writes hexadecimal with dashes or colons",
    (hash) => ["-", ":"].flatMap((sign) => [inPairs(hash, sign).toUpperCase(), inPairs(hash, sign)]),
    convert,
  ],
  [
    "writes the base64 of hexadecimal with dashes or colons",
    (hash) =>
      ["-", ":"].flatMap((sign) => [base64(inPairs(hash, sign).toUpperCase()), base64(inPairs(hash, sign))]),
    convert,
  ],
  [
    "writes hexadecimal without its leading zeros",
    (hash) => [hex(hash), hex(hash).toUpperCase()].map((text) => text.replace(/^0+/, "")),
    "write the bytes of the hash in base64: Base64.getEncoder(), not BigInteger, in Java",
  ],
  [
    "writes the base64 of the hash as UTF-8 text",
    (hash) => [base64(bytesOf(hash))],
    'encode the bytes of the hash, not a text of them: digest("base64"), not digest("binary"), in Node.js',
  ],
];

const inUrl = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_");

/** What happens to a PasswordDigest after it was written, such as another encoding. */
export const wrappings: ReadonlyArray<Slip<(hash: string) => readonly string[]>> = [
  ["writes base64 without padding (=)", (text) => [text.replace(/={1,2}$/, "")], padding],
  ["writes base64url", (text) => [inUrl(text), inUrl(text).replace(/={1,2}$/, "")], standard],
  [
    "writes base64 with a line end or white space around it",
    (text) => [
      ...["\\n", "\\r\\n", " ", "\t", "%0A", "%0D%0A"].map((end) => text + end),
      ` ${text}`,
      ...lineLengths.flatMap((columns) => [" ", "\\n", "\\r\\n"].map((end) => inLines(text, columns, end))),
    ],
    `leave the line ends out: openssl base64 -A, or base64 -w 0, in a shell, encode_base64($hash, "") in Perl, strict_encode64 in Ruby`,
  ],
  ["writes base64 that is URL-encoded", (text) => urlForms(text), notEncoded],
  [
    "writes base64 in which + became a space",
    (text) => [text.replaceAll("+", " ")],
    "put the base64 into the header as it is: something decoded it as a part of a URL or form",
  ],
  ["writes base64 that is escaped for HTML", (text) => htmlForms(text), notEncoded],
  [
    "writes base64 that is escaped for JSON",
    (text) => [text.replaceAll("/", "\\/")],
    "put the base64 into the header as it is, without json_encode",
  ],
  [
    "writes base64 as Python shows bytes (b'…')",
    (text) => [`b'${text}'`, `b'${text}\\n'`],
    "add .decode() behind b64encode(…) in Python",
  ],
  [
    "writes the name of a hash before it, such as {SHA} or sha1=",
    (text) =>
      ["", "1", "256", "384", "512"].flatMap((size) => [
        ...[`{SHA${size}}`, `sha${size}:`, `sha${size}=`, `sha${size}-`, `SHA${size}:`].map(
          (name) => name + text,
        ),
      ]),
    "leave the name out: PasswordDigest is the hash alone",
  ],
];

/** The lines that sha1sum, OpenSSL and its forks print for a hash. */
const printedBy = (hash: string): readonly string[] => [
  ...["  -", " *-", " *stdin"].map((end) => hex(hash) + end),
  ...["", "SHA1", "SHA2-256", "SHA256", "SHA2-512", "SHA512", "MD5"].map(
    (name) => `${name}(stdin)= ${hex(hash)}`,
  ),
];

const urlForms = (text: string): readonly string[] => {
  const encoded = encodeURIComponent(text);
  const lower = encoded.replace(/%../g, (one) => one.toLowerCase());
  return [encoded, lower, text.replaceAll("=", "%3D"), text.replaceAll("+", "%2B")];
};
const htmlForms = (text: string): readonly string[] =>
  ["&#x3D;", "&#x3d;", "&#61;", "&equals;"].flatMap((equals) => [
    text.replaceAll("=", equals),
    text.replaceAll("=", equals).replaceAll("+", equals.startsWith("&#x") ? "&#x2B;" : "&#43;"),
  ]);

// A hash or its writing, and what a program put behind it. Trailing white space of a header never arrives.
const trailing = /^([^\s%\\]+)(?: [ *](?:-|stdin))?(?:\s|\\[nr]|%0[ad])*$/i;

/** The steps back from a PasswordDigest to the bytes of its hash. Each gives the texts from which its text may have been made. */
export const undoings: ReadonlyArray<(text: string) => readonly string[]> = [
  (text) => [/^b'(.*)'$/s.exec(text)?.[1] ?? "", /= ?([\da-f]+)\s*$/i.exec(text)?.[1] ?? ""],
  (text) => [
    trailing.exec(text)?.[1] ?? "",
    text.replace(/\r?\n$/, ""),
    text.replace(/ /g, "+"),
    text.replaceAll("\\/", "/"),
    text.replace(/^(?:0x|\\x|\{SHA\d*\}|sha\d*[:=-])/i, ""),
  ],
  (text) => [text.replace(/\\[nr]|\s/g, "")],
  (text) => [fromPercent(text), fromHtml(text)],
  // What is hexadecimal as a whole is no base64.
  (text) =>
    /^[\w+/-]+=*$/.test(text) && !hexPairs.test(text) ? [Buffer.from(text, "base64").toString("latin1")] : [],
  (text) =>
    /^\[?-?\d{1,3}(?:[, ] ?-?\d{1,3}){15,63}\]?$/.test(text)
      ? [Buffer.from((text.match(/-?\d+/g) ?? []).map(Number)).toString("latin1")]
      : [],
  (text) => (/^[\w+/-]+=*$/.test(text) ? [Buffer.from(text, "base64").toString("utf8")] : []),
  (text) => {
    const digits = text.replace(/[-:]/g, "");
    if (!/^[\da-f]{28,128}$/i.test(digits)) return [];
    const { size = 0 } = sizes.find((one) => one.size * 2 >= digits.length) ?? {};
    return [Buffer.from(digits.padStart(2 * size, "0"), "hex").toString("latin1")];
  },
];

/** The index of the row of `writings` that each convention expects. */
export const rightWriting: Readonly<Record<ConventionName, number>> = {
  ...{ "text-nonce": 0, "base64-nonce": 0, "decoded-nonce": 0, "hex-digest": 1 },
};

/** What the server expects, by the index in `rightWriting`. */
export const rightWritings: readonly string[] = [
  "base64 of the hash",
  "base64 of its hexadecimal in lower case",
];

/** What to do about a digest that no slip gives. */
export const unknownChange =
  "make Nonce and Created once for each request, and put the same texts into the hash and into the header; compare the secret with the emulator's";

/** How to write the hash, by the index in `rightWriting`. */
export const writingChanges: ReadonlyArray<(hash: HashName) => string> = [
  (hash) =>
    `write the bytes of the hash in base64: pass \`true\` as the ${hash === "sha1" ? "second argument of sha1" : "third argument of hash"} in PHP; .digest(), not .hexdigest(), in Python; .digest("base64") in Node.js; Convert.ToBase64String(hash) in C#; Base64.getEncoder().encodeToString(hash) in Java; openssl dgst -binary | openssl base64 -A in a shell`,
  (hash) =>
    `write the lower-case hexadecimal of the hash in base64: base64_encode(${hash === "sha1" ? "sha1($text)" : `hash('${hash}', $text)`}) in PHP, without \`true\`; .hexdigest() in Python and .digest("hex") in Node.js, then base64; openssl dgst -r | cut -d ' ' -f 1 | tr -d '\\n' | openssl base64 -A in a shell`,
];

/** How to hash with the hash that the server expects; `writing` is the index in `rightWriting`. */
export function hashChange(hash: HashName, writing: number): string {
  const more = writing === 0 ? ", true" : "";
  const php = hash === "sha1" ? `sha1($text${more})` : `hash('${hash}', $text${more})`;
  return `hash with ${hashes[hash][0]}: ${php} in PHP, hashlib.${hash} in Python, createHash("${hash}") in Node.js, ${hash.toUpperCase()}.HashData(bytes) in C#, MessageDigest.getInstance("${hashes[hash][0]}") in Java, openssl dgst -${hash} in a shell`;
}
