// Finds how a wrong PasswordDigest was made, and says it in three parts: what the client does, what this server expects, and what to
// change. From PasswordDigest it goes back to the bytes of a hash, which is cheap; then it hashes with each deviation, and with each two
// common ones, until that gives the same bytes. One deviation counts before two, wherever they are; of equally many the first of the
// table. If none fits, it shows what this server hashes, step by step, so that the author can compare.

import { timingSafeEqual } from "node:crypto";
import { conventionNames, type DigestAlgorithm, hashNames, passwordDigest } from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { because, type Reason } from "./answer.ts";
import {
  type Deviation,
  deviationsOf,
  expectedOf,
  type Hash,
  hashChange,
  hashes,
  hashOf,
  isDecoded,
  rightForms,
  rightHash,
  writingChange,
} from "./deviations.ts";
import { hexadecimal, inBase64, inHex, toBytes } from "./forms.ts";
import { formsText, likenessOf, type Reading, readingsOf, replacementOf } from "./values.ts";

/** Compares two digests in constant time. Their length depends on convention and hash alone, which are no secret. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a PasswordDigest is the one that the account must send. */
export function digestMatches(sent: UsernameToken, { digest, hash, secret }: EmulatorAccount): boolean {
  return isSame(sent.passwordDigest, passwordDigest({ ...sent, digest, hash, secret }));
}

/** The words of a deviation: what the client does, what the server expects, what to change. */
type Words = readonly [did: string, ours: string, change: string];

/** A hash that PasswordDigest may be, and the deviations in what it is and in how it is written. */
interface Candidate {
  readonly raw: string;
  readonly hash: Hash;
  readonly ofHash: readonly Words[];
  readonly ofWriting: readonly Words[];
  /** How many deviations these are. */
  readonly weight: number;
}

const names = Object.keys(hashes) as Hash[];

/** The hashes that PasswordDigest may be, those with the fewest deviations first. */
function candidatesOf(
  readings: readonly Reading[],
  { digest, hash: ours }: EmulatorAccount,
): readonly Candidate[] {
  const right = rightForms(digest);
  const ofHash = (hash: Hash): readonly Words[] =>
    hash === ours ? [] : [[`hashes with ${hashes[hash][0]}`, hashes[ours][0], hashChange(ours)]];
  const all = readings.flatMap(({ text: raw, written }): readonly Candidate[] => {
    // If all bytes are printable, they are a text that is encoded again, and no hash.
    if (/[^\0-\xff]|^[ -~]+$/.test(raw)) return [];
    const more = written.length - right.filter((form) => written.includes(form)).length;
    const isRight = written.length === right.length && more === 0;
    const isMore = right.every((form, index) => form === written[index]);
    const others = isMore ? written.slice(right.length) : written.filter((form) => !right.includes(form));
    const hints = others.map(({ change }) => change).filter((one) => isMore || one !== inHex.change);
    const change = [...(isMore ? [] : [writingChange(digest, ours)]), ...new Set(hints)].join("; ");
    const expected = `the hash ${formsText(right)}`;
    const ofWriting: readonly Words[] = isRight
      ? []
      : [[`writes the hash ${formsText(written)}`, expected, change]];
    const weight = isRight ? 0 : Math.max(1, more);
    return names
      .filter((name) => hashes[name][1] === raw.length)
      .map((hash) => ({
        raw,
        hash,
        ofHash: ofHash(hash),
        ofWriting,
        weight: weight + (hash === ours ? 0 : 1),
      }));
  });
  return all.toSorted((a, b) => a.weight - b.weight);
}

/** The first deviations of the table, `count` together, that give this hash; null if none do. */
function findIn(
  { raw, hash }: Pick<Candidate, "raw" | "hash">,
  count: number,
  { right, deviations }: ReturnType<typeof deviationsOf>,
): readonly Deviation[] | null {
  if (count === 0) return rightHash(right, hash) === raw ? [] : null;
  // Of the hashes of one size, the first is the usual one; the others are only tried with the right text.
  if (count < 0 || names.find((name) => hashes[name][1] === raw.length) !== hash) return null;
  if (count === 1) {
    const only = deviations.find(
      (one) =>
        (one.hash ?? rightHash)(one.of === "text" ? right : { ...right, [one.of]: one.made }, hash) === raw,
    );
    return only === undefined ? null : [only];
  }
  const commonOnes = deviations.filter(({ isCommon }) => isCommon);
  for (const [index, one] of commonOnes.entries()) {
    const values = one.of === "text" ? right : { ...right, [one.of]: one.made };
    for (const [at, other] of commonOnes.entries()) {
      // Two of the same part are done one after the other, in both orders.
      if (one.of === other.of ? one.of === "text" || one.of === "Created" : at < index) continue;
      const made = one.of === other.of ? other.make(one.made) : other.made;
      if (made === null) continue;
      const both = other.of === "text" ? values : { ...values, [other.of]: made };
      if ((one.hash ?? other.hash ?? rightHash)(both, hash) === raw) return [one, other];
    }
  }
  return null;
}

