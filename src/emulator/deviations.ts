// How a client may make a PasswordDigest: hash(whole(names joined by a sign)), of three parts. Each deviation from what the account
// expects changes one of these, by the forms of forms.ts and a few operations more. digest-search.ts tries them, alone and in pairs.

import * as crypto from "node:crypto";
import { orNull } from "../errors.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { createdSeconds } from "./created.ts";
import {
  common,
  type Form,
  forms,
  inBase64,
  inHex,
  inUpperHex,
  oneSign,
  signsAround,
  toBytes,
} from "./forms.ts";
import { formsText, readingsOf } from "./values.ts";

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

/** A hash in bytes; empty if this OpenSSL does not offer it. */
function hashOf(name: Hash, bytes: string): string {
  // A text of ASCII, which UTF-8 does not make longer, is hashed without a copy.
  const data = Buffer.byteLength(bytes) === bytes.length ? bytes : Buffer.from(bytes, "latin1");
  return offered[name] ? oneShot(name, data, "binary") : "";
}
const offered = Object.fromEntries(
  Object.keys(hashes).map((name) => [name, crypto.getHashes().includes(name)]),
);

/** An HMAC in bytes (RFC 2104). Node's own costs ten times as much for short texts. */
function hmacOf(name: Hash, key: string, bytes: string): string {
  const block = hashes[name][1] > 32 ? 128 : 64;
  const whole = (key.length > block ? hashOf(name, key) : key).padEnd(block, "\0");
  const mixed = (mask: number): string =>
    Buffer.from(Buffer.from(whole, "latin1").map((byte) => byte ^ mask)).toString("latin1");
  return hashOf(name, mixed(0x5c) + hashOf(name, mixed(0x36) + bytes));
}

type Part = "Nonce" | "Created" | "secret";
type Value = Part | "username";
const inOrder = ["Nonce", "Created", "secret"] as const;
const named = (part: Value): string => (part === "Created" ? part : `the ${part}`);

/** How a client makes the bytes of its hash. Each character of a text stands for a byte. */
export interface Recipe extends Readonly<Record<Value, string>> {
  readonly names: readonly Value[];
  /** Stands between the parts. */
  readonly sign: string;
  readonly whole: Form["write"] | null;
  /** What is the key of an HMAC; null for a plain hash. */
  readonly key: Value | null;
}

/** The bytes of a hash that is made so. */
export function hashed(recipe: Recipe, name: Hash): string {
  const { names, sign, whole, key } = recipe;
  let text = "";
  // Thousands are made for a search, and an iterator costs as much as a hash.
  for (let index = 0; index < names.length; index += 1)
    text += (index === 0 ? "" : sign) + recipe[names[index] ?? "Nonce"];
  if (whole !== null) text = whole(text);
  return key === null ? hashOf(name, text) : hmacOf(name, recipe[key], text);
}

/** One deviation: what the client does, what to change, and how to do the same. */
export interface Deviation {
  /** What it changes. Two of the same part are done one after the other; two of the same other thing exclude each other. */
  readonly of: Part | "names" | "sign" | "whole";
  readonly did: () => string;
  readonly change: string;
  /** The recipe with it; null if it changes nothing. */
  readonly make: (recipe: Recipe) => Recipe | null;
  /** Whether it is tried together with a second one. */
  readonly isCommon: boolean;
}

const ofPart = (
  of: Part,
  did: () => string,
  write: (value: string) => string | null,
  change = "",
  isCommon = false,
): Deviation => {
  const make = (recipe: Recipe): Recipe | null => {
    const made = write(recipe[of]);
    return made === null || made === recipe[of] ? null : { ...recipe, [of]: made };
  };
  return { of, did, change, isCommon, make };
};
const ofText = (
  of: "names" | "sign" | "whole",
  did: string,
  changes: Partial<Recipe>,
  change = "",
  isCommon = false,
): Deviation => ({ of, did: () => did, change, isCommon, make: (recipe) => ({ ...recipe, ...changes }) });

