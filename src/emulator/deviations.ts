// How a client may make a PasswordDigest: write(hash(join(order, part, part, part))). Each deviation from what the account expects
// changes one of these, by the forms of forms.ts and a few operations more; digest-mismatch.ts tries them, alone and two together.

import * as crypto from "node:crypto";
import { orNull } from "../errors.ts";
import type { ConventionName, HashName } from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { createdSeconds } from "./created.ts";
import { common, type Form, forms, inBase64, inHex, toBytes } from "./forms.ts";
import { emptyWords, formsText, readingsOf } from "./values.ts";

/** What people call each hash, and its size in bytes. Of those with one size, the first is tried with every deviation. */
export const hashes = {
  ...{ sha1: ["SHA-1", 20], sha256: ["SHA-256", 32], sha512: ["SHA-512", 64], md5: ["MD5", 16] },
  ...{ sha224: ["SHA-224", 28], sha384: ["SHA-384", 48], ripemd160: ["RIPEMD-160", 20] },
  ...{ "sha3-256": ["SHA3-256", 32], "sha512-256": ["SHA-512/256", 32], blake2s256: ["BLAKE2s", 32] },
  ...{ "sha3-512": ["SHA3-512", 64], blake2b512: ["BLAKE2b", 64] },
} as const satisfies Readonly<Record<string, readonly [words: string, size: number]>>;
export type Hash = keyof typeof hashes;

// It is missing before Node 20.12.
const oneShot: typeof crypto.hash | undefined = crypto.hash;

/** A hash in bytes; empty if this OpenSSL does not offer it. */
export function hashOf(name: Hash, bytes: string): string {
  // A text of ASCII, which UTF-8 does not make longer, is hashed without a copy.
  const data = Buffer.byteLength(bytes) === bytes.length ? bytes : Buffer.from(bytes, "latin1");
  const other = (): string => crypto.createHash(name).update(data).digest("binary");
  return orNull(() => oneShot?.(name, data, "binary") ?? other()) ?? "";
}

/** An HMAC in bytes (RFC 2104). Node's own costs ten times as much for short texts. */
function hmacOf(name: Hash, key: string, bytes: string): string {
  const block = hashes[name][1] > 32 ? 128 : 64;
  const whole = (key.length > block ? hashOf(name, key) : key).padEnd(block, "\0");
  const mixed = (mask: number): string =>
    Buffer.from(Buffer.from(whole, "latin1").map((byte) => byte ^ mask)).toString("latin1");
  return hashOf(name, mixed(0x5c) + hashOf(name, mixed(0x36) + bytes));
}

/** The values that a client joins and hashes. */
type Values = Readonly<Record<"Nonce" | "Created" | "secret" | "username", string>>;
type Part = "Nonce" | "Created" | "secret";
const inOrder = ["Nonce", "Created", "secret"] as const;
const named = (part: keyof Values): string => (part === "Created" ? part : `the ${part}`);

/** One deviation: what the client does, what to change, and how to do the same. */
export interface Deviation {
  /** What it changes. Two of the same part are done one after the other; two of the text exclude each other. */
  readonly of: Part | "text";
  readonly did: string;
  readonly change: string;
  /** What it makes of its part. */
  readonly make: (value: string) => string | null;
  /** How it hashes the parts. */
  readonly hash?: (values: Values, name: Hash) => string;
  /** Whether it is tried together with a second one. */
  readonly isCommon: boolean;
  /** Whether it chooses the hash as well. */
  readonly isHmac?: boolean;
}

const rest: Form = { words: "in bytes", write: (text) => text, read: () => null, change: "" };
const noValue = (part: string): string =>
  `give ${part} a value before the hash: a variable is not set, not exported or has another name there`;