/** Another convention and hash by which the digest is right; undefined if there is none. */
function otherAlgorithm(sent: UsernameToken, { secret }: EmulatorAccount): DigestAlgorithm | undefined {
  const isHex = hexadecimal.test(sent.nonce);
  // base64-nonce and decoded-nonce differ only in how the Nonce is sent.
  return conventionNames
    .filter((digest) => digest !== "base64-nonce" || !isHex)
    .flatMap((digest) => hashNames.map((hash) => ({ digest, hash })))
    .find((one) => isSame(sent.passwordDigest, passwordDigest({ ...sent, ...one, secret })));
}

/** The sentence about what was found. It names the convention that the client follows, if it is another one. */
function sentenceOf(found: readonly Words[], sent: UsernameToken, account: EmulatorAccount): Reason {
  const theirs = otherAlgorithm(sent, account);
  const named = ({ digest, hash }: DigestAlgorithm): string =>
    theirs === undefined ? "" : ` (${digest} with ${hash})`;
  const flags = (["digest", "hash"] as const).flatMap((name) =>
    theirs === undefined || theirs[name] === account[name] ? [] : [`--${name} ${theirs[name]}`],
  );
  const instead = `if your API expects what the client does, start the emulator with ${flags.join(" ")}`;
  const changes = [...new Set(found.map(([, , change]) => change)), ...(flags.length > 0 ? [instead] : [])];
  const both = (place: 0 | 1): string => [...new Set(found.map((words) => words[place]))].join(" and ");
  const detail = `the client ${both(0)}${named(theirs ?? account)}; this server expects ${both(1)}${named(account)}`;
  return because("digest", detail, changes.join("; "));
}

/** What PasswordDigest is if it is no hash at all: another value, something in its place, or a part of the right one. */
function noHash(
  sent: UsernameToken,
  readings: readonly Reading[],
  account: EmulatorAccount,
): Reason | undefined {
  const { digest, hash, secret, token } = account;
  const expected = `this server expects ${hashes[hash][0]} of Nonce, Created and secret ${formsText(rightForms(digest))}`;
  const change = `${expectedOf("text", digest)[1]}; ${writingChange(digest, hash)}`;
  const values = {
    "the secret itself": toBytes(secret),
    "the token": token,
    "the Nonce": sent.nonce,
    "the text that it should hash": sent.nonce + sent.created + toBytes(secret),
  };
  for (const { text, written } of readings)
    for (const [name, value] of Object.entries(values))
      if (isSame(text, value)) {
        const how = written.length === 0 ? "" : ` ${formsText(written)}`;
        return because("digest", `the client sends ${name}${how} as PasswordDigest; ${expected}`, change);
      }
  const [words, mend] = replacementOf(sent.passwordDigest) ?? [];
  return words === undefined
    ? undefined
    : because("digest", `the client sends as PasswordDigest what ${words}; ${expected}`, mend);
}

/** What a PasswordDigest looks like: its length, its alphabet, and what has such a length. */
function lookOf(sent: string): string {
  const bytes = Buffer.from(sent, "base64");
  const inside = bytes.toString("latin1");
  const [alphabet, size = null] = hexadecimal.test(sent)
    ? ["hexadecimal", sent.length / 2]
    : !/^[\w+/-]{4,}={0,2}$/.test(sent)
      ? ["neither base64 nor hexadecimal"]
      : hexadecimal.test(inside)
        ? ["base64 of hexadecimal", inside.length / 2]
        : // What is not UTF-8 becomes U+FFFD where bytes are read as text.
          [
            bytes.includes("\ufffd")
              ? "base64 of bytes that became text (U+FFFD), which loses most of them"
              : "base64",
            bytes.length,
          ];
  const like = names.find((name) => hashes[name][1] === size);
  const of =
    size === null ? "" : `: ${size} bytes, as ${like === undefined ? "no hash" : hashes[like][0]} has`;
  return `PasswordDigest has ${sent.length} characters of ${alphabet}${of}`;
}

