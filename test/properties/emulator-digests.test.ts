import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  conventionNames,
  type DigestAlgorithm,
  hashNames,
  passwordDigest,
  wireNonce,
} from "../../src/wsse/digest.ts";
import { wsseValue } from "../../src/wsse/header.ts";
import { judgementOf, known, withWsse } from "../emulator/support.ts";

// Clients that make PasswordDigest in another way than the server, by operations of docs/emulator.md alone and written without its code.

type Bytes = Buffer;
type Part = "nonce" | "created" | "secret";
type Key = Part | "username";
/** How a client makes PasswordDigest. */
interface Client {
  readonly values: Readonly<Record<Key, Bytes>>;
  readonly order: readonly Key[];
  readonly separator: string;
  readonly hashed: (text: Bytes) => Bytes;
  readonly hmac: null | Key;
  readonly written: (hash: Bytes) => string;
  readonly sent: (digest: string) => string;
}
interface Operation {
  readonly name: string;
  readonly on: (client: Client) => Client;
}

const bytes = (text: string): Bytes => Buffer.from(text);
const hashed = (name: string, data: Bytes): Bytes => createHash(name).update(data).digest();
const forms: Readonly<Record<string, (data: Bytes) => Bytes>> = {
  base64: (data) => bytes(data.toString("base64")),
  base64url: (data) => bytes(data.toString("base64url")),
  hex: (data) => bytes(data.toString("hex")),
  HEX: (data) => bytes(data.toString("hex").toUpperCase()),
  url: (data) => bytes(encodeURIComponent(data.toString())),
  "double quotes": (data) => bytes(`"${data}"`),
  "single quotes": (data) => bytes(`'${data}'`),
  lower: (data) => bytes(data.toString().toLowerCase()),
  upper: (data) => bytes(data.toString().toUpperCase()),
  utf16le: (data) => Buffer.from(data.toString(), "utf16le"),
  utf16be: (data) => Buffer.from(data.toString(), "utf16le").swap16(),
  latin1: (data) => Buffer.from(data.toString(), "latin1"),
  "from base64": (data) => Buffer.from(data.toString(), "base64"),
  "from hex": (data) => Buffer.from(data.toString(), "hex"),
  "without padding": (data) => bytes(data.toString("base64").replace(/=+$/, "")),
  ...Object.fromEntries(
    ["\n", "\r\n", "\r", " ", "\t", "\u00a0", "\u200b", "\ufeff", ",", "x", "\0"].flatMap((sign) => [
      [`${JSON.stringify(sign)} behind`, (data: Bytes) => Buffer.concat([data, bytes(sign)])],
      [`${JSON.stringify(sign)} before`, (data: Bytes) => Buffer.concat([bytes(sign), data])],
    ]),
  ),
  ...Object.fromEntries(
    ["md5", "sha1", "sha256", "sha512"].flatMap((name) => [
      [name, (data: Bytes) => hashed(name, data)],
      [`${name} in hex`, (data: Bytes) => bytes(hashed(name, data).toString("hex"))],
      [`${name} in base64`, (data: Bytes) => bytes(hashed(name, data).toString("base64"))],
    ]),
  ),
};
// Nobody sends what is not printable, and hashes of the hash are operations on the text.
const ofDigest = 'base64|hex|HEX|url|double quotes|single quotes|"," behind|" " behind'.split("|");

const parts: readonly Part[] = ["nonce", "created", "secret"];
const ordersOf = <Name>(names: readonly Name[]): Name[][] =>
  names.length === 0
    ? [[]]
    : names.flatMap((one) => ordersOf(names.filter((name) => name !== one)).map((rest) => [one, ...rest]));

function onPart(part: Part, name: string, change: (data: Bytes) => Bytes): Operation {
  const on = (client: Client): Client => ({
    ...client,
    values: { ...client.values, [part]: change(client.values[part]) },
  });
  return { name: `${part}: ${name}`, on };
}
const inOrder = (order: readonly Key[]): Operation => ({
  name: order.join(", "),
  on: (client) => ({ ...client, order }),
});
const writing = (name: string, written: Client["written"]): Operation => ({
  name: `written ${name}`,
  on: (client) => ({ ...client, written }),
});