const noValue = (part: string): string =>
  `give ${part} a value before the hash: a variable is not set, not exported or has another name there`;
const plainHash =
  "use a plain hash, no HMAC: sha1(…, true), not hash_hmac, in PHP; hashlib, not hmac, in Python; createHash, not createHmac, in Node.js; no -hmac for openssl";
const noSeparator =
  "join them with nothing between: `.` in PHP, `+` in Python and Node.js, printf '%s%s%s' in a shell";
const hashOnce = "hash once, and nothing but the text";

const inBytes: Form = { words: "in bytes", write: (text) => text, read: () => null, change: "" };
const hashesOfParts = ["md5", "sha1", "sha256", "sha512"] as const;
/** A hash of a text in each writing. */
const hashForms = [inHex, inBytes, inBase64, inUpperHex].flatMap((form) =>
  hashesOfParts.map((name) => ({
    words: `${hashes[name][0]} of ${"%"} ${form.words}`,
    write: (text: string): string => form.write(hashOf(name, text)),
    isCommon: form === inHex,
  })),
);

/** What a client can make of any part: a form of it, what it is a form of, a hash of it. */
const onPart = (of: Part): readonly Deviation[] => {
  const part = named(of);
  // The secret is the last part.
  const whose = (words: string): string =>
    of === "secret" && words.endsWith("behind it") ? "the secret, or the whole text," : part;
  const ofForms = forms.flatMap(({ words, write, read, change }, index) => {
    const isCommon = index < common && of !== "Created";
    return [
      ofPart(of, () => `hashes ${whose(words)} ${words}`, write, change, isCommon),
      ofPart(of, () => `decodes ${part} (it is ${words}) before the hash`, read, "", false),
    ];
  });
  const ofHashes = hashForms.map(({ words, write, isCommon }) =>
    ofPart(of, () => `hashes the ${words.replace("%", part)}`, write, hashOnce, isCommon && of === "secret"),
  );
  return [...ofForms, ...ofHashes];
};

/** One character before or behind a part, which nobody sees or expects. The secret may end in any: it is not told. */
const oneMore = (of: "Nonce" | "secret", signs: typeof signsAround): readonly Deviation[] =>
  signs.flatMap(({ sign, words }) => {
    const shown = of === "secret" && /^[!-~]$/.test(sign) ? "one character more" : words;
    const change = `take ${shown === words ? words : "it"} away`;
    const before = ofPart(
      of,
      () => `hashes ${named(of)} with ${shown} before it`,
      (text) => sign + text,
      change,
    );
    const behind = ofPart(
      of,
      () => `hashes ${named(of)} with ${shown} behind it`,
      (text) => text + sign,
      change,
    );
    return [before, behind];
  });

/** The bytes of the Nonce in every form: it is sent in one and hashed in another. */
const onDecoded = (nonce: string): readonly Deviation[] =>
  readingsOf(nonce, 1)
    .slice(1)
    .flatMap(({ text, written }) => {
      const did = `hashes the Nonce decoded to bytes (it is sent ${formsText(written)})`;
      const made = [
        { words: "", write: () => text },
        ...forms.flatMap(({ words, write, read }) => [
          { words: `, and then ${words}`, write },
          { words: `, twice (${words})`, write: read },
        ]),
        ...hashForms.map(({ words, write }) => ({
          words: `, and of that the ${words.replace("%", "it")}`,
          write,
        })),
      ];
      return made.map(({ words, write }, index) =>
        ofPart(
          "Nonce",
          () => did + words,
          () => write(text),
          "",
          index === 0 || words.endsWith("then in base64"),
        ),
      );
    });

const twoDigits = (value: number): string => String(Math.floor(value)).padStart(2, "0");

// Minutes from UTC: whole hours, and the others of the tz database.
const zones = [
  ...Array.from({ length: 27 }, (_, at) => 60 * at - 720),
  ...[-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825],
];

