// Finds how a wrong PasswordDigest was made, by the slips of slips.ts, and says it. Three things decide which slip is named:
//
// 1. What is no hash (`noHashes`) is compared as it was sent, before any search.
// 2. From the digest it goes back to the bytes of its hash, which is cheap (`readings`). Then it hashes what each slip, and each pair of
//    slips, would hash, until that gives the same bytes. One slip counts before two, whether in what is hashed, in the hash or in how it
//    is written; of equally many the first row of the tables.
// 3. If nothing does, it says what the digest looks like.

import { timingSafeEqual } from "node:crypto";
import {
  type ConventionName,
  conventionNames,
  type DigestAlgorithm,
  hashNames,
  passwordDigest,
} from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { because, type Reason } from "./answer.ts";
import * as written from "./digest-writings.ts";
import * as slips from "./slips.ts";
import { createdSeconds } from "./username-token.ts";

/** Compares two digests in constant time. Their length depends on convention and hash alone, which are no secret. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a PasswordDigest is the one that the account must send. */
export function digestMatches(sent: UsernameToken, { digest, hash, secret }: EmulatorAccount): boolean {
  return isSame(sent.passwordDigest, passwordDigest({ ...sent, digest, hash, secret }));
}

const mostSteps = 4;
const longestDigest = 400;
const mostTexts = 100;

/** One way to read the sent digest: the bytes of a hash, and the slips in how it was made and written. */
interface Reading {
  readonly raw: string;
  readonly hash: (typeof slips.sizes)[number]["name"];
  /** The index of its row in `writings`. */
  readonly writing: number;
  /** The slip of another hash, if it is one; it stands before those in what is hashed. */
  readonly ofHash: ReadonlyArray<Pick<Part, "did" | "ours" | "change">>;
  /** The slips of writing it: another row of `writings`, and what was done to the text after that. They stand behind. */
  readonly ofWriting: Reading["ofHash"];
}

/** All ways to read a digest, first those with another hash, then those with the fewest slips of writing. The hash is known by its size. */
function readings(sent: string, { digest, hash: ours }: EmulatorAccount): readonly Reading[] {
  const seen = new Set<string>();
  let level: readonly string[] = sent.length > longestDigest ? [] : [sent];
  for (let step = 0; step < mostSteps && seen.size < mostTexts; step += 1) {
    const next = new Set(level.flatMap((text) => written.undoings.flatMap((undo) => undo(text))));
    level = [...next].filter((text) => text.length >= 16 && !seen.has(text));
    for (const text of level) seen.add(text);
  }
  const right = written.rightWriting[digest];
  const expected = { ours: written.rightWritings[right] ?? "" };
  const usual = written.writingChanges[right]?.(ours) ?? "";
  const all = [...seen].flatMap((raw): readonly Reading[] => {
    const hash = slips.sizes.find(({ size }) => size === raw.length)?.name;
    // If all bytes are printable, they are a text that is encoded again, and no hash.
    if (hash === undefined || /[^\0-\xff]|^[ -~]+$/.test(raw)) return [];
    const words = { ours: slips.hashes[ours][0], change: written.hashChange(ours, right) };
    const ofHash = hash === ours ? [] : [{ did: `hashes with ${slips.hashes[hash][0]}`, ...words }];
    const bare = written.writings.findIndex(([, write]) => write(raw).includes(sent));
    return written.writings.flatMap(([did, write, own = usual], writing): readonly Reading[] => {
      const isWrapped = (wrap: (text: string) => readonly string[]): boolean =>
        bare < 0 && write(raw).some((text) => wrap(text).includes(sent));
      const [done, , change = ""] = written.wrappings.find(([, wrap]) => isWrapped(wrap)) ?? [];
      if (writing !== bare && done === undefined) return [];
      const ofWriting = [
        // What a row of its own says leads to base64 of the hash.
        ...(writing === right ? [] : [{ did, ...expected, change: right === 0 ? own : usual }]),
        ...(done === undefined ? [] : [{ did: done, ...expected, change }]),
      ];
      return [{ raw, hash, writing, ofHash, ofWriting }];
    });
  });
  return all.sort((a, b) => b.ofHash.length - a.ofHash.length || a.ofWriting.length - b.ofWriting.length);
}

/** A slip in what is hashed: what the client does, what the server expects and what to change. */
interface Part {
  readonly did: string;
  readonly ours: string;
  readonly change: string;
  /** The table that it is from; null for a rare one, which is tried alone. Two slips of the same table exclude each other. */
  readonly dimension: "text" | "nonce" | "created" | "secret" | null;
  /** The index of its row in the table. */
  readonly row: number;
  /** What it puts in the place of what is right. */
  readonly input: {
    readonly join?: (typeof slips.texts)[number][1];
    readonly nonce?: string;
    readonly created?: string;
    readonly secret?: string;
  };
}