const iso = (time: number): string => new Date(time).toISOString().slice(0, 19);
const timesOf = (created: string): Readonly<Record<string, string>> => {
  const at = Date.parse(created);
  const time = iso(at);
  return {
    ...Object.fromEntries(
      [".000", ".000000", ""].flatMap((f) => ["Z", "+00:00", "+0000", ""].map((z) => [f + z, time + f + z])),
    ),
    "a space": time.replace("T", " "),
    "a space and Z": `${time.replace("T", " ")}Z`,
    basic: `${time.replaceAll(/[-:]/g, "")}Z`,
    seconds: String(at / 1000),
    milliseconds: String(at),
    ...Object.fromEntries([-2, -1, 1, 2].map((off) => [`${off} s`, `${iso(at + off * 1000)}+00:00`])),
    ...Object.fromEntries(
      [-8, -5, 1, 2, 5.5].map((off) => [`${off} h`, `${iso(at + off * 3_600_000)}+00:00`]),
    ),
    "a zone": `${iso(at + 3_600_000)}+01:00`,
  };
};

const created = "2026-11-21T03:31:00+00:00";
/** One operation, by its kind, each kind as often as another. */
const operationsOf = ({
  secret,
  token,
}: {
  readonly secret: string;
  readonly token: string;
}): readonly (readonly Operation[])[] => [
  ordersOf(parts).map(inOrder),
  parts.map((left) => inOrder(parts.filter((one) => one !== left))),
  parts.map((twice) => inOrder(parts.flatMap((one) => (one === twice ? [one, one] : [one])))),
  [":", " ", "\n", ",", "|", "-", "_", ";", "&", ".", "+", "/", "\t", ", ", "x"].map((separator) => ({
    name: `separator ${JSON.stringify(separator)}`,
    on: (client) => ({ ...client, separator }),
  })),
  [0, 1, 2, 3].map((at) => inOrder([...parts.slice(0, at), "username", ...parts.slice(at)])),
  Object.entries(forms).map(([name, change]) => onPart("nonce", name, change)),
  Object.entries(forms).map(([name, change]) => onPart("secret", name, change)),
  Object.entries(forms).map(([name, change]) => ({
    name: `text: ${name}`,
    on: (client) => ({ ...client, hashed: change }),
  })),
  [
    writing("in hex", (hash) => hash.toString("hex")),
    writing("in HEX", (hash) => hash.toString("hex").toUpperCase()),
    writing("in base64 of HEX", (hash) => bytes(hash.toString("hex").toUpperCase()).toString("base64")),
    writing("in base64url", (hash) => hash.toString("base64url")),
    writing("without padding", (hash) => hash.toString("base64").replace(/=+$/, "")),
    writing("cut", (hash) => hash.toString("base64").slice(0, -6)),
    writing("in hex, cut", (hash) => hash.toString("hex").slice(0, -8)),
    writing("with one digit for small bytes", (hash) => [...hash].map((byte) => byte.toString(16)).join("")),
    ...ofDigest.map((name) => ({
      name: `digest: ${name}`,
      on: (client: Client) => ({
        ...client,
        sent: (text: string) => (forms[name]?.(bytes(text)) ?? text).toString(),
      }),
    })),
  ],
  Object.entries(timesOf(created)).map(([name, text]) => onPart("created", name, () => bytes(text))),
  [onPart("secret", "empty", () => bytes("")), onPart("secret", "the token", () => bytes(token))],
  [8, 12, 16].flatMap((size) => [
    onPart("secret", `cut to ${size}`, () => bytes(secret).subarray(0, size)),
    onPart("nonce", `cut to ${2 * size}`, (data) => data.subarray(0, 2 * size)),
  ]),
  (["secret", "nonce"] as const).flatMap((hmac) => [
    {
      name: `HMAC with ${hmac}`,
      on: (client) => ({ ...client, hmac, order: parts.filter((one) => one !== hmac) }),
    },
    ...(hmac === "secret" ? [{ name: "HMAC of all", on: (client: Client) => ({ ...client, hmac }) }] : []),
  ]),
];

