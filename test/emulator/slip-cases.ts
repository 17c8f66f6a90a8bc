import { createHash, createHmac } from "node:crypto";
import type { EmulatorAccount } from "../../src/emulator/accounts.ts";
import { credentials } from "./support.ts";

const { secret, token, username } = credentials;
const nonce = "00ff10203040506070809010a0b0c0d0e0f00162";
const created = "2026-11-21T03:31:00+00:00";
const bytes = Buffer.from(nonce, "hex");
const inBase64 = bytes.toString("base64");

/** A header with a slip, how the server differs from that of these tests, and an account for which the same header is right, if one can be. */
export interface SlipCase {
  readonly passwordDigest: string;
  readonly nonce?: string;
  readonly created?: string;
  readonly rules?: Partial<EmulatorAccount>;
  readonly control?: Partial<EmulatorAccount>;
}

type Piece = string | Buffer;
const raw = (hash: string, ...pieces: readonly Piece[]): Buffer =>
  createHash(hash)
    .update(Buffer.concat(pieces.map((one) => Buffer.from(one as string))))
    .digest();
const sha1 = (...pieces: readonly Piece[]): string => raw("sha1", ...pieces).toString("base64");
const base64 = (text: Piece): string => Buffer.from(text as string).toString("base64");
const hex = (hash: string, ...pieces: readonly Piece[]): string => raw(hash, ...pieces).toString("hex");
// With this Nonce, the base64 of the digest has both + and /, and its hexadecimal begins with 0.
const right = raw("sha1", nonce, created, secret);
const rightHex = right.toString("hex");
const upper = rightHex.toUpperCase();
const dashed = (upper.match(/../g) ?? []).join("-");

const is = (passwordDigest: string, more: Partial<SlipCase> = {}): SlipCase => ({ passwordDigest, ...more });
const signed = (other: Piece): SlipCase => is(sha1(nonce, created, other));
/** A slip in the secret, which is right for an account that has such a secret. */
const secretly = (other: string): SlipCase => ({ ...signed(other), control: { secret: other } });
const writtenAs = (passwordDigest: string): SlipCase => is(passwordDigest);
const withNonce = (hashed: Piece, more: Partial<SlipCase> = {}): SlipCase =>
  is(sha1(hashed, created, secret), more);
const withTime = (hashed: string, sent = created): SlipCase =>
  is(sha1(nonce, hashed, secret), { created: sent });
const byteNonce = { digest: "base64-nonce" } as const;
const hexDigest = { digest: "hex-digest" } as const;
const both = (passwordDigest: string, digest = "text-nonce" as const): SlipCase =>
  is(passwordDigest, { rules: { digest } });
const long = base64(Buffer.alloc(128, 7));
const block = base64(Buffer.alloc(48, 7));
const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");
const titled = (
  values: readonly string[],
  make: (value: string) => readonly [title: string, one: SlipCase],
): Readonly<Record<string, SlipCase>> => Object.fromEntries(values.map(make));
/** With this Nonce, the hash has a byte below 16 that is not its first. */
const oneDigit = (write: (digits: readonly string[]) => string): SlipCase => {
  const own = "9";
  const digits = [...raw("sha1", own, created, secret)].map((byte) => byte.toString(16));
  return is(write(digits), { nonce: own });
};