/** What a client can make of any part: a form of it, what it is a form of, a hash of it, the word for an empty value. */
function onPart(of: Part): readonly Deviation[] {
  const part = named(of);
  const isSecret = of === "secret";
  return [
    ...forms.flatMap(({ words, write, read, change }, index): readonly Deviation[] => {
      const isCommon = index < common && of !== "Created";
      const decoded = `decoded to bytes (it is ${isSecret ? "" : "sent "}${words})`;
      return [
        { of, did: `hashes ${part} ${words}`, make: write, change, isCommon },
        { of, did: `hashes ${part} ${decoded}`, make: read, change: "", isCommon },
      ];
    }),
    ...(["sha1", "md5", "sha256", "sha512"] as const).flatMap((hash) =>
      [inHex, rest, inBase64].map(({ words, write }): Deviation => {
        const did = `hashes the ${hashes[hash][0]} of ${part} ${words}`;
        const isCommon = isSecret && hash !== "sha512" && words !== inBase64.words;
        return { of, did, make: (value) => write(hashOf(hash, value)), change: "", isCommon };
      }),
    ),
    ...emptyWords.map((word): Deviation => {
      const did = `hashes the word ${word} in place of ${part}`;
      return { of, did, make: () => word, change: noValue(part), isCommon: false };
    }),
  ];
}

/** The bytes of the Nonce in every form: it is sent in one and hashed in another. */
const onDecoded = (nonce: string): readonly Deviation[] =>
  readingsOf(nonce, 1)
    .slice(1)
    .flatMap(({ text, written }) =>
      forms.flatMap(({ words, write, read }): readonly Deviation[] => {
        const did = `hashes the Nonce decoded to bytes (it is sent ${formsText(written)})`;
        return [
          {
            of: "Nonce",
            did: `${did}, and then ${words}`,
            make: () => write(text),
            change: "",
            isCommon: false,
          },
          {
            of: "Nonce",
            did: `${did}, twice (${words})`,
            make: () => read(text),
            change: "",
            isCommon: false,
          },
        ];
      }),
    );

const twoDigits = (value: number): string => String(Math.floor(value)).padStart(2, "0");

/** Every other form that ISO 8601 and Unix have for the time of Created, some seconds off, and in another time zone. */
function onTime(created: string): readonly Deviation[] {
  const at = createdSeconds(created);
  if (at === null) return [];
  const timeOf = (seconds: number): string =>
    orNull(() => new Date(seconds * 1000).toISOString().slice(0, 19)) ?? "";
  const digits = /[.,](\d+)/.exec(created)?.[1] ?? "";
  const time = timeOf(at);
  const [zone, texts] = [created.slice(19), new Map<string, boolean>()];
  for (const size of [0, 3, 6, 7, 9]) {
    const fraction = size === 0 ? "" : `.${digits.padEnd(size, "0").slice(0, size)}`;
    for (const suffix of ["Z", "+00:00", "+0000", "", " UTC"]) {
      texts.set(time + fraction + suffix, size < 6 && suffix !== " UTC");
      texts.set(time.replace("T", " ") + fraction + suffix, false);
    }
    if (size < 6) texts.set(at + fraction.slice(1), true);
  }
  texts.set(`${time.replaceAll(/[-:]/g, "")}Z`, false);
  for (const off of [-1, 1, -2, 2]) texts.set(timeOf(at + off) + zone, off === -1);
  // All time zones are whole quarters of an hour from UTC.
  for (let minutes = -12 * 60; minutes <= 14 * 60; minutes += 15) {
    const [local, size] = [timeOf(at + minutes * 60), Math.abs(minutes)];
    texts.set(local + zone, false);
    texts.set(`${local}${minutes < 0 ? "-" : "+"}${twoDigits(size / 60)}:${twoDigits(size % 60)}`, false);
  }
  texts.delete(created);
  return [...texts].map(([text, isCommon]) => {
    const did = `hashes Created as "${text}" and sends "${created}"`;
    return { of: "Created", did, make: () => text, change: "", isCommon };
  });
}

