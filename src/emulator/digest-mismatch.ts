// Finds how a wrong PasswordDigest was made: by one or two slips of slips.ts. First it goes back from the digest to the bytes of its
// hash, which is cheap. Then it hashes what each slip, and each pair of slips, would hash, until that gives the same bytes. If nothing
// does, it says what the digest looks like.

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

/** One way to read the sent digest: the bytes of a hash, and how a client writes them so. */
interface Reading {
  readonly raw: string;
  readonly hash: (typeof slips.sizes)[number]["name"];
  /** The index of its row in `writings`. */
  readonly writing: number;
  /** What was done to the text after that, if anything. */
  readonly wrapping: (typeof slips.wrappings)[number] | undefined;
}

/** All ways to read a digest. The hash is known by its size. */
function readings(sent: string): readonly Reading[] {
  const seen = new Set<string>();
  let level: readonly string[] = sent.length > longestDigest ? [] : [sent];
  for (let step = 0; step < mostSteps && seen.size < mostTexts; step += 1) {
    const next = new Set(level.flatMap((text) => slips.undoings.flatMap((undo) => undo(text))));
    level = [...next].filter((text) => text.length >= 16 && !seen.has(text));
    for (const text of level) seen.add(text);
  }
  return [...seen].flatMap((raw): readonly Reading[] => {
    const hash = slips.sizes.find(({ size }) => size === raw.length)?.name;
    // If all bytes are printable, they are a text that is encoded again, and no hash.
    if (hash === undefined || /[^\0-\xff]|^[ -~]+$/.test(raw)) return [];
    const bare = slips.writings.findIndex(([, write]) => write(raw).includes(sent));
    if (bare >= 0) return [{ raw, hash, writing: bare, wrapping: undefined }];
    return slips.writings.flatMap(([, write], writing) => {
      const wrapping = slips.wrappings.find(([, wrap]) =>
        write(raw).some((text) => wrap(text).includes(sent)),
      );
      return wrapping === undefined ? [] : [{ raw, hash, writing, wrapping }];
    });
  });
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
function partsOf(sent: UsernameToken, account: EmulatorAccount) {
  const material = materialOf(sent, account);
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
    nonce: dimension("nonce", [slips.nonces, slips.rareNonces], slips.rightNonces[account.digest]),
    created: dimension("created", [slips.times, slips.rareTimes], slips.rightTime),
    secret: dimension("secret", [slips.secrets, slips.rareSecrets], slips.rightSecret),
  };
  return { right, parts, username: sent.username };
}

/** The first `count` slips of the table that give this hash together; null if none do. */
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
  if (count === 0) return fits() ? [] : null;
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
    (name) => slips.rightNonces[name][0] === row && slips.rightWriting[name] === writing,
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
  found: ReadonlyArray<Pick<Part, "did" | "ours" | "change">>,
  reading: Reading,
  between: readonly Part[],
  sent: UsernameToken,
  account: EmulatorAccount,
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

/** What a PasswordDigest looks like that no slip of the table gives: its length, its alphabet, and what has such a length. */
function lookOf(sent: string, { digest, hash }: EmulatorAccount): string {
  const own = slips.hashes[hash][1] * (slips.rightWriting[digest] + 1);
  const expected = Math.ceil(own / 3) * 4;
  const instead = sent.length === expected ? "" : `; this server expects ${expected} characters of base64`;
  const look = (alphabet: string, size: number): string => {
    const words = slips.sizes.find((one) => one.size === size)?.words;
    const like = words === undefined ? "as no common hash has" : `as ${words} has`;
    return `PasswordDigest has ${sent.length} characters ${alphabet}, ${size} bytes, ${like}${instead}`;
  };
  if (slips.hexPairs.test(sent)) return look("of hexadecimal", sent.length / 2);
  if (sent.length < 4 || !/^[\w+/-]+={0,2}$/.test(sent))
    return `PasswordDigest has ${sent.length} characters, not all of base64 or hexadecimal${instead}`;
  const bytes = Buffer.from(sent, "base64");
  const inside = bytes.toString("latin1");
  if (slips.hexPairs.test(inside)) return look("of base64 of hexadecimal", inside.length / 2);
  // What is not UTF-8 becomes U+FFFD where bytes are read as text.
  return look(
    `of base64${bytes.includes("\ufffd") ? ", for bytes that became text (U+FFFD)" : ""}`,
    bytes.length,
  );
}