/** Every other form that ISO 8601 and Unix have for the time of Created, some seconds off, and in another time zone. */
function onTime(created: string): readonly Deviation[] {
  const at = createdSeconds(created);
  if (at === null) return [];
  const timeOf = (seconds: number): string =>
    orNull(() => new Date(seconds * 1000).toISOString().slice(0, 19)) ?? "";
  const digits = /[.,](\d+)/.exec(created)?.[1] ?? "";
  const time = timeOf(at);
  const [zone = ""] = /(?:Z|[+-][\d:]+)$/.exec(created.slice(10)) ?? [];
  const texts = new Map<string, boolean>();
  const add = (text: string, isCommon = false) => texts.set(text, isCommon || texts.get(text) === true);
  const fractions = [0, 1, 2, 3, 6, 7, 9].map((size) =>
    size === 0 ? "" : `.${digits.padEnd(size, "0").slice(0, size)}`,
  );
  const usual = ["Z", "+00:00", "+0000", "", ".000Z"];
  for (const fraction of [...fractions, `,${digits.padEnd(3, "0").slice(0, 3)}`]) {
    for (const suffix of ["Z", "+00:00", "+0000", "+00", "-00:00", ""]) {
      add(time + fraction + suffix, usual.includes(fraction.replace(/\d/g, "0") + suffix));
      add(time.replace("T", " ") + fraction + suffix, fraction + suffix === "");
      add(time.replaceAll(/[-:]/g, "") + fraction + suffix);
      add(time.slice(0, 16) + suffix);
    }
    const isUnit = [0, 3, 6, 9].includes(fraction.replace(",", "").length - 1);
    add(at + fraction);
    if (fraction === "" || isUnit) add(at + fraction.slice(1), fraction.length < 5);
  }
  for (const off of [-1, 1, -2, 2])
    for (const suffix of ["Z", "+00:00", "+0000", ""])
      add(timeOf(at + off) + suffix, off === -1 && suffix === zone);
  for (const minutes of zones) {
    const [local, size] = [timeOf(at + minutes * 60), Math.abs(minutes)];
    const [hours, rest] = [twoDigits(size / 60), twoDigits(size % 60)];
    const sign = minutes < 0 ? "-" : "+";
    for (const suffix of [zone, "Z", "", `${sign}${hours}:${rest}`, `${sign}${hours}${rest}`])
      add(local + suffix);
    add(local.replace("T", " "));
  }
  return [...texts].map(([text, isCommon]) => {
    const did = (): string => `hashes Created as "${text}" and sends "${created}"`;
    return ofPart("Created", did, () => text, "", isCommon);
  });
}

const wholeSecret =
  "give the client the whole secret: a column or a buffer cuts it, or a sign in it such as $, #, & or a quote ends it";

/** A part that is cut. Eight bytes are too many to guess. */
const cutsOf = (of: "Nonce" | "secret", size: number): readonly Deviation[] =>
  Array.from({ length: Math.max(0, Math.min(size - 8, 100)) }, (_, index) => size - 1 - index).flatMap(
    (count) =>
      ([0, -count] as const).map((start) =>
        ofPart(
          of,
          () => `hashes the ${start === 0 ? "first" : "last"} ${count} bytes of ${named(of)} alone`,
          (value) => (start === 0 ? value.slice(0, count) : value.slice(start)),
          of === "secret" ? wholeSecret : "",
        ),
      ),
  );

/** Another value in place of the secret. */
const onSecret = ({ token, username }: EmulatorAccount): readonly Deviation[] => [
  ofPart(
    "secret",
    () => "hashes an empty secret",
    () => "",
    noValue("the secret"),
    true,
  ),
  ofPart(
    "secret",
    () => "hashes the token as the secret",
    () => token,
    "",
    true,
  ),
  ofPart(
    "secret",
    () => "hashes the username as the secret",
    () => username,
  ),
];

/** All ways to put so many of these in a row. */
const rowsOf = <Name>(names: readonly Name[], size: number): ReadonlyArray<readonly Name[]> =>
  size === 0
    ? [[]]
    : rowsOf(names, size - 1).flatMap((row) =>
        names.filter((name) => !row.includes(name)).map((name) => [...row, name]),
      );