/** One slip each, by dimension. */
export const singles: Readonly<Record<string, SlipCase>> = {
  "hash: SHA-256": is(raw("sha256", nonce, created, secret).toString("base64"), {
    control: { hash: "sha256" },
  }),
  "hash: SHA-512": is(raw("sha512", nonce, created, secret).toString("base64"), {
    control: { hash: "sha512" },
  }),
  "hash: MD5": is(raw("md5", nonce, created, secret).toString("base64")),
  "hash: SHA-224": is(raw("sha224", nonce, created, secret).toString("base64")),
  "hash: SHA-384": is(raw("sha384", nonce, created, secret).toString("base64")),
  "hash: SHA-1 for SHA-256": is(sha1(nonce, created, secret), { rules: { hash: "sha256" }, control: {} }),
  "text: Created, Nonce, secret": is(sha1(created, nonce, secret)),
  "text: secret, Nonce, Created": is(sha1(secret, nonce, created)),
  "text: Nonce, secret, Created": is(sha1(nonce, secret, created)),
  "text: secret, Created, Nonce": is(sha1(secret, created, nonce)),
  "text: Created, secret, Nonce": is(sha1(created, secret, nonce)),
  "text: without the Nonce": is(sha1(created, secret)),
  "text: without Created": is(sha1(nonce, secret)),
  "text: the secret alone": is(sha1(secret)),
  "text: the Nonce twice": is(sha1(nonce, nonce, created, secret)),
  "text: Created twice": is(sha1(nonce, created, created, secret)),
  "text: the secret twice": is(sha1(nonce, created, secret, secret)),
  "text: the username too": is(sha1(nonce, created, username, secret)),
  "text: the username first": is(sha1(username, nonce, created, secret)),
  "text: the username last": is(sha1(nonce, created, secret, username)),
  "text: the username behind the Nonce": is(sha1(nonce, username, created, secret)),
  "text: spaces between": is(sha1([nonce, created, secret].join(" "))),
  "text: commas between": is(sha1([nonce, created, secret].join(","))),
  "text: colons between": is(sha1([nonce, created, secret].join(":"))),
  "text: line ends between": is(sha1([nonce, created, secret].join("\n"))),
  "text: HMAC with the secret": is(
    createHmac("sha1", secret)
      .update(nonce + created)
      .digest("base64"),
  ),
  "text: HMAC of all": is(
    createHmac("sha1", secret)
      .update(nonce + created + secret)
      .digest("base64"),
  ),
  "text: HMAC with the Nonce": is(
    createHmac("sha1", nonce)
      .update(created + secret)
      .digest("base64"),
  ),
  "text: HMAC with a Nonce that is longer than a block": is(
    createHmac("sha1", long)
      .update(created + secret)
      .digest("base64"),
    { nonce: long },
  ),
  "text: the hash again, of its hexadecimal": is(sha1(rightHex)),
  "text: the hash again, of its bytes": is(sha1(right)),
  "text: the hash again, of its base64": is(sha1(right.toString("base64"))),
  "text: HMAC with a Nonce of a block": is(
    createHmac("sha1", block)
      .update(created + secret)
      .digest("base64"),
    { nonce: block },
  ),
  "text: HMAC of the secret": is(
    createHmac("sha1", nonce + created)
      .update(secret)
      .digest("base64"),
  ),
  "text: Created alone": is(sha1(created)),
  "text: the Nonce alone": is(sha1(nonce)),
  ...titled(["|", "-", "_", ";", "&", ".", "+", "/", "\t", "\0", ", ", " + "], (sign) => [
    `text: ${JSON.stringify(sign)} between`,
    is(sha1([nonce, created, secret].join(sign))),
  ]),
  ...titled(['["","",""]', '["", "", ""]', "['', '', '']", "('', '', '')"], (list) => [
    `text: a list such as ${list}`,
    is(sha1([nonce, created, secret].reduce((text, part) => text.replace(/(["'])\1/, `$1${part}$1`), list))),
  ]),
  "text: double quotes around it": is(sha1(`"${nonce}${created}${secret}"`)),
  "text: a NUL behind it": is(sha1(nonce, created, secret, "\0")),
  "text: in base64": is(sha1(base64(nonce + created + secret))),
  "text: in lower case": { ...is(sha1(`${nonce}${created.toLowerCase()}abc`)), rules: { secret: "ABC" } },
  "text: empty": is(sha1("")),
  ...titled(
    [
      ...["$nonce$created$secret", "$nonce.$created.$secret", "nonce.created.secret", "nonce+created+secret"],
      ...["noncecreatedsecret", "nonce + created + secret", "{nonce}{created}{secret}", "%s%s%s"],
      ...[`\${nonce}\${created}\${secret}`, "{{nonce}}{{created}}{{secret}}"],
      ...["undefined", "null", "None"].map((word) => word.repeat(3)),
    ],
    (text) => [`text: ${text}`, is(sha1(text))],
  ),
  "text: UTF-16, of the other order of bytes": is(sha1(utf16(nonce + created + secret).swap16())),
  "text: UTF-16 of Java": is(sha1(utf16(`\ufeff${nonce}${created}${secret}`).swap16())),
  "text: UTF-16 of Python": is(sha1(utf16(`\ufeff${nonce}${created}${secret}`))),
  "text: UTF-32": is(sha1([...(nonce + created + secret)].map((one) => `${one}\0\0\0`).join(""))),
  "text: UTF-16": is(sha1(Buffer.from(nonce + created + secret, "utf16le"))),
  "nonce: decoded from base64": withNonce(Buffer.from(nonce, "base64"), {
    control: { digest: "decoded-nonce" },
  }),
  "nonce: decoded from hexadecimal": withNonce(bytes),
  "nonce: base64 hashed, hexadecimal sent": withNonce(inBase64),
  "nonce: hexadecimal hashed, base64 sent": withNonce(nonce, { nonce: inBase64 }),
  "nonce: bytes hashed, base64 sent": withNonce(bytes, { nonce: inBase64, control: byteNonce }),
  "nonce: base64 hashed and sent, bytes expected": withNonce(inBase64, {
    nonce: inBase64,
    rules: byteNonce,
    control: {},
  }),
  "nonce: hexadecimal hashed, its base64 sent, twice decoded": withNonce(bytes, { nonce: base64(nonce) }),
  "nonce: hexadecimal hashed, its base64 sent": withNonce(nonce, {
    nonce: base64(nonce),
    control: byteNonce,
  }),
  "nonce: upper case hashed": withNonce(nonce.toUpperCase()),
  "nonce: lower case hashed": withNonce(nonce, { nonce: nonce.toUpperCase() }),
  "nonce: once more in base64": withNonce(base64(nonce)),
  "nonce: a line feed behind it": withNonce(`${nonce}\n`),
  "nonce: CR LF behind it": withNonce(`${nonce}\r\n`),
  "nonce: a line feed behind what is sent in base64": withNonce(`${nonce}\n`, { nonce: base64(nonce) }),
  "nonce: 64 columns": withNonce(`${long.replace(/.{64}/g, "$&\n")}\n`, { nonce: long }),
  "nonce: bytes as text, base64 sent": withNonce(bytes.toString("latin1"), { nonce: inBase64 }),
  "nonce: bytes as text, hexadecimal sent": withNonce(bytes.toString("latin1")),
  "nonce: bytes as text of UTF-8, base64 sent": withNonce(bytes.toString("utf8"), { nonce: inBase64 }),
  "nonce: bytes as text of UTF-8, hexadecimal sent": withNonce(bytes.toString("utf8")),
  "nonce: without dashes": withNonce("0f8fad5bd9cb469fa165", { nonce: "0f8fad5b-d9cb-469f-a165" }),
  ...titled(["6ba7b8109dad11d180b400c04fd430c8", "10b8a76bad9dd11180b400c04fd430c8"], (hashed) => [
    `nonce: the bytes of its UUID, ${hashed.slice(0, 2)} first`,
    withNonce(Buffer.from(hashed, "hex"), { nonce: "6ba7b810-9dad-11d1-80b4-00c04fd430c8" }),
  ]),
  "nonce: in braces": withNonce(`{${nonce}}`),
  "nonce: sent URL-encoded": withNonce(inBase64, { nonce: encodeURIComponent(inBase64) }),
  "nonce: sent URL-encoded, its bytes hashed": withNonce(bytes, { nonce: encodeURIComponent(inBase64) }),
  "nonce: sent escaped for HTML": withNonce(inBase64, { nonce: inBase64.replace("=", "&#x3D;") }),
  "nonce: sent with a space for +": withNonce("ab+cd", { nonce: "ab cd" }),
  "nonce: sent in base64url": withNonce("ab+c/w==", { nonce: "ab-c_w" }),
  "nonce: sent without its padding": withNonce(inBase64, { nonce: inBase64.replace("=", "") }),
  "nonce: sent as b'…' of Python": withNonce(nonce, { nonce: `b'${nonce}'` }),
  ...titled([",", ", "], (sign) => [
    `nonce: as numbers, with ${JSON.stringify(sign)} between`,
    withNonce([...bytes].join(sign)),
  ]),
  "nonce: once more in hexadecimal": withNonce(Buffer.from(nonce).toString("hex")),
  "nonce: its base64 sent in base64, twice decoded": withNonce(bytes, { nonce: base64(inBase64) }),
  "nonce: base64url hashed": withNonce("ab-c_w", { nonce: "ab+c/w==" }),
  "nonce: URL-encoded": withNonce(encodeURIComponent(inBase64), { nonce: inBase64 }),
  "nonce: as numbers, base64 sent": withNonce([...bytes].join(" "), { nonce: inBase64 }),
  ...titled(["md5", "sha1", "sha256"], (name) => [
    `nonce: its ${name} in hexadecimal`,
    withNonce(hex(name, nonce)),
  ]),
  ...titled(["undefined", "null", "None", "[object Object]"], (word) => [`nonce: ${word}`, withNonce(word)]),
  "nonce: double quotes": withNonce(`"${nonce}"`),
  "nonce: 76 columns": withNonce(`${long.replace(/.{76}/g, "$&\n")}\n`, { nonce: long }),
  "nonce: without padding": withNonce(inBase64.replace("=", ""), { nonce: inBase64 }),
  "nonce: b'…' of Python": withNonce(`b'${nonce}'`),
  "created: Z hashed": withTime("2026-11-21T03:31:00Z"),
  "created: +00:00 hashed": withTime(created, "2026-11-21T03:31:00Z"),
  "created: +0000 hashed": withTime("2026-11-21T03:31:00+0000"),
  "created: milliseconds and +00:00 hashed": withTime("2026-11-21T03:31:00.000+00:00"),
  "created: milliseconds hashed": withTime("2026-11-21T03:31:00.000Z"),
  "created: milliseconds sent": withTime("2026-11-21T03:31:00Z", "2026-11-21T03:31:00.123Z"),
  "created: Unix seconds hashed": withTime("1795231860"),
  "created: Unix milliseconds hashed": withTime("1795231860000"),
  "created: the basic form hashed": withTime("20261121T033100Z"),
  ...Object.fromEntries(
    [
      ...["2026-11-21 03:31:00 UTC", "2026-11-21 03:31:00 +0000 UTC", "2026-11-21 03:31:00+00:00"],
      ...[
        "2026-11-21 03:31:00.000000+00:00",
        "2026-11-21T03:31:00.000000Z",
        "2026-11-21T03:31:00.000000+00:00",
      ],
      ...[
        "2026-11-21T03:31:00.0000000Z",
        "2026-11-21T03:31:00.000000000Z",
        "1795231860000",
        "1795231860.000000",
      ],
      ...["Sat, 21 Nov 2026 03:31:00 GMT", "Sat Nov 21 03:31:00 UTC 2026"],
      "Sat Nov 21 2026 03:31:00 GMT+0000 (Coordinated Universal Time)",
    ].map((hashed) => [`created: ${hashed} hashed`, withTime(hashed)]),
  ),
  "created: microseconds sent, with a space hashed": withTime(
    ...(["2026-11-21 03:31:00.123456+00:00", "2026-11-21T03:31:00.123456+00:00"] as const),
  ),
  "created: microseconds sent, milliseconds hashed": withTime(
    ...(["2026-11-21T03:31:00.123Z", "2026-11-21T03:31:00.123456Z"] as const),
  ),
  "created: a space hashed": withTime("2026-11-21 03:31:00"),
  "created: RFC 2822 hashed": withTime("Sat, 21 Nov 2026 03:31:00 +0000"),
  "created: local time hashed": withTime("2026-11-21T11:31:00+08:00"),
  "created: local digits hashed": withTime("2026-11-21T11:31:00+00:00"),
  "created: local digits hashed with Z": withTime("2026-11-20T22:31:00Z", "2026-11-21T03:31:00Z"),
  ...titled(["21T09:16:00+05:45", "20T22:31:00-05:00"], (local) => [
    `created: local time hashed, ${local}`,
    withTime(`2026-11-${local}`),
  ]),
  ...titled(["30:59", "31:01", "30:58", "31:02"], (time) => [
    `created: made twice, at ${time}`,
    withTime(`2026-11-21T03:${time}+00:00`),
  ]),
  ...titled(["undefined", "null", "None", "[object Object]"], (word) => [`created: ${word}`, withTime(word)]),
  "created: URL-encoded": withTime(encodeURIComponent(created)),
  "created: double quotes": withTime(`"${created}"`),
  "created: CR LF behind it": withTime(`${created}\r\n`),
  "created: a line feed behind it": withTime(`${created}\n`),
  "secret: empty": secretly(""),
  "secret: a line feed": secretly(`${secret}\n`),
  "secret: CR LF": secretly(`${secret}\r\n`),
  "secret: a space before it": secretly(` ${secret}`),
  "secret: a space": secretly(`${secret} `),
  "secret: double quotes": secretly(`"${secret}"`),
  "secret: single quotes": secretly(`'${secret}'`),
  "secret: undefined": secretly("undefined"),
  "secret: None": secretly("None"),
  "secret: b'…' of Python": secretly(`b'${secret}'`),
  "secret: a carriage return": secretly(`${secret}\r`),
  "secret: spaces around it": secretly(` ${secret} `),
  "secret: null": secretly("null"),
  ...Object.fromEntries(
    ["true", "false", "nil", "NaN", "[object Object]", "Array", "(null)", "NULL"].map((word) => [
      `secret: ${word}`,
      secretly(word),
    ]),
  ),
  ...titled(
    [
      ...[
        "REFERRAL_SECRET",
        "$REFERRAL_SECRET",
        `\${REFERRAL_SECRET}`,
        "$env:REFERRAL_SECRET",
        "env.REFERRAL_SECRET",
      ],
      ...["%REFERRAL_SECRET%", "{{REFERRAL_SECRET}}", "process.env.REFERRAL_SECRET"],
      ...["secret", "password", "changeme", "your-secret", "your_secret", "YOUR_SECRET", "SECRET"],
    ],
    (word) => [`secret: ${word}`, secretly(word)],
  ),
  ...Object.fromEntries(
    [
      ...["***", "****", "*".repeat(secret.length), "\u2022".repeat(8), "\u2022".repeat(secret.length)],
      ...["[secret]", "[MASKED]", "[REDACTED]", "[FILTERED]", "<redacted>"],
    ].map((mask) => [`secret: the mask ${mask}`, secretly(mask)]),
  ),
  ...titled(["1", "2", "3"], (count) => [
    `secret: without its first characters, ${count}`,
    secretly(secret.slice(Number(count))),
  ]),
  ...titled(["1", "2", "3"], (count) => [
    `secret: without its last characters, ${count}`,
    secretly(secret.slice(0, -Number(count))),
  ]),
  ...titled(["8", "10", "12", "16", "20", "24", "30", "32", "40", "50", "64"], (size) => [
    `secret: its first ${size} characters`,
    { ...signed(rightHex.repeat(2).slice(0, Number(size))), rules: { secret: rightHex.repeat(2) } },
  ]),
  ...titled([..."$#&;%! \\'\"|=:@"], (sign) => [
    `secret: up to ${sign}`,
    { ...signed("abcdefghi"), rules: { secret: `abcdefghi${sign}jklmnopqrst${sign}` } },
  ]),
  "secret: without $NAME": { ...signed("ab-cd"), rules: { secret: "ab$HOME-cd" } },
  "secret: without its backslashes": { ...signed("abcd"), rules: { secret: "ab\\cd" } },
  "secret: its backslashes twice": { ...signed("ab\\\\cd"), rules: { secret: "ab\\cd" } },
  "secret: $ for $$": { ...signed("ab$cd"), rules: { secret: "ab$$cd" } },
  "secret: $$ for $": { ...signed("ab$$cd"), rules: { secret: "ab$cd" } },
  "secret: escaped for HTML": {
    ...signed("ab&amp;cd&lt;&gt;&quot;&#39;"),
    rules: { secret: "ab&cd<>\"'" },
  },
  "secret: decoded from a URL": { ...signed("ab+cd"), rules: { secret: "ab%2Bcd" } },
  "secret: spaces for +": { ...signed("ab cd"), rules: { secret: "ab+cd" } },
  "secret: base64 with a line feed": secretly(base64(`${secret}\n`)),
  ...titled(["\ufeff", "\u200b", "\u00a0"], (unseen) => [
    `secret: U+${unseen.codePointAt(0)?.toString(16)} before it`,
    signed(`${unseen}${secret}`),
  ]),
  "secret: a no-break space behind it": signed(`${secret}\u00a0`),
  "secret: a tab behind it": signed(`${secret}\t`),
  "secret: a comma behind it": secretly(`${secret},`),
  "secret: a semicolon behind it": secretly(`${secret};`),
  "secret: \\n behind it": secretly(`${secret}\\n`),
  ...titled(["REFERRAL_SECRET=", "SECRET=", "secret=", "secret: "], (name) => [
    `secret: ${name} before it`,
    secretly(name + secret),
  ]),
  "secret: username and colon before it": secretly(`${username}:${secret}`),
  ...titled(["md5", "sha1", "sha256"], (name) => [
    `secret: ${name} in upper case`,
    secretly(hex(name, secret).toUpperCase()),
  ]),
  "secret: SHA-512 in hexadecimal": secretly(hex("sha512", secret)),
  "secret: SHA-512 in base64": secretly(raw("sha512", secret).toString("base64")),
  ...titled(["md5", "sha1", "sha256", "sha512"], (name) => [
    `secret: ${name} with an empty salt`,
    secretly(hex(name, `${secret}{}`)),
  ]),
  "secret: UTF-8 twice": {
    ...signed(Buffer.from("p\u00e4ss").toString("latin1")),
    rules: { secret: "p\u00e4ss" },
  },
  "secret: decomposed": { ...signed("pa\u0308ss"), rules: { secret: "p\u00e4ss" } },
  "secret: composed": { ...signed("p\u00e4ss"), rules: { secret: "pa\u0308ss" } },
  "secret: in base64": secretly(base64(secret)),
  "secret: decoded from base64": { ...signed("a secret"), rules: { secret: base64("a secret") } },
  "secret: decoded from hexadecimal": { ...signed(bytes), rules: { secret: nonce } },
  "secret: URL-encoded": { ...signed("p%C3%A4ss%2F"), rules: { secret: "p\u00e4ss/" } },
  "no hash: the secret": is(secret),
  "no hash: the secret, as letters": is("Tr0ub4dor-3", { rules: { secret: "Tr0ub4dor-3" } }),
  "no hash: the secret in base64": is(base64(secret)),
  "no hash: the token": is(token),
  "no hash: the Nonce": is(nonce),
  "no hash: the text": is(nonce + created + secret),
  "no hash: the text in base64": is(base64(nonce + created + secret)),
  "no hash: undefined": is("undefined"),
  "no hash: a mask": is("[secret]"),
  ...titled(["sha3-256", "sha3-512", "sha512-256", "ripemd160", "blake2b512"], (name) => [
    `no hash of ours: ${name}`,
    is(raw(name, nonce, created, secret).toString("base64")),
  ]),
  "no hash: base64 in lower case": is(right.toString("base64").toLowerCase()),
  "no hash: base64 in upper case": is(right.toString("base64").toUpperCase()),
  "no hash: the first 16 characters": is(right.toString("base64").slice(0, 16)),
  "no hash: without its last character": is(right.toString("base64").slice(0, -2)),
  "no hash: hexadecimal, cut": is(rightHex.slice(0, 32)),
  "no hash: base64 of hexadecimal, cut": is(base64(rightHex).slice(0, 40)),
  "no hash: cut, for hex-digest": is(base64(rightHex).slice(0, 40), { rules: hexDigest }),
  "no hash: one digit for small bytes": oneDigit((digits) => digits.join("")),
  "no hash: one digit for small bytes, in base64": oneDigit((digits) => base64(digits.join(""))),
  "no hash: hexadecimal of signed bytes": is(
    [...right].map((byte) => (byte > 127 ? "ffffff" : "") + byte.toString(16)).join(""),
  ),
  "no hash: one number": is(String(BigInt(`0x${rightHex}`))),
  "no hash: bytes that became text": is(base64(right.toString("utf8"))),
  ...titled(
    [
      ...[
        "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
        "$argon2id$v=19$m=65536,t=3,p=4$c29t",
      ],
      ...["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.dBjftJeZ4CVP", "[B@1b2c6ec2", "System.Byte[]", "Blob[20]"],
      ...["[object ArrayBuffer]", "<sha1 _hashlib.HASH object @ 0x7f1c2>", "<Buffer 12 ab 3f>", "(null)"],
      ...["#<Digest::SHA1: 12ab>", "b'\\x12\\xab'", "Resource id #5", "NaN"],
    ],
    (sent) => [`no hash: ${sent}`, is(sent)],
  ),
  "secret: the token": secretly(token),
  "secret: the username": secretly(username),
  "secret: upper case": secretly(secret.toUpperCase()),
  "secret: lower case": { ...signed("aé"), rules: { secret: "AÉ" } },
  "secret: SHA-1 in hexadecimal": secretly(hex("sha1", secret)),
  "secret: SHA-1 in bytes": signed(raw("sha1", secret)),
  "secret: SHA-1 in base64": secretly(sha1(secret)),
  "secret: MD5 in hexadecimal": secretly(hex("md5", secret)),
  "secret: MD5 in bytes": signed(raw("md5", secret)),
  "secret: MD5 in base64": secretly(raw("md5", secret).toString("base64")),
  "secret: SHA-256 in hexadecimal": secretly(hex("sha256", secret)),
  "secret: SHA-256 in bytes": signed(raw("sha256", secret)),
  "secret: SHA-256 in base64": secretly(raw("sha256", secret).toString("base64")),
  "secret: an empty salt": secretly(`${secret}{}`),
  "secret: Latin-1": { ...signed(Buffer.from("p\u00e4ss", "latin1")), rules: { secret: "p\u00e4ss" } },
  "writing: hexadecimal in base64": is(base64(rightHex), { control: hexDigest }),
  "writing: upper-case hexadecimal in base64": writtenAs(base64(upper)),
  "writing: hexadecimal": writtenAs(rightHex),
  "writing: upper-case hexadecimal": writtenAs(upper),
  "writing: hexadecimal and CR LF in base64": writtenAs(base64(`${rightHex}\r\n`)),
  "writing: hexadecimal in base64 and a line feed, in base64": writtenAs(base64(`${base64(rightHex)}\n`)),
  "writing: colons": writtenAs(dashed.replaceAll("-", ":")),
  "writing: sha1sum | cut | base64": writtenAs(base64(`${rightHex}\n`)),
  "writing: sha1sum | base64": writtenAs(base64(`${rightHex}  -\n`)),
  "writing: openssl sha1 | base64": writtenAs(base64(`SHA1(stdin)= ${rightHex}\n`)),
  "writing: sha1sum": writtenAs(`${rightHex}  -`),
  "writing: openssl sha1": writtenAs(`(stdin)= ${rightHex}`),
  "writing: without padding": writtenAs(right.toString("base64").replace(/=+$/, "")),
  "writing: base64url": writtenAs(right.toString("base64url")),
  "writing: base64url with padding": writtenAs(`${right.toString("base64url")}=`),
  "writing: a line end as two characters": writtenAs(`${right.toString("base64")}\\n`),
  "writing: a space behind it": writtenAs(`${right.toString("base64")} `),
  "writing: base64 of the hash and a line end": writtenAs(
    Buffer.concat([right, Buffer.from("\n")]).toString("base64"),
  ),
  "writing: URL-encoded": writtenAs(encodeURIComponent(right.toString("base64"))),
  "writing: URL-decoded": writtenAs(right.toString("base64").replaceAll("+", " ")),
  "writing: HTML": writtenAs(right.toString("base64").replace("=", "&#61;")),
  "writing: JSON": writtenAs(right.toString("base64").replaceAll("/", "\\/")),
  "writing: b'…' of Python": writtenAs(`b'${right.toString("base64")}'`),
  "writing: base64 twice": writtenAs(base64(right.toString("base64"))),
  "writing: openssl base64 | base64": writtenAs(base64(`${right.toString("base64")}\n`)),
  "writing: hexadecimal in base64 twice": writtenAs(base64(base64(rightHex))),
  "writing: dashes": writtenAs(dashed),
  "writing: dashes in lower case": writtenAs(dashed.toLowerCase()),
  "writing: dashes in base64": writtenAs(base64(dashed)),
  "writing: hexadecimal without its leading zero": writtenAs(rightHex.replace(/^0+/, "")),
  "writing: a text of bytes in base64": writtenAs(base64(right.toString("latin1"))),
  ...titled(["0x", "\\x"], (sign) => [`writing: ${sign} before hexadecimal`, writtenAs(sign + upper)]),
  "writing: 0x before hexadecimal, in base64": writtenAs(base64(`0x${rightHex}`)),
  "writing: numbers, with spaces": writtenAs([...right].join(" ")),
  "writing: numbers, with commas": writtenAs([...right].join(",")),
  "writing: numbers of Java": writtenAs(`[${new Int8Array(right).join(", ")}]`),
  "writing: numbers of SHA-512": is([...raw("sha512", nonce, created, secret)].join(",")),
  "writing: numbers in base64": writtenAs(base64([...right].join(","))),
  "writing: hexadecimal of base64": writtenAs(Buffer.from(right.toString("base64")).toString("hex")),
  ...titled(["{SHA}", "sha1=", "sha1-"], (name) => [
    `writing: ${name} before it`,
    writtenAs(name + right.toString("base64")),
  ]),
  "writing: sha1: before hexadecimal": writtenAs(`sha1:${rightHex}`),
  "writing: openssl -r": writtenAs(`${rightHex} *stdin`),
  "writing: openssl -r | base64": writtenAs(base64(`${rightHex} *stdin\n`)),
  "writing: base64 for hex-digest": is(right.toString("base64"), { rules: hexDigest, control: {} }),
  "writing: padding for hex-digest": is(base64(rightHex).replace(/=+$/, ""), { rules: hexDigest }),
  "writing: upper case for hex-digest": is(base64(upper), { rules: hexDigest }),
};

/** Two slips each. */
export const pairs: Readonly<Record<string, SlipCase>> = {
  "hexadecimal in base64, SHA-256": is(base64(hex("sha256", nonce, created, secret)), {
    control: { hash: "sha256", ...hexDigest },
  }),
  "hexadecimal, over the Nonce decoded from base64": is(
    hex("sha1", Buffer.from(nonce, "base64"), created, secret),
  ),
  "hexadecimal in base64, over the bytes of the Nonce": is(base64(hex("sha1", bytes, created, secret)), {
    nonce: inBase64,
  }),
  "the bytes of the Nonce, MD5 of the secret": is(sha1(bytes, created, hex("md5", secret)), {
    ...{ nonce: inBase64, control: { ...byteNonce, secret: hex("md5", secret) } },
  }),
  "Created, Nonce, secret with a line feed": is(sha1(created, nonce, `${secret}\n`)),
  "without the Nonce, in hexadecimal": is(hex("sha1", created, secret)),
  "HMAC in hexadecimal": is(
    createHmac("sha1", secret)
      .update(nonce + created)
      .digest("hex"),
  ),
  "HMAC with SHA-512": is(
    createHmac("sha512", secret)
      .update(nonce + created)
      .digest("base64"),
  ),
  "HMAC with SHA-256": is(
    createHmac("sha256", secret)
      .update(nonce + created)
      .digest("base64"),
  ),
  "HMAC with SHA-256 in hexadecimal": is(
    createHmac("sha256", secret)
      .update(nonce + created)
      .digest("hex"),
  ),
  "HMAC with SHA-512 of all, in base64 of hexadecimal": is(
    base64(
      createHmac("sha512", secret)
        .update(nonce + created + secret)
        .digest("hex"),
    ),
  ),
  "SHA-256 in hexadecimal of SHA-256 in hexadecimal": is(
    hex("sha256", hex("sha256", nonce, created, secret)),
    {
      rules: { hash: "sha256" },
    },
  ),
  "SHA-1 in hexadecimal of SHA-1 in hexadecimal": is(hex("sha1", rightHex)),
  "a line feed behind the Nonce, Z": is(sha1(`${nonce}\n`, "2026-11-21T03:31:00Z", secret)),
  "Z hashed, an empty secret": is(sha1(nonce, "2026-11-21T03:31:00Z")),
  "SHA-512 without padding": is(raw("sha512", nonce, created, secret).toString("base64").replace(/=+$/, "")),
  "hexadecimal in base64, without padding": is(base64(rightHex).replace(/=+/, "")),
  "hexadecimal in base64, URL-encoded": is(encodeURIComponent(base64(rightHex))),
  "Created made twice, MD5 of the secret": is(sha1(nonce, "2026-11-21T03:30:59+00:00", hex("md5", secret))),
  "local time, in hexadecimal": is(hex("sha1", nonce, "2026-11-21T11:31:00+08:00", secret)),
};

/** No slip, or more than two, or another secret. */
export const unknown: Readonly<Record<string, SlipCase>> = {
  "another secret": signed("other"),
  "another secret, of the same length": signed("x".repeat(40)),
  "a secret with more behind it": signed(`${secret}x`),
  "half of the secret": signed(secret.slice(0, 17)),
  "another text with a mask in it": signed("abc***def"),
  "a variable of another name": signed("$OTHER_SECRET"),
  "half of the secret as PasswordDigest": is(secret.slice(0, 21)),
  "the name of a value as PasswordDigest": is("undefined1"),
  "another Nonce": withNonce("another"),
  "a rare text, and a slip in the secret": is(sha1(`${secret}\n`)),
  "three slips": both(base64(hex("sha512", nonce, created))),
  "one character": is("x"),
  "no base64": is("?digest?"),
  "64 hexadecimal characters": is("ab".repeat(32)),
  "64 bytes": is(Buffer.alloc(64, 7).toString("base64")),
  "21 bytes": is(Buffer.alloc(21, 7).toString("base64")),
  "base64 of 32 hexadecimal characters": is(base64("ab".repeat(16))),
  "a hash that became text, of another secret": is(base64(raw("sha1", "other").toString("utf8"))),
  "less than half of hexadecimal": is(rightHex.slice(0, 19)),
  "half of another hash in hexadecimal": is(hex("sha1", "other").slice(0, 30)),
  "less than half of PasswordDigest": is(right.toString("base64").slice(0, 13)),
  "more than PasswordDigest": is(`${right.toString("base64").slice(0, -1)}A`),
  "base64 in lower case, of another secret": is(sha1(nonce, created, "other").toLowerCase()),
  "SHA3-256 of another secret": is(raw("sha3-256", nonce, created, "other").toString("base64")),
  "another number": is("123456789012345678901234567890123456789012345678"),
  "0x before what is no hash": is("0x12ab34cd"),
  "20 numbers that are no hash of ours": is([...Buffer.alloc(20, 7)].join(",")),
  "a UUID as Nonce, and another secret": is(sha1(nonce, created, "other"), {
    nonce: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  }),
  "$2, which begins no bcrypt": is("$2-and-more"),
  "HMAC with SHA-256 in hexadecimal, of another secret": is(
    createHmac("sha256", "other")
      .update(nonce + created)
      .digest("hex"),
  ),
  "the hash three times": is(sha1(hex("sha1", rightHex))),
  "a long one": is("A".repeat(5_000)),
};

/** The attributes of a case. */
export const attributesOf = (one: SlipCase) => ({ username, nonce, created, ...one });

/** Slips of one language or one program: the log shows its worked example, and names none of them. */
export const unnamed: readonly string[] = [
  "text: HMAC of the secret",
  'text: " + " between',
  'text: a list such as ["","",""]',
  'text: a list such as ["", "", ""]',
  "text: a list such as ['', '', '']",
  "text: a list such as ('', '', '')",
  "text: a NUL behind it",
  "text: $nonce$created$secret",
  "text: $nonce.$created.$secret",
  "text: nonce.created.secret",
  "text: nonce+created+secret",
  "text: noncecreatedsecret",
  "text: nonce + created + secret",
  "text: {nonce}{created}{secret}",
  "text: %s%s%s",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a client hashed when nothing filled its template.
  "text: ${nonce}${created}${secret}",
  "text: {{nonce}}{{created}}{{secret}}",
  "text: undefinedundefinedundefined",
  "text: nullnullnull",
  "text: NoneNoneNone",
  "text: UTF-16, of the other order of bytes",
  "text: UTF-16 of Java",
  "text: UTF-16 of Python",
  "text: UTF-32",
  "nonce: 64 columns",
  "nonce: bytes as text of UTF-8, base64 sent",
  "nonce: bytes as text of UTF-8, hexadecimal sent",
  "nonce: the bytes of its UUID, 10 first",
  "nonce: in braces",
  'nonce: as numbers, with "," between',
  'nonce: as numbers, with ", " between',
  "nonce: as numbers, base64 sent",
  "nonce: 76 columns",
  "nonce: b'\u2026' of Python",
  "created: 2026-11-21 03:31:00 +0000 UTC hashed",
  "created: 1795231860.000000 hashed",
  "created: Sat, 21 Nov 2026 03:31:00 GMT hashed",
  "created: Sat Nov 21 03:31:00 UTC 2026 hashed",
  "created: Sat Nov 21 2026 03:31:00 GMT+0000 (Coordinated Universal Time) hashed",
  "created: RFC 2822 hashed",
  "secret: b'\u2026' of Python",
  "secret: spaces around it",
  "secret: REFERRAL_SECRET",
  "secret: $REFERRAL_SECRET",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a client hashed when nothing filled its template.
  "secret: ${REFERRAL_SECRET}",
  "secret: $env:REFERRAL_SECRET",
  "secret: env.REFERRAL_SECRET",
  "secret: %REFERRAL_SECRET%",
  "secret: {{REFERRAL_SECRET}}",
  "secret: process.env.REFERRAL_SECRET",
  "secret: secret",
  "secret: password",
  "secret: changeme",
  "secret: your-secret",
  "secret: your_secret",
  "secret: YOUR_SECRET",
  "secret: SECRET",
  "secret: the mask ***",
  "secret: the mask ****",
  "secret: the mask ****************************************",
  "secret: the mask \u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022",
  "secret: the mask \u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022",
  "secret: the mask [secret]",
  "secret: the mask [MASKED]",
  "secret: the mask [REDACTED]",
  "secret: the mask [FILTERED]",
  "secret: the mask <redacted>",
  "secret: without $NAME",
  "secret: without its backslashes",
  "secret: $ for $$",
  "secret: $$ for $",
  "secret: U+200b before it",
  "secret: U+a0 before it",
  "secret: a no-break space behind it",
  "secret: a semicolon behind it",
  "secret: REFERRAL_SECRET= before it",
  "secret: SECRET= before it",
  "secret: secret= before it",
  "secret: secret:  before it",
  "secret: username and colon before it",
  "secret: md5 with an empty salt",
  "secret: sha1 with an empty salt",
  "secret: sha256 with an empty salt",
  "secret: sha512 with an empty salt",
  "secret: decomposed",
  "secret: composed",
  "no hash: one digit for small bytes",
  "no hash: one digit for small bytes, in base64",
  "no hash: hexadecimal of signed bytes",
  "no hash: one number",
  "no hash: bytes that became text",
  "no hash: $2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
  "no hash: $argon2id$v=19$m=65536,t=3,p=4$c29t",
  "no hash: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.dBjftJeZ4CVP",
  "no hash: b'\\x12\\xab'",
  "writing: hexadecimal in base64 and a line feed, in base64",
  "writing: \\x before hexadecimal",
  "writing: numbers, with spaces",
  "writing: numbers, with commas",
  "writing: numbers of Java",
  "writing: numbers of SHA-512",
  "writing: numbers in base64",
];
