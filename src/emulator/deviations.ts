// How a client may make a PasswordDigest: hash(whole(names joined by a sign)), of three parts. Each deviation from what the account
// expects changes one of these, by the forms of forms.ts and a few operations more. digest-search.ts tries them, alone and in pairs.

import { orNull } from "../errors.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { createdSeconds } from "./created.ts";
import {
  commonForms,
  commonOfSecret,
  type Form,
  type Hash,
  hashes,
  hashOf,
  inBase64,
  madeForms,
  oneSign,
  signsAround,
  toBytes,
} from "./forms.ts";
import { readingsOf } from "./values.ts";

let lastKey: Readonly<Record<"name" | "key" | "inner" | "outer", string>> | null = null;
/** An HMAC in bytes (RFC 2104). Node's own costs ten times as much for short texts; most have the key of the one before. */
function hmacOf(name: Hash, key: string, bytes: string): string {
  if (lastKey?.name !== name || lastKey.key !== key) {
    const block = hashes[name][1] > 32 ? 128 : 64;
    const whole = Buffer.from((key.length > block ? hashOf(name, key) : key).padEnd(block, "\0"), "latin1");
    const mixed = (mask: number): string => Buffer.from(whole.map((byte) => byte ^ mask)).toString("latin1");
    lastKey = { name, key, inner: mixed(0x36), outer: mixed(0x5c) };
  }
  return hashOf(name, lastKey.outer + hashOf(name, lastKey.inner + bytes));
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

/** A recipe with another value. Its fields are written out: of such objects, V8 makes other copies many times as slowly. */
function changed<Key extends keyof Recipe>(recipe: Recipe, key: Key, value: Recipe[Key]): Recipe {
  const { Nonce, Created, secret, username, names, sign, whole, key: ofHmac } = recipe;
  const copy = { Nonce, Created, secret, username, names, sign, whole, key: ofHmac };
  copy[key as "sign"] = value as string;
  return copy;
}

/** What the server hashes; `nonce` is what it hashes of the Nonce. */
export const rightRecipe = (Nonce: string, { created, username }: UsernameToken, secret: string): Recipe => ({
  ...{ Nonce, Created: created, secret: toBytes(secret), username },
  ...{ names: inOrder, sign: "", whole: null, key: null },
});

/** The hash that a client makes by this recipe, in bytes. */
export function hashed(recipe: Recipe, name: Hash): string {
  const { names, sign, whole, key } = recipe;
  let text = "";
  // No iterator: it costs as much as a hash, and a search makes thousands.
  for (let index = 0; index < names.length; index += 1)
    text += (index === 0 ? "" : sign) + recipe[names[index] ?? "Nonce"];
  if (whole !== null) text = whole(text);
  return key === null ? hashOf(name, text) : hmacOf(name, recipe[key], text);
}

/** One deviation: what the client does, what to change, and how to do the same. */
export interface Deviation {
  /** What it changes. Two of the same part are done one after the other; two of the same other thing exclude each other. */
  readonly of: Part | "names" | "sign" | "whole";
  readonly did: string;
  readonly change: string;
  /** The recipe with it; null if it changes nothing. */
  readonly make: (recipe: Recipe) => Recipe | null;
  /** Whether it is tried together with a second one. */
  readonly isCommon: boolean;
}

function ofPart(of: Part, did: string, write: Form["read"], change = "", isCommon = false): Deviation {
  const make = (recipe: Recipe): Recipe | null => {
    const made = write(recipe[of]);
    return made === null || made === recipe[of] ? null : changed(recipe, of, made);
  };
  return { of, did, change, isCommon, make };
}
const noValue = (part: string): string =>
  `give ${part} a value before the hash: a variable is not set, not exported or has another name there`;
const plainHash =
  "use a plain hash, no HMAC: sha1(…, true), not hash_hmac, in PHP; hashlib, not hmac, in Python; createHash, not createHmac, in Node.js; no -hmac for openssl";
const noSeparator =
  "join them with nothing between: `.` in PHP, `+` in Python and Node.js, printf '%s%s%s' in a shell";
const wholeSecret =
  "give the client the whole secret: a column or a buffer cuts it, or a sign in it such as $, #, & or a quote ends it";

/** A part in a form, or what it is a form of. */
const formsOf = (of: Part, common: readonly Form[]): readonly Deviation[] =>
  madeForms.flatMap((form) => {
    const { words, write, read, change } = form;
    // The secret is the last part.
    const isEnd = of === "secret" && words.endsWith("behind it");
    const did = `hashes ${isEnd ? "the secret, or the whole text," : named(of)} ${words}`;
    return [
      ofPart(of, did, write, change, common.includes(form)),
      ofPart(of, `decodes ${named(of)} (it is ${words}) before the hash`, read),
    ];
  });

/** The bytes of the Nonce in every form: it is sent in one and hashed in another. */
const onDecoded = (nonce: string): readonly Deviation[] =>
  readingsOf(nonce, 1).flatMap(({ text, written: [sent] }) => {
    if (sent === undefined) return [];
    const did = `hashes the Nonce decoded to bytes (it is sent ${sent.words})`;
    const others = madeForms.flatMap((form) => [
      ofPart("Nonce", `${did}, and then ${form.words}`, () => form.write(text), "", form === inBase64),
      ofPart("Nonce", `${did}, twice (${form.words})`, () => form.read(text)),
    ]);
    return [ofPart("Nonce", did, () => text, "", true), ...others];
  });

/** One character before or behind a part, which nobody sees or expects. */
const oneMore = (of: "Nonce" | "secret", signs: typeof signsAround): readonly Deviation[] =>
  signs.flatMap(({ sign, words }) => {
    // The secret may begin or end in it: it is not told.
    const isHidden = of === "secret" && /^[!-~]$/.test(sign);
    const did = `hashes ${named(of)} with ${isHidden ? "one character more" : words}`;
    const change = `take ${isHidden ? "it" : words} away`;
    return [
      ofPart(of, `${did} before it`, (text) => sign + text, change),
      ofPart(of, `${did} behind it`, (text) => text + sign, change),
    ];
  });

/** A part that is cut. Eight bytes are too many to guess. */
function cutsOf(of: "Nonce" | "secret", size: number): readonly Deviation[] {
  const change = of === "secret" ? wholeSecret : "";
  const did = (side: string): string => `hashes the ${side} bytes of ${named(of)} alone`;
  return Array.from({ length: Math.max(0, Math.min(size, 108) - 8) }, (_, at) => size - 1 - at).flatMap(
    (count) => [
      // A column or a buffer has such a size.
      ofPart(of, did(`first ${count}`), (value) => value.slice(0, count), change, count % 8 === 0),
      ofPart(of, did(`last ${count}`), (value) => value.slice(-count), change),
    ],
  );
}

/** Another value in place of the secret. */
const onSecret = ({ token, username }: EmulatorAccount): readonly Deviation[] => [
  ofPart("secret", "hashes an empty secret", () => "", noValue("the secret"), true),
  ofPart("secret", "hashes the token as the secret", () => token, "", true),
  ofPart("secret", "hashes the username as the secret", () => username),
];

// Minutes from UTC: whole hours, and the others of the tz database.
const zones = [
  ...Array.from({ length: 27 }, (_, at) => 60 * at - 720),
  ...[-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825],
];
const zoneText = (minutes: number): string => {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
};

/** Every other form that ISO 8601 and Unix have for the time of Created, some seconds off, and in another time zone. */
function onTime(created: string): readonly Deviation[] {
  const at = createdSeconds(created);
  if (at === null) return [];
  const timeOf = (seconds: number): string =>
    orNull(() => new Date(seconds * 1000).toISOString().slice(0, 19)) ?? "";
  const [zone = ""] = /(?:Z|[+-][\d:]+)$/.exec(created.slice(10)) ?? [];
  const [, digits = ""] = /[.,](\d+)/.exec(created) ?? [];
  const fraction = (size: number): string => digits.padEnd(size, "0").slice(0, size);
  const fractions = ["", ...[1, 2, 3, 6, 7, 9].map((size) => `.${fraction(size)}`), `,${fraction(3)}`];
  const time = timeOf(at);
  const local = time.replace("T", " ");
  const common = [
    ...["Z", "+00:00", "+0000", "", `.${fraction(3)}Z`].map((end) => time + end),
    ...[local, `${at}`, `${at}${fraction(3)}`],
  ];
  const texts = new Set([
    ...common,
    ...["Z", "+00:00", "+0000", "+00", ""].flatMap((end) => [
      ...[time, local, time.replaceAll(/[-:]/g, "")].flatMap((one) =>
        fractions.map((part) => one + part + end),
      ),
      time.slice(0, 16) + end,
    ]),
    ...[...fractions, fraction(6), fraction(9)].map((part) => at + part),
    ...[-1, 1, -2, 2].flatMap((off) => ["Z", "+00:00", "+0000", ""].map((end) => timeOf(at + off) + end)),
    ...zones.flatMap((minutes) => {
      const there = timeOf(at + minutes * 60);
      return [...[zone, "Z", "", zoneText(minutes)].map((end) => there + end), there.replace("T", " ")];
    }),
  ]);
  return [...texts].map((text) => {
    const did = `hashes Created as "${text}" and sends "${created}"`;
    return ofPart("Created", did, () => text, "", common.includes(text));
  });
}

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
/** Whether the parts stand in their order, but for the username, one that is missing, or one that is there twice in a row. */
const isUsualOrder = (names: readonly Value[]): boolean => {
  const places = names.filter((one) => one !== "username").map((one) => inOrder.indexOf(one));
  return places.every((place, at) => place >= (places[at - 1] ?? 0));
};

/** Other texts of the same parts: another order, one left out or twice, the username, an HMAC, a form of the whole. */
const onText: readonly Deviation[] = [
  ...orders.map((names): Deviation => {
    const missing = inOrder.filter((name) => !names.includes(name));
    const order = names.length > 1 ? `${names.join(", ")} in this order` : names.join() || "nothing";
    const without = missing.length === 0 ? "" : `, without ${missing.join(" and ")} (or with an empty one)`;
    const changes = missing.map((name) => noValue(named(name))).join("; ");
    const isCommon = names.length === 3 || (names.length > 1 && isUsualOrder(names));
    const make = (recipe: Recipe): Recipe => changed(recipe, "names", names);
    return { of: "names", did: `hashes ${order}${without}`, change: changes, isCommon, make };
  }),
  ...inOrder.flatMap((key) =>
    [inOrder.filter((one) => one !== key), inOrder].map((names): Deviation => {
      const did = `makes an HMAC of ${names.join(", ")} with the ${key} as its key`;
      const isCommon = key === "secret" || (key === "Nonce" && names.length < 3);
      const make = (recipe: Recipe): Recipe => changed(changed(recipe, "names", names), "key", key);
      return { of: "names", did, change: plainHash, isCommon, make };
    }),
  ),
  ...madeForms.map((form): Deviation => {
    const [did, change] = [`hashes the whole text ${form.words}`, `hash the text itself: ${form.change}`];
    const make = (recipe: Recipe): Recipe => changed(recipe, "whole", form.write);
    return { of: "whole", did, change, isCommon: commonForms.includes(form), make };
  }),
];
const separators = [...oneSign, "\r\n", ", ", ": ", " + ", "::"].map((sign): Deviation => {
  const did = `hashes ${JSON.stringify(sign)} between the parts`;
  const isCommon = /^(?:[-:,;|.+ \n]|, )$/.test(sign);
  return { of: "sign", did, change: noSeparator, isCommon, make: (recipe) => changed(recipe, "sign", sign) };
});

const signsOfNonce = signsAround.filter(({ isRare }) => !isRare);
const usualOnes = [
  ...formsOf("secret", commonOfSecret),
  ...formsOf("Nonce", commonForms),
  ...onText,
  ...separators.filter(({ isCommon }) => isCommon),
];
const rareOnes = [
  ...formsOf("Created", []),
  ...separators.filter(({ isCommon }) => !isCommon),
  ...oneMore("secret", signsAround),
  ...oneMore("Nonce", signsOfNonce),
];

/** All deviations, in the order in which they are tried: those of every convention, and those of the server's own alone. */
export function deviationsOf({ nonce, created }: UsernameToken, account: EmulatorAccount) {
  const times = onTime(created);
  const usual = [
    ...onSecret(account),
    ...times.filter(({ isCommon }) => isCommon),
    ...onDecoded(nonce),
    ...usualOnes,
  ];
  const cuts = [...cutsOf("secret", toBytes(account.secret).length), ...cutsOf("Nonce", nonce.length)];
  return { usual, own: [...usual, ...times.filter(({ isCommon }) => !isCommon), ...cuts, ...rareOnes] };
}