const orders = [
  ...[3, 2, 1, 0].flatMap((size) => rowsOf<Value>(inOrder, size)),
  ...inOrder.flatMap((name) => [0, 1, 2, 3].map((at) => inOrder.toSpliced(at, 0, name))),
  ...rowsOf(["Nonce", "Created", "secret", "username"] as const, 4),
].slice(1);
const isSameOrder = (names: readonly Value[]): boolean =>
  names.filter((one) => one !== "username").join() === inOrder.filter((one) => names.includes(one)).join();

/** Other texts of the same parts: another order, one left out or twice, the username, an HMAC, separators, a form or a hash of the whole. */
const onText: readonly Deviation[] = [
  ...orders.map((names): Deviation => {
    const missing = inOrder.filter((name) => !names.includes(name));
    const order = names.length > 1 ? `${names.join(", ")} in this order` : names.join() || "nothing";
    const without = missing.length === 0 ? "" : `, without ${missing.join(" and ")} (or with an empty one)`;
    const changes = missing.map((name) => noValue(named(name))).join("; ");
    const isCommon = names.length === 3 || (names.length > 1 && isSameOrder(names));
    return ofText("names", `hashes ${order}${without}`, { names }, changes, isCommon);
  }),
  ...(
    [
      ["secret", ["Nonce", "Created"]],
      ["secret", inOrder],
      ["Nonce", ["Created", "secret"]],
      ["Nonce", inOrder],
      ["Created", ["Nonce", "secret"]],
      ["Created", inOrder],
    ] as const
  ).map(([key, names], at): Deviation => {
    const did = `makes an HMAC of ${names.join(", ")} with the ${key} as its key`;
    return ofText("names", did, { names, key }, plainHash, at < 3);
  }),
  ...[...oneSign, "\r\n", ", ", ": ", " + ", "::"].map((sign) => {
    const isCommon = /^[: \n,|-]$/.test(sign);
    return ofText(
      "sign",
      `hashes ${JSON.stringify(sign)} between the parts`,
      { sign },
      noSeparator,
      isCommon,
    );
  }),
  ...forms.map(({ words, write, change }, index) =>
    ofText(
      "whole",
      `hashes the whole text ${words}`,
      { whole: write },
      `hash the text itself: ${change}`,
      index === 0,
    ),
  ),
  ...hashForms.map(({ words, write, isCommon }) =>
    ofText("whole", `hashes the ${words.replace("%", "the text")}`, { whole: write }, hashOnce, isCommon),
  ),
];

const isUsual = ({ of, isCommon }: Deviation): boolean => isCommon || (of !== "sign" && of !== "Created");
const always = [...(["secret", "Nonce", "Created"] as const).flatMap(onPart), ...onText];
const rare = [
  ...always.filter((one) => !isUsual(one)),
  ...oneMore("secret", signsAround),
  ...oneMore(
    "Nonce",
    signsAround.filter(({ isRare }) => !isRare),
  ),
];

/** All deviations, in the order in which they are tried: those of every convention, and those of the server's own alone. */
export function deviationsOf({ nonce, created }: UsernameToken, account: EmulatorAccount) {
  const times = onTime(created);
  const usual = [
    ...onSecret(account),
    ...times.filter(({ isCommon }) => isCommon),
    ...onDecoded(nonce),
    ...always.filter(isUsual),
  ];
  const cuts = [...cutsOf("secret", toBytes(account.secret).length), ...cutsOf("Nonce", nonce.length)];
  return { usual, own: [...usual, ...times.filter(({ isCommon }) => !isCommon), ...cuts, ...rare] };
}

/** What the server hashes; `nonce` is what it hashes of the Nonce. */
export const rightRecipe = (nonce: string, { created, username }: UsernameToken, secret: string): Recipe => ({
  ...{ Nonce: nonce, Created: created, secret: toBytes(secret), username },
  ...{ names: inOrder, sign: "", whole: null, key: null },
});