/** The command that makes the right PasswordDigest for this request in a shell; null where its text is not safe to paste there. */
function commandOf({ nonce, created }: UsernameToken, { digest, hash }: EmulatorAccount): string | null {
  if (!/^[\w+/=-]+$/.test(nonce) || !/^[\w:+.-]+$/.test(created)) return null;
  const text = isDecoded(digest)
    ? `{ printf %s ${nonce} | openssl base64 -d -A; printf %s "${created}$REFERRAL_SECRET"; }`
    : `printf %s "${nonce}${created}$REFERRAL_SECRET"`;
  const binary = `openssl dgst -${hash} -binary`;
  const written =
    digest === "hex-digest" ? `openssl dgst -${hash} -r | cut -d ' ' -f 1 | tr -d '\\n'` : binary;
  return `${text} | ${written} | openssl base64 -A`;
}

/** Shows this server's own steps, beside what can be seen of the client's. */
function workedExample(
  sent: UsernameToken,
  [only, ...others]: readonly Candidate[],
  account: EmulatorAccount,
): Reason {
  const { digest, hash, secret } = account;
  const own = passwordDigest({ ...sent, digest: isDecoded(digest) ? digest : "text-nonce", hash, secret });
  const inDigits = inHex.write(inBase64.read(own) ?? "");
  const [alike, mend] =
    [own, inDigits, inBase64.write(inDigits)]
      .map((one) => likenessOf(sent.passwordDigest, one))
      .find(Boolean) ?? [];
  if (alike !== undefined)
    return because(
      "digest",
      `the client makes the hash that this server expects, but PasswordDigest ${alike}; this server expects the whole ${formsText(rightForms(digest))}`,
      mend,
    );
  const nonce = isDecoded(digest) ? Buffer.from(sent.nonce, "base64").length : sent.nonce.length;
  const size = Buffer.byteLength(secret);
  const right = rightForms(digest);
  const length = right.reduce((text, form) => form.write(text), hashOf(hash, "")).length;
  const steps = [
    `${expectedOf("Nonce", digest)[0]} (${nonce} bytes) + Created (${sent.created.length}) + [secret: ${size}] = ${nonce + sent.created.length + size} bytes`,
    `${hashes[hash][0]} of them (${hashes[hash][1]} bytes)`,
    `that ${formsText(right)} (${length} characters)`,
  ];
  // With two deviations, it is more likely something else of that length.
  const shown =
    only?.weight === 1 && others.every(({ weight }) => weight > 1) ? [...only.ofHash, ...only.ofWriting] : [];
  const isRight = only?.weight === 0;
  const guess = isRight
    ? "hash and writing are right, so the text that was hashed is another: another secret, or another Nonce or Created than were sent"
    : shown.length > 0
      ? `the client ${shown.map(([did]) => did).join(" and ")}, and the text that was hashed may be another`
      : "it may be no hash of this text, or written in another way";
  const command = commandOf(sent, account);
  const changes = [
    ...shown.map(([, , change]) => change),
    "print the text that the client hashes and its length, and compare them with these steps, one after the other",
    ...(command === null
      ? []
      : [`for this Nonce and Created, the right PasswordDigest is what this prints: ${command}`]),
    "referral-auth header --wsse makes a whole header, and docs/wsse.md shows each step in other languages",
  ];
  return because(
    "digest",
    `does not match ${digest} with ${hash}; ${lookOf(sent.passwordDigest)}; this server makes ${steps.join(", then ")}; ${guess}`,
    changes.join("; "),
  );
}

/** How a wrong PasswordDigest was made, what is expected instead, and what to change. */
export function digestMismatch(sent: UsernameToken, account: EmulatorAccount): Reason {
  const readings = readingsOf(sent.passwordDigest, 4);
  const none = noHash(sent, readings, account);
  if (none !== undefined) return none;
  const candidates = candidatesOf(readings, account);
  const table = deviationsOf(sent, account);
  // An HMAC with another hash is one deviation to those who make it.
  const hmacs = { ...table, deviations: table.deviations.filter(({ isHmac }) => isHmac) };
  const wordsOf = ({ of, did, change }: Deviation): Words => {
    const [ours, usual] = expectedOf(of, account.digest);
    return [did, ours, change === "" ? usual : `${usual}; ${change}`];
  };
  for (const total of [1, 2])
    for (const candidate of candidates) {
      const { ofHash, ofWriting, weight } = candidate;
      const isOther = ofHash.length > 0 && weight === total;
      const between =
        findIn(candidate, total - weight, table) ?? (isOther ? findIn(candidate, 1, hmacs) : null);
      if (between !== null)
        return sentenceOf([...ofHash, ...between.map(wordsOf), ...ofWriting], sent, account);
    }
  return workedExample(sent, candidates, account);
}