const hashNamesOfParts = ["md5", "sha1", "sha256", "sha512"];
const upperHex = (name: string) => (data: Bytes) => bytes(hashed(name, data).toString("hex").toUpperCase());
/** Operations that are tried alone. */
const rarer: readonly (readonly Operation[])[] = [
  parts.flatMap((twice) => [0, 1, 2, 3].map((at) => inOrder(parts.toSpliced(at, 0, twice)))),
  Object.entries(forms)
    .filter(([name]) => hashNamesOfParts.some((hash) => name.startsWith(hash)))
    .map(([name, change]) => onPart("created", name, change)),
  parts.flatMap((part) => hashNamesOfParts.map((name) => onPart(part, `${name} in HEX`, upperHex(name)))),
  parts.flatMap((hmac) => [
    { name: `HMAC of all with ${hmac}`, on: (client) => ({ ...client, hmac }) },
    inOrder(parts.filter((one) => one !== hmac)),
  ]),
  [",000", ".0", ""].flatMap((fraction) =>
    ["Z", "+00:00", "+0000", "+00", "-00:00", ""].flatMap((zone) =>
      [iso(Date.parse(created)), iso(Date.parse(created)).replaceAll(/[-:]/g, "")].map((time) =>
        onPart("created", fraction + zone, () => bytes(time + fraction + zone)),
      ),
    ),
  ),
  [-8, -3.5, 1, 5.75, 13].flatMap((hours) =>
    ["+00:00", "Z", ""].map((zone) =>
      onPart("created", `${hours} h`, () => bytes(iso(Date.parse(created) + hours * 3_600_000) + zone)),
    ),
  ),
  [
    writing("in base64 of UTF-16", (hash) => Buffer.from(hash.toString("hex"), "utf16le").toString("base64")),
    writing("in base64, cut", (hash) => hash.toString("base64").slice(0, -4)),
  ],
];

interface Situation extends DigestAlgorithm {
  readonly secret: string;
  readonly bytes: Uint8Array;
}
const situation: fc.Arbitrary<Situation> = fc.record({
  digest: fc.constantFrom(...conventionNames),
  hash: fc.constantFrom(...hashNames),
  secret: fc.oneof(fc.stringMatching(/^[!-~]{17,40}$/), fc.stringMatching(/^[a-z]{10}\u00e4[A-Z0-9]{10}$/)),
  bytes: fc.uint8Array({ minLength: 20, maxLength: 20 }),
});
const token = "0123456789abcdef0123456789abcdef01234567";

/** The header of a client with these operations; null if they change nothing. */
function headerOf(
  { digest, hash, secret, bytes: random }: Situation,
  operations: readonly Operation[],
): string | null {
  const nonce = wireNonce(digest, random);
  const isDecoded = digest === "base64-nonce" || digest === "decoded-nonce";
  const usual: Client = {
    values: {
      nonce: isDecoded ? Buffer.from(nonce, "base64") : bytes(nonce),
      created: bytes(created),
      secret: bytes(secret),
      username: bytes(known.username),
    },
    order: parts,
    separator: "",
    hashed: (text) => text,
    hmac: null,
    written: (made) => (digest === "hex-digest" ? bytes(made.toString("hex")) : made).toString("base64"),
    sent: (text) => text,
  };
  const client = operations.reduce((one, { on }) => on(one), usual);
  const pieces = client.order.flatMap((key, at) => [
    ...(at > 0 ? [bytes(client.separator)] : []),
    client.values[key],
  ]);
  const text = client.hashed(Buffer.concat(pieces));
  const made =
    client.hmac === null
      ? hashed(hash, text)
      : createHmac(hash, client.values[client.hmac]).update(text).digest();
  const passwordDigestSent = client.sent(client.written(made));
  const right = passwordDigest({ digest, hash, nonce, created, secret });
  return passwordDigestSent === right || passwordDigestSent.includes('"')
    ? null
    : wsseValue({ username: known.username, passwordDigest: passwordDigestSent, nonce, created });
}