/** How a wrong PasswordDigest was made, what is expected instead, and what to change. */
export function digestMismatch(sent: UsernameToken, account: EmulatorAccount): Reason {
  const { digest, hash: ours } = account;
  const writing = slips.rightWriting[digest];
  const material = materialOf(sent, account);
  const noHash = slips.noHashes.find(([, make]) => isSame(make(material) ?? "", sent.passwordDigest));
  if (noHash !== undefined) {
    const [did, , change = `${slips.textChange}; ${slips.writingChanges[writing]?.(ours)}`] = noHash;
    return because(
      "digest",
      `the client ${did}; this server expects ${slips.hashes[ours][0]} of Nonce, Created and secret, as ${slips.rightWritings[writing]}`,
      change,
    );
  }
  const possible = readings(sent.passwordDigest).map((reading) => {
    const hashSlip = {
      did: `hashes with ${slips.hashes[reading.hash][0]}`,
      ours: slips.hashes[ours][0],
      change: slips.hashChange(ours, writing),
    };
    const [usual = "", expected = ""] = [slips.writingChanges[writing]?.(ours), slips.rightWritings[writing]];
    const [did = "", , own = usual] = slips.writings[reading.writing] ?? [];
    // What a row of its own says leads to base64 of the hash.
    const writingSlip = { did, ours: expected, change: writing === 0 ? own : usual };
    const { wrapping } = reading;
    return {
      reading,
      first: reading.hash === ours ? [] : [hashSlip],
      last: [
        ...(reading.writing === writing ? [] : [writingSlip]),
        ...(wrapping === undefined ? [] : [{ did: wrapping[0], ours: expected, change: wrapping[2] ?? "" }]),
      ],
    };
  });
  // A slip of the hash stands before all others in the table, and one of the writing behind them.
  possible.sort((a, b) => b.first.length - a.first.length || a.last.length - b.last.length);
  const parts = partsOf(sent, account);
  for (const count of [1, 2]) {
    for (const { reading, first, last } of possible) {
      const left = count - first.length - last.length;
      const between = left < 0 ? null : slipsIn(reading, left, parts);
      if (between !== null)
        return sentencesOf([...first, ...between, ...last], reading, between, sent, account);
    }
  }
  // An HMAC with another hash, such as HMAC-SHA-256, is one slip to those who make it.
  const hmacs = parts.parts.filter(({ input: { join } }) => typeof join?.("", "", "", "", ours) === "object");
  for (const { reading, first, last } of possible) {
    const [hashSlip] = first;
    const found = hashSlip && last.length < 2 ? slipsIn(reading, 1, { ...parts, parts: hmacs }) : null;
    const [hmac] = found ?? [];
    if (hashSlip === undefined || found === null || hmac === undefined) continue;
    const one = {
      did: `${hmac.did} (HMAC-${slips.hashes[reading.hash][0]})`,
      ours: `${hashSlip.ours} of ${hmac.ours}`,
      change: `${hmac.change}; ${hashSlip.change}`,
    };
    return sentencesOf([one, ...last], reading, found, sent, account);
  }
  const maybe =
    "the Nonce or Created that was hashed may not be the one that was sent, or the secret is another";
  const known = `does not match ${digest} with ${ours}, and no slip or two that this log knows give it`;
  const detail = `${known}; ${lookOf(sent.passwordDigest, account)}; ${maybe}`;
  // Hash and writing show by themselves where the digest can be read in one way alone.
  const [only, ...others] = possible;
  const shown = only === undefined || others.length > 0 ? [] : [...only.first, ...only.last];
  return because("digest", detail, [...shown.map(({ change }) => change), slips.unknownChange].join("; "));
}