/** Another value in place of the secret, or a part of it. Eight bytes are too many to guess. */
function onSecret({ secret, token, username }: EmulatorAccount): readonly Deviation[] {
  const others = Object.entries({ token, username }).map(([name, value]): Deviation => {
    const did = `hashes the ${name} as the secret`;
    return {
      of: "secret",
      did,
      make: () => value,
      change: "",
      isCommon: name === "token",
    };
  });
  const size = toBytes(secret).length;
  const change =
    "give the client the whole secret: a column or a buffer cuts it, or a sign in it such as $, #, & or a quote ends it";
  const cuts = Array.from({ length: Math.max(0, Math.min(size - 8, 100)) }, (_, index) => size - 1 - index);
  return [
    ...others,
    ...cuts.flatMap((count): readonly Deviation[] =>
      ([0, -count] as const).map((start) => ({
        of: "secret",
        did: `hashes the ${start === 0 ? "first" : "last"} ${count} bytes of the secret alone`,
        make: (value) => (start === 0 ? value.slice(0, count) : value.slice(start)),
        change,
        isCommon: false,
      })),
    ),
  ];
}

const plainHash =
  "use a plain hash, no HMAC: sha1(…, true), not hash_hmac, in PHP; hashlib, not hmac, in Python; createHash, not createHmac, in Node.js; no -hmac for openssl";
const noSeparator =
  "join them with nothing between: `.` in PHP, `+` in Python and Node.js, printf '%s%s%s' in a shell";
const separators = [":", " ", "\n", ",", ", ", "|", "-", "_", ";", "&", ".", "+", "/", "\t", "\0"];

/** All ways to put so many of these in a row. */
const rowsOf = <Name>(names: readonly Name[], size: number): ReadonlyArray<readonly Name[]> =>
  size === 0
    ? [[]]
    : rowsOf(names, size - 1).flatMap((row) =>
        names.filter((name) => !row.includes(name)).map((name) => [...row, name]),
      );
const joined = (values: Values, names: ReadonlyArray<keyof Values>, sign = ""): string =>
  names.map((name) => values[name]).join(sign);

/** What hashes as the server does. */
export const rightHash: NonNullable<Deviation["hash"]> = (values, name) =>
  hashOf(name, values.Nonce + values.Created + values.secret);

const ofText = (did: string, hash: Deviation["hash"], change: string, isCommon = false): Deviation => ({
  ...{ of: "text", did, hash: hash ?? rightHash, change, make: () => null, isCommon },
});

/** Other texts of the same parts: another order, one left out or twice, the username, an HMAC, separators, a form or a hash of the whole. */
const onText: readonly Deviation[] = [
  ...[
    ...[3, 2, 1, 0].flatMap((size) => rowsOf<keyof Values>(inOrder, size)),
    ...inOrder.map((name) => inOrder.flatMap((one) => (one === name ? [one, one] : [one]))),
    ...rowsOf(["Nonce", "Created", "secret", "username"] as const, 4),
  ]
    .slice(1)
    .map((names): Deviation => {
      const missing = inOrder.filter((name) => !names.includes(name));
      const order = names.length > 1 ? `${names.join(", ")} in this order` : names.join() || "nothing";
      const without = missing.length === 0 ? "" : `, without ${missing.join(" and ")} (or with an empty one)`;
      const changes = missing.map((name) => noValue(named(name))).join("; ");
      const isCommon = names.length > 1 && !names.includes("username");
      return ofText(
        `hashes ${order}${without}`,
        (v, name) => hashOf(name, joined(v, names)),
        changes,
        isCommon,
      );
    }),
  ...(
    [
      ["secret", ["Nonce", "Created"]],
      ["secret", inOrder],
      ["Nonce", ["Created", "secret"]],
    ] as const
  ).map(([key, names]): Deviation => {
    const did = `makes an HMAC of ${names.join(", ")} with the ${key} as its key`;
    const hash: Deviation["hash"] = (values, name) => hmacOf(name, values[key], joined(values, names));
    return { ...ofText(did, hash, plainHash, true), isHmac: true };
  }),
  ...separators.map((sign) =>
    ofText(
      `hashes ${JSON.stringify(sign)} between the parts`,
      (values, name) => hashOf(name, joined(values, inOrder, sign)),
      noSeparator,
    ),
  ),
  ...forms.map(({ words, write, change }) =>
    ofText(
      `hashes the whole text ${words}`,
      (values, name) => hashOf(name, write(joined(values, inOrder))),
      `hash the text itself: ${change}`,
    ),
  ),
  ...[inHex, rest, inBase64].map(({ words, write }) =>
    ofText(
      `hashes the hash once more, ${words}`,
      (values, name) => hashOf(name, write(rightHash(values, name))),
      "hash once, and write the bytes of that hash in base64",
    ),
  ),
];