/** What is said of a header where the server has this account. */
function saidOf(
  header: string,
  { digest, hash, secret }: DigestAlgorithm & { readonly secret: string },
): string {
  const { reasons } = judgementOf({ headers: withWsse(header) }, { digest, hash, secret, token });
  return reasons.map(({ rule, detail }) => `${rule}: ${detail}`).join("; ");
}
const isNamed = (said: string): boolean => /^digest: the client \w.*; this server expects \w/.test(said);

/** How many random clients with so many operations are named, and the others. */
function namedOf(count: number, clients: number): readonly [named: number, others: readonly string[]] {
  const others: string[] = [];
  const pick = fc.tuple(
    situation,
    fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: count, maxLength: count }),
  );
  const cases = fc.sample(pick, { numRuns: 6 * clients, seed: 7 }).flatMap(([own, places]) => {
    const kinds = [...operationsOf({ secret: own.secret, token }), ...(count === 1 ? rarer : [])];
    const operations = places.map(([kind, at]) => {
      const some = kinds[kind % kinds.length] ?? [];
      return some[at % some.length] as Operation;
    });
    const header = headerOf(own, operations);
    const isLess = operations.some((one) => headerOf(own, [one]) === null);
    return header === null || isLess
      ? []
      : [{ own, header, title: operations.map(({ name }) => name).join(" + ") }];
  });
  const tried = cases.slice(0, clients);
  expect(tried).toHaveLength(clients);
  for (const { own, header, title } of tried)
    if (!isNamed(saidOf(header, own))) others.push(`${own.digest} ${own.hash}: ${title}`);
  return [clients - others.length, others];
}

test("of 320 random clients with one operation, 312 are named", () => {
  const [named, others] = namedOf(1, 320);
  expect(named, others.join("\n")).toBeGreaterThanOrEqual(312);
});

test("of 100 random clients with two operations, 55 are named", () => {
  const [named, others] = namedOf(2, 100);
  expect(named, others.join("\n")).toBeGreaterThanOrEqual(55);
});

const algorithms = conventionNames.flatMap((digest) => hashNames.map((hash) => ({ digest, hash })));
const secret = "a secret of some length";
const random = Buffer.from("00ff10203040506070809010a0b0c0d0e0f00162", "hex");

test("each convention is named at each server, also with a usual slip in the secret", () => {
  const slips: Readonly<Record<string, string>> = {
    none: secret,
    empty: "",
    "a line end": `${secret}\n`,
    "its hash": createHash("sha1").update(secret).digest("hex"),
    "the token": token,
  };
  const unnamed: string[] = [];
  let accepted = 0;
  for (const ours of algorithms)
    for (const theirs of algorithms)
      for (const [slip, value] of Object.entries(slips)) {
        const header = headerOf({ ...theirs, secret: value, bytes: random }, [
          { name: "", on: (client) => ({ ...client, sent: (text) => `${text} ` }) },
        ]) as string;
        const said = saidOf(header.replace(' ", Nonce', '", Nonce'), { ...ours, secret });
        const name = `(${theirs.digest} with ${theirs.hash})`;
        if (said.startsWith("accepted")) accepted += 1;
        // Of these two, the digest is the same.
        else if (
          !isNamed(said) ||
          (!said.includes(name) &&
            !/^(?:base64|decoded)-nonce/.test(theirs.digest) &&
            ours.digest + ours.hash !== theirs.digest + theirs.hash)
        )
          unnamed.push(`${ours.digest} ${ours.hash} < ${theirs.digest} ${theirs.hash}, ${slip}: ${said}`);
      }
  expect(unnamed).toEqual([]);
  expect(accepted).toBe(12 + 6);
});