/** What the rows of the tables are made of. */
const materialOf = (sent: UsernameToken, { digest, hash, secret, token }: EmulatorAccount) => ({
  ...{ ...sent, secret: slips.bytesOf(secret), token, at: createdSeconds(sent.created) },
  ...{ sent: sent.passwordDigest, right: passwordDigest({ ...sent, digest, hash, secret }) },
});

/** What the server hashes, and the slips that would hash other bytes, in the order of the table. */
function partsOf(material: ReturnType<typeof materialOf>, digest: ConventionName) {
  const parts: Part[] = [];
  /** Adds the slips of a table, and returns what is right. */
  function dimension(
    name: "nonce" | "created" | "secret",
    [rows, rare]: readonly [typeof slips.nonces, typeof slips.nonces],
    [right, ours, usual]: (typeof slips.rightNonces)[ConventionName],
  ): string {
    const expected = rows[right]?.[1](material) ?? "";
    const seen = new Set<string | null>([expected, null]);
    for (const [row, [did, make, change = usual]] of [...rows, ...rare].entries()) {
      const made = make(material);
      if (made === null || seen.has(made)) continue;
      seen.add(made);
      const dimension = row < rows.length ? name : null;
      parts.push({ did, ours, change, dimension, row, input: { [name]: made } });
    }
    return expected;
  }
  const [[, join], ...orders] = slips.texts;
  for (const [index, [did, made, change = slips.textChange]] of [...orders, ...slips.rareTexts].entries()) {
    const dimension = index < orders.length ? "text" : null;
    parts.push({ did, ours: slips.rightText, change, dimension, row: index + 1, input: { join: made } });
  }
  const right = {
    join,
    nonce: dimension("nonce", [slips.nonces, slips.rareNonces], slips.rightNonces[digest]),
    created: dimension("created", [slips.times, slips.rareTimes], slips.rightTime),
    secret: dimension("secret", [slips.secrets, slips.rareSecrets], slips.rightSecret),
  };
  return { right, parts, username: material.username };
}

/** The first `count` slips of the table that give this hash together; null if none do, as fewer than none. */
function slipsIn(
  { raw, hash }: Reading,
  count: number,
  { right, parts, username }: ReturnType<typeof partsOf>,
): readonly Part[] | null {
  const fits = (one?: Part, other?: Part): boolean => {
    const [a, b] = [one?.input ?? right, other?.input ?? right];
    const joined = (a.join ?? b.join ?? right.join)(
      a.nonce ?? b.nonce ?? right.nonce,
      a.created ?? b.created ?? right.created,
      a.secret ?? b.secret ?? right.secret,
      username,
      hash,
    );
    const [key, text] = typeof joined === "string" ? [null, joined] : joined;
    return (key === null ? slips.hashOf(hash, text) : slips.hmacOf(hash, key, text)) === raw;
  };
  if (count <= 0) return count === 0 && fits() ? [] : null;
  if (count === 1) {
    const only = parts.find((part) => fits(part));
    return only === undefined ? null : [only];
  }
  const pairable = parts.filter(({ dimension }) => dimension !== null);
  for (const [index, one] of pairable.entries())
    for (const other of pairable.slice(index + 1))
      if (one.dimension !== other.dimension && fits(one, other)) return [one, other];
  return null;
}

/** The convention and the hash that the client follows; null for none, and for those of the account. */
function otherConvention(
  { hash, writing }: Reading,
  between: readonly Part[],
  sent: UsernameToken,
  account: EmulatorAccount,
): DigestAlgorithm | null {
  const nonce = between.find(({ dimension }) => dimension === "nonce");
  // A convention is a way to hash the Nonce and to write the hash. Another secret changes neither.
  if (!between.every((part) => part === nonce || part.dimension === "secret")) return null;
  const row = nonce?.row ?? slips.rightNonces[account.digest][0];
  const names = conventionNames.filter(
    (name) => slips.rightNonces[name][0] === row && written.rightWriting[name] === writing,
  );
  // base64-nonce and decoded-nonce differ only in how the Nonce is sent.
  const isHex = /^[\da-f]+$/i.test(sent.nonce);
  const digest = names.includes(account.digest)
    ? account.digest
    : names.find((name) => name !== "base64-nonce" || !isHex);
  const known = hashNames.find((name) => name === hash);
  if (digest === undefined || known === undefined) return null;
  return digest === account.digest && known === account.hash ? null : { digest, hash: known };
}