const asSent: Deviation = {
  of: "Nonce",
  did: "hashes the Nonce as the text that it sends",
  make: (value) => value,
  change: "",
  isCommon: true,
};
const onParts = [asSent, ...inOrder.flatMap(onPart)];

/** All deviations with what they make of their part, in the order in which they are tried, and the values that the server hashes. */
export function deviationsOf(sent: UsernameToken, account: EmulatorAccount) {
  const sentAs: Values = {
    Nonce: sent.nonce,
    Created: sent.created,
    secret: toBytes(account.secret),
    username: sent.username,
  };
  const bytes = Buffer.from(sent.nonce, "base64").toString("latin1");
  const right = isDecoded(account.digest) ? { ...sentAs, Nonce: bytes } : sentAs;
  // What changes nothing is no deviation.
  const seen = {
    Nonce: new Set([right.Nonce]),
    Created: new Set([right.Created]),
    secret: new Set([right.secret]),
  };
  const all = [...onTime(sent.created), ...onSecret(account), ...onParts, ...onDecoded(sent.nonce)].flatMap(
    (one) => {
      const made = one.of === "text" ? null : one.make(sentAs[one.of]);
      if (made === null || one.of === "text" || seen[one.of].has(made)) return [];
      seen[one.of].add(made);
      return [{ ...one, made }];
    },
  );
  return { right, deviations: [...onText.map((one) => ({ ...one, made: "" })), ...all] };
}

/** Whether a convention hashes the bytes of the Nonce. */
export const isDecoded = (digest: ConventionName): boolean =>
  digest === "base64-nonce" || digest === "decoded-nonce";
/** What a convention expects of a part or of the text, and what to change if a client deviates from it. */
export function expectedOf(
  of: Deviation["of"],
  digest: ConventionName,
): readonly [ours: string, change: string] {
  if (of === "text")
    return [
      "Nonce, Created, secret in this order and nothing else",
      "hash Nonce, Created and secret in this order, each once, with nothing between them",
    ];
  if (of === "Created")
    return [
      "Created as it is sent",
      "make Created once, and use the same text in the hash and in the header",
    ];
  if (of === "secret") return ["the secret itself", "hash the secret itself, with nothing around it"];
  return isDecoded(digest)
    ? [
        "the bytes of the Nonce (decoded from base64)",
        'hash the bytes that the Nonce decodes to: base64_decode($nonce) in PHP, base64.b64decode(nonce) in Python, Buffer.from(nonce, "base64") in Node.js',
      ]
    : [
        "the Nonce as it is sent",
        "hash the Nonce as it stands in the header, as text, neither decoded nor encoded",
      ];
}

/** How each convention writes the hash: the forms one after the other. */
export const rightForms = (digest: ConventionName): readonly Form[] =>
  digest === "hex-digest" ? [inHex, inBase64] : [inBase64];

/** How to write the hash as a convention does. */
export function writingChange(digest: ConventionName, hash: HashName): string {
  const php = hash === "sha1" ? ["sha1($text", ""] : [`hash('${hash}', $text`, ""];
  return digest === "hex-digest"
    ? `write the lower-case hexadecimal of the hash in base64: base64_encode(${php[0]})) in PHP, without \`true\`; .hexdigest() in Python and .digest("hex") in Node.js, then base64`
    : `write the bytes of the hash in base64: base64_encode(${php[0]}, true)) in PHP; .digest(), not .hexdigest(), in Python; .digest("base64") in Node.js; Convert.ToBase64String(hash) in C#; Base64.getEncoder().encodeToString(hash) in Java`;
}
/** How to hash with the hash of the account. */
export const hashChange = (hash: HashName): string =>
  `hash with ${hashes[hash][0]}: ${hash === "sha1" ? "sha1" : `hash('${hash}', …)`} in PHP, hashlib.${hash} in Python, createHash("${hash}") in Node.js, ${hash.toUpperCase()}.HashData in C#, MessageDigest.getInstance("${hashes[hash][0]}") in Java, openssl dgst -${hash} in a shell`;