/** The sentences about slips, and what to change. They name the convention that the client follows, if it is another one. */
function sentencesOf(
  reading: Reading,
  between: readonly Part[],
  sent: UsernameToken,
  account: EmulatorAccount,
  found: Reading["ofHash"] = [...reading.ofHash, ...between, ...reading.ofWriting],
): Reason {
  const theirs = otherConvention(reading, between, sent, account);
  const named = ({ digest, hash }: DigestAlgorithm): string =>
    theirs === null ? "" : ` (${digest} with ${hash})`;
  const flags = (["digest", "hash"] as const).flatMap((name) =>
    theirs === null || theirs[name] === account[name] ? [] : [`--${name} ${theirs[name]}`],
  );
  const isAll = between.every(({ dimension }) => dimension === "nonce");
  const instead = `if your API expects what the client does, start the emulator with ${flags.join(" ")}`;
  const changes = [...found.map(({ change }) => change), ...(isAll && flags.length > 0 ? [instead] : [])];
  const both = (name: "did" | "ours"): string => [...new Set(found.map((slip) => slip[name]))].join(" and ");
  const detail = `the client ${both("did")}${named(theirs ?? account)}; this server expects ${both("ours")}${named(account)}`;
  return because("digest", detail, changes.join("; "));
}

/** What a PasswordDigest looks like: its length, its alphabet, and what has such a length. */
function lookOf(sent: string, { digest, hash }: EmulatorAccount): string {
  const bytes = Buffer.from(sent, "base64");
  const inside = bytes.toString("latin1");
  const isBase64 = sent.length >= 4 && /^[\w+/-]+={0,2}$/.test(sent);
  // What is not UTF-8 becomes U+FFFD where bytes are read as text.
  const lost = bytes.includes("\ufffd") ? ", for bytes that became text (U+FFFD)" : "";
  const [alphabet, size = null] = slips.hexPairs.test(sent)
    ? [" of hexadecimal", sent.length / 2]
    : !isBase64
      ? [", not all of base64 or hexadecimal"]
      : slips.hexPairs.test(inside)
        ? [" of base64 of hexadecimal", inside.length / 2]
        : [` of base64${lost}`, bytes.length];
  const like = slips.sizes.find((one) => one.size === size)?.words ?? "no common hash";
  const own = Math.ceil((slips.hashes[hash][1] * (written.rightWriting[digest] + 1)) / 3) * 4;
  return [
    `PasswordDigest has ${sent.length} characters${alphabet}`,
    size === null ? "" : `, ${size} bytes, as ${like} has`,
    sent.length === own ? "" : `; this server expects ${own} characters of base64`,
  ].join("");
}

/** What is said of a digest that no slip gives. */
function unknownDigest(sent: string, all: readonly Reading[], account: EmulatorAccount): Reason {
  const { digest, hash } = account;
  const known = `does not match ${digest} with ${hash}, and no slip or two that this log knows give it`;
  const maybe =
    "the Nonce or Created that was hashed may not be the one that was sent, or the secret is another";
  // Hash and writing show by themselves where the digest can be read in one way alone.
  const [only, ...others] = all;
  const shown = only === undefined || others.length > 0 ? [] : [...only.ofHash, ...only.ofWriting];
  const changes = [...shown.map(({ change }) => change), written.unknownChange];
  return because("digest", `${known}; ${lookOf(sent, account)}; ${maybe}`, changes.join("; "));
}

/** How a wrong PasswordDigest was made, what is expected instead, and what to change. */
export function digestMismatch(sent: UsernameToken, account: EmulatorAccount): Reason {
  const { digest, hash } = account;
  const ours = slips.hashes[hash][0];
  const material = materialOf(sent, account);
  const noHash = written.noHashes.find(([, make]) => isSame(make(material) ?? "", sent.passwordDigest));
  if (noHash !== undefined) {
    const writing = written.rightWriting[digest];
    const [did, , change = `${slips.textChange}; ${written.writingChanges[writing]?.(hash)}`] = noHash;
    const expected = `${ours} of Nonce, Created and secret, as ${written.rightWritings[writing]}`;
    return because("digest", `the client ${did}; this server expects ${expected}`, change);
  }
  const all = readings(sent.passwordDigest, account);
  const parts = partsOf(material, digest);
  for (const count of [1, 2]) {
    for (const reading of all) {
      const between = slipsIn(reading, count - reading.ofHash.length - reading.ofWriting.length, parts);
      if (between !== null) return sentencesOf(reading, between, sent, account);
    }
  }
  // An HMAC with another hash, such as HMAC-SHA-256, is one slip to those who make it, and so may be written in another way too.
  const hmacs = parts.parts.filter(({ input: { join } }) => typeof join?.("", "", "", "", hash) === "object");
  for (const reading of all) {
    const [ofHash] = reading.ofWriting.length === 1 ? reading.ofHash : [];
    const [hmac] = (ofHash && slipsIn(reading, 1, { ...parts, parts: hmacs })) ?? [];
    if (ofHash === undefined || hmac === undefined) continue;
    const one = {
      did: `${hmac.did} (HMAC-${slips.hashes[reading.hash][0]})`,
      ours: `${ours} of ${hmac.ours}`,
      change: `${hmac.change}; ${ofHash.change}`,
    };
    return sentencesOf(reading, [hmac], sent, account, [one, ...reading.ofWriting]);
  }
  return unknownDigest(sent.passwordDigest, all, account);
}
